import { expect, test } from 'vitest'
import { roles } from '../../contract/values.ts'
import { BADGE_REMOVED, fieldsWithBadge, holdsBadge, withoutBadges } from '../text/badge-texts.ts'
import { badgeOf, isBadge, isWeakPin, roleByBadge } from './badges.ts'

const characters = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const checked = (body: string) =>
  characters.map((character) => `PIC-${body}${character}`).find(isBadge) ?? `no check character for ${body}`

test('one check character of 36 makes a badge, whatever the case and the outer blanks', () => {
  for (const body of ['7Q2M4X9K', 'MARIA2026', '00000000', 'ZZZZZZZZZZZZ']) {
    expect(characters.filter((character) => isBadge(`PIC-${body}${character}`))).toHaveLength(1)
    expect(isBadge(` ${checked(body).toLowerCase()} `)).toBe(true)
  }
})

test('two characters that changed places, and any other label, are no badge', () => {
  expect(isBadge(checked('7Q2M4X9K').replace('7Q', 'Q7'))).toBe(false)
  const labels = ['L261121001', '0101621401001000010007', 'PR0001', 'MA-0001', 'PIC-', 'PIC-1234', '']
  expect(labels.filter(isBadge)).toEqual([])
})

test('a code that is made is a badge', () => {
  for (let seed = 0; seed < 36; seed++) {
    const code = badgeOf(Array.from({ length: 14 }, (_, at) => (seed * 7 + at * 5) % 36))
    expect([code, isBadge(code)]).toEqual([expect.stringMatching(/^PIC-[0-9A-Z]{15}$/), true])
  }
})

const BADGE = 'PIC-7Q2M4X9K00000000'
const badge = checked(BADGE.slice(4))

test('a badge is found anywhere in a text, in any case and through what nobody sees', () => {
  const around = [badge, `]C0${badge}`, `*${badge.toLowerCase()}*`, `L261121001${badge}KX0001`, `troquei ${badge}.`]
  const unseen = [`PIC-\u200b${badge.slice(4)}`, `PIC-12345678${badge}`, `${badge}${badge}`]
  for (const text of [...around, ...unseen]) {
    expect(holdsBadge(text), text).toBe(true)
    expect(holdsBadge(withoutBadges(text)), text).toBe(false)
  }
  const wrong = `${badge.slice(0, -1)}${badge.endsWith('0') ? '1' : '0'}`
  expect(['', 'PIC-', 'PIC-1234567', 'EPIC-SAGA', 'L261121001'].filter(holdsBadge)).toEqual([])
  expect(isBadge(wrong)).toBe(false)
})

test('the fields that hold a badge are named, passwords are none of them', () => {
  const sent = { lote: badge, nota: `por ${badge}`, linhas: [{ texto: 'ok' }, { texto: badge }], pecas: 3, vazio: null }
  expect(fieldsWithBadge({ ...sent, senha: badge, currentPassword: badge })).toEqual(['lote', 'nota', 'linhas.1.texto'])
  expect(withoutBadges(sent)).toEqual({
    ...sent,
    lote: BADGE_REMOVED,
    nota: `por ${BADGE_REMOVED}`,
    linhas: [{ texto: 'ok' }, { texto: BADGE_REMOVED }],
  })
})

test('runs, rows of one digit and years of birth are weak PINs', () => {
  const weak = ['0000', '1111', '1234', '7890', '4321', '3210', '0987', '123456', '1985', '2007']
  expect(weak.filter((pin) => !isWeakPin(pin))).toEqual([])
  expect(['2468', '7302', '1357', '198512', '9071'].filter(isWeakPin)).toEqual([])
})

test('a badge gives an operator’s permissions and nobody more than they have', () => {
  expect(roles.map(roleByBadge)).toEqual(['operador', 'operador', 'operador', 'operador', 'consulta', 'operador'])
})
