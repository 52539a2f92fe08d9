import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameCode, spellingsThere, usualSpellings } from './spellings.ts'

/** As the indexes of both databases order texts. */
const compare = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

/** Names in an index, and how often it was entered. */
function indexOf(names: readonly string[]) {
  const sorted = [...new Set(names)].sort(compare)
  let steps = 0
  return {
    firstFrom: async (text: string) => {
      steps++
      return sorted.find((one) => compare(one, text) >= 0)
    },
    steps: () => steps,
  }
}

test.each([
  ['L261199001', ['L261199001', 'l261199001', 'L26119900', 'L2611990011', 'K1', 'm1'], ['L261199001', 'l261199001']],
  ['lote-0815', ['Lote-0815', 'LOTE-0815', 'lOTE-0815', 'Lote-0816'], ['LOTE-0815', 'Lote-0815', 'lOTE-0815']],
  ['praça 1', ['PRAÇA 1', 'Praça 1', 'PRACA 1'], ['PRAÇA 1', 'Praça 1']],
  ['straße', ['STRAßE', 'STRASSE', 'straße'], ['STRAßE', 'straße']],
  ['', ['a'], []],
])('%s is found in every case that it was read in, and nothing else is', async (name, names, found) => {
  expect(await spellingsThere(name, indexOf(names).firstFrom)).toEqual(found)
})

const sign = fc.constantFrom(...'aAbBzZ09-ç Çß')
const text = fc.array(sign, { maxLength: 5 }).map((signs) => signs.join(''))

test('of any names exactly those are found that differ by case alone', async () => {
  const sameInCase = (one: string, other: string) =>
    [...one].length === [...other].length &&
    [...one].every(
      (letter, at) => letter === other[at] || (isSameCode(letter, other[at] ?? '') && letter.trim() !== ''),
    )
  await fc.assert(
    fc.asyncProperty(text, fc.array(text, { maxLength: 30 }), async (name, names) => {
      const expected = [...new Set(names)].filter((one) => name !== '' && sameInCase(name, one)).sort(compare)
      const index = indexOf(names)
      expect(await spellingsThere(name, index.firstFrom)).toEqual(expected)
      expect(index.steps()).toBeLessThanOrEqual(new Set(names).size + 1)
    }),
  )
})

test('a code is the same in any case, and its usual spellings are each said once', () => {
  expect([isSameCode(' 0200a3f7', '0200A3F7'), isSameCode('0200A3F7', '0200A3F8')]).toEqual([true, false])
  expect([usualSpellings('01620014'), usualSpellings('0200a3F7')]).toEqual([
    ['01620014'],
    ['0200a3F7', '0200A3F7', '0200a3f7'],
  ])
})
