import { expect, test } from 'vitest'
import { isBadge } from './badges.ts'

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
