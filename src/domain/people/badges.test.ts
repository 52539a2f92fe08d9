import { expect, test } from 'vitest'
import { roles } from '../../contract/values.ts'
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

test('runs, rows of one digit and years of birth are weak PINs', () => {
  const weak = ['0000', '1111', '1234', '7890', '4321', '3210', '0987', '123456', '1985', '2007']
  expect(weak.filter((pin) => !isWeakPin(pin))).toEqual([])
  expect(['2468', '7302', '1357', '198512', '9071'].filter(isWeakPin)).toEqual([])
})

test('a badge gives an operator’s permissions and nobody more than they have', () => {
  expect(roles.map(roleByBadge)).toEqual(['operador', 'operador', 'operador', 'operador', 'consulta', 'operador'])
})
