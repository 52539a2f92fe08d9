import { expect, test } from 'vitest'
import { isRemembered, offeredNow, type Remembered, remember } from './remembered.ts'

const plan = { shifts: ['06:00', '14:00', '22:00'], timeZone: 'America/Sao_Paulo' }
const at = (time: string) => Date.parse(`2026-11-23T${time}-03:00`)
const now = (time: string) => ({ username: 'maria', branch: '010101', at: at(time) })
const cut = { kind: 'cabo', machine: 'KX0001 - Komax', code: 'CB050AMVD', lot: 'L261121001' } as const
const stored: Remembered = remember(null, cut, now('08:00:00'))

test.each([
  ['at once', now('08:00:01'), true],
  ['after almost 6 h of the same shift', now('13:59:59'), true],
  ['when the shift has ended', now('14:00:00'), false],
  ['where the clock seems to have gone back by its error', now('07:59:59'), true],
  ['before it was', now('07:59:50'), false],
  ['for another person', { ...now('08:01:00'), username: 'joao' }, false],
  ['at the other plant', { ...now('08:01:00'), branch: '020101' }, false],
])('%s a machine is remembered: %s', (_, moment, expected) => {
  expect(isRemembered(stored, moment, plan)).toBe(expected)
})

test('after 6 h it is forgotten, however long the shift is', () => {
  const one = { ...plan, shifts: ['00:00'] }
  expect(isRemembered(stored, now('13:59:59'), one)).toBe(true)
  expect(isRemembered(stored, now('14:00:00'), one)).toBe(false)
})

test.each([
  ['another shift', now('20:00:00')],
  ['another person', { ...now('08:01:00'), username: 'joao' }],
  ['after days', { ...now('08:00:00'), at: at('08:00:00') + 3 * 86_400_000 }],
])('at a workplace the machine stays, and the lot does not: %s', (_, moment) => {
  expect(offeredNow(stored, moment, plan, false)).toBeNull()
  expect(offeredNow(stored, moment, plan, true)).toEqual({ ...stored, lots: [] })
  expect(offeredNow(stored, { ...moment, branch: '020101' }, plan, true)).toBeNull()
})

test('at a workplace the lot of this shift is offered as anywhere', () => {
  expect(offeredNow(stored, now('08:01:00'), plan, true)).toBe(stored)
})

test('each kind of work has its machine, each material the lot that it was last made of', () => {
  const side = { kind: 'lado', machine: 'PR0001 - Mecal', code: 'T1326030', lot: 'B23-1' } as const
  const both = remember(stored, side, now('08:05:00'))
  expect(both.machines).toEqual({ cabo: 'KX0001 - Komax', lado: 'PR0001 - Mecal' })
  expect(both.lots).toEqual([
    { code: 'T1326030', lot: 'B23-1' },
    { code: 'CB050AMVD', lot: 'L261121001' },
  ])
  const again = remember(both, { ...cut, lot: 'L261121002' }, now('08:06:00'))
  expect(again.lots.map(({ lot }) => lot)).toEqual(['L261121002', 'B23-1'])
  expect(remember(again, { ...cut, code: '', lot: '' }, now('08:07:00')).lots).toEqual(again.lots)
})
