import { expect, test } from 'vitest'
import { UNREADABLE } from '../../../domain/text/frames.ts'
import {
  badgeIn,
  barcodeIn,
  begins,
  endsBurst,
  forgetCode,
  idleScanner,
  isBurst,
  KEY_GAP_MS_MAX,
  labelIn,
  pressKey,
  REST_MS,
  readWhole,
  resumes,
  type Scanner,
  type Step,
  settle,
  type WholeOf,
} from './scanner.ts'

const CODE = '0101010012345600010001'
const OTHER = '0101010012345600020001'

test('a badge is whole for every screen, and only with its check character', () => {
  expect([barcodeIn('PIC-000000000'), barcodeIn('PIC-000000001')]).toEqual(['PIC-000000000', null])
  expect([badgeIn('pic-000000000'), badgeIn(CODE)]).toEqual(['pic-000000000', null])
})

const seen = ({ text, fresh }: NonNullable<Step['code']>) => ({ text, fresh })

type Machine = { scanner: Scanner; at: number; codes: { text: string; fresh: boolean }[]; swallowed: string[] }
const begin = (): Machine => ({ scanner: idleScanner, at: 1000, codes: [], swallowed: [] })

function press(machine: Machine, keys: readonly string[], gapMs: number, wholeOf?: WholeOf) {
  for (const key of keys) {
    machine.at += gapMs
    const { scanner, swallow, code } = pressKey(machine.scanner, key, machine.at, wholeOf)
    machine.scanner = scanner
    if (code) machine.codes.push(seen(code))
    if (swallow) machine.swallowed.push(key)
  }
}

function pause(machine: Machine, ms: number, wholeOf?: WholeOf) {
  machine.at += ms
  const { scanner, code } = settle(machine.scanner, wholeOf)
  machine.scanner = scanner
  if (code) machine.codes.push(seen(code))
}

test.each(['Enter', 'Tab'])('a burst of 22 and %s is one code, and the key is swallowed', (suffix) => {
  const machine = begin()
  press(machine, [...CODE, suffix], 8)
  expect(machine.codes).toEqual([{ text: CODE, fresh: true }])
  expect(machine.swallowed).toEqual([suffix])
})

test('a scanner without a key at the end is read after the pause, a late Enter is still swallowed', () => {
  const machine = begin()
  press(machine, [...CODE], 20)
  expect(machine.codes).toEqual([])
  pause(machine, KEY_GAP_MS_MAX + 1)
  expect(machine.codes).toEqual([{ text: CODE, fresh: true }])
  press(machine, ['Enter'], 100)
  expect(machine.swallowed).toEqual(['Enter'])
  press(machine, ['Enter'], 10)
  expect(machine.swallowed).toEqual(['Enter'])
})

test('an Enter that a hand presses after a scan is the hand’s', () => {
  const machine = begin()
  press(machine, [...CODE], 10)
  pause(machine, 60)
  press(machine, ['Enter'], 800)
  expect(machine.swallowed).toEqual([])
})

test('the slowest burst counts, typing by hand does not', () => {
  const slow = begin()
  press(slow, [...CODE, 'Enter'], KEY_GAP_MS_MAX)
  expect(slow.codes).toHaveLength(1)
  const hand = begin()
  press(hand, [...CODE, 'Enter'], KEY_GAP_MS_MAX + 1)
  expect(hand.codes).toEqual([])
  expect(hand.swallowed).toEqual([])
})

test.each([CODE.slice(1), `${CODE}9`])('%s is not a barcode', (text) => {
  const machine = begin()
  press(machine, [...text, 'Enter'], 5)
  pause(machine, 100)
  expect(machine.codes).toEqual([])
  expect(machine.swallowed).toEqual([])
})

test('a page too busy to hear the keys in time still reads the code', () => {
  const machine = begin()
  press(machine, [...CODE.slice(0, 12)], 5)
  machine.scanner = settle(machine.scanner).scanner
  press(machine, [...CODE.slice(12), 'Enter'], 5)
  expect(machine.codes).toEqual([{ text: CODE, fresh: true }])
})

test('what was typed before the burst is no part of the code', () => {
  const machine = begin()
  press(machine, [...'123'], 200)
  press(machine, [CODE[0]!], 200)
  press(machine, [...CODE.slice(1), 'Enter'], 5)
  expect(machine.codes).toEqual([{ text: CODE, fresh: true }])
})

test.each(['ArrowLeft', 'Dead', 'Control'])('%s within a burst spoils all of it, and is no silence', (key) => {
  for (const wholeOf of [undefined, labelIn]) {
    const machine = begin()
    press(machine, [...CODE.slice(0, 10), key, ...CODE.slice(10), 'Enter'], 5, wholeOf)
    expect(machine.codes).toEqual([{ text: `${CODE.slice(0, 10)}${UNREADABLE}${CODE.slice(10)}`, fresh: true }])
    expect(machine.swallowed).toEqual(['Enter'])
  }
})

test('a dead key that begins a label spoils it, one by hand does not', () => {
  const machine = begin()
  press(machine, ['Dead', ...'L261118004', 'Enter'], 5, labelIn)
  expect(machine.codes.map(({ text }) => text)).toEqual([`${UNREADABLE}L261118004`])
  press(machine, ['Dead', 'a', 'Backspace', 'b'], 200, labelIn)
  pause(machine, REST_MS, labelIn)
  expect(machine.codes).toHaveLength(1)
})

test.each([`]C0${CODE}`, `*${CODE}*`, `]e0*${CODE}*`])('%s is the item’s code within its frame', (label) => {
  const machine = begin()
  press(machine, [...label, 'Enter'], 8)
  expect(machine.codes).toEqual([{ text: CODE, fresh: true }])
  expect(barcodeIn(label.slice(0, 22))).toBeNull()
})

test('a badge is found in its frame, and within any other label', () => {
  for (const label of ['PIC-000000000', ']C0pic-000000000', '*PIC-000000000*', 'L26PIC-000000000']) {
    expect(badgeIn(label)?.toUpperCase(), label).toBe('PIC-000000000')
  }
})

test('a text that comes at once is a reading of its own, however soon the next one comes', () => {
  const machine = begin()
  const read = (text: string) => {
    const step = readWhole(machine.scanner, text, machine.at, labelIn)
    if (!step?.code) return null
    machine.scanner = step.scanner
    return seen(step.code)
  }
  expect(read('L261121001')).toEqual({ text: 'L261121001', fresh: true })
  machine.at += 5
  expect(read('KX0001')).toEqual({ text: 'KX0001', fresh: true })
  expect(read('KX0001')).toEqual({ text: 'KX0001', fresh: false })
  expect(read('70')).toBeNull()
  press(machine, ['Enter'], 20, labelIn)
  expect(machine.swallowed).toEqual(['Enter'])
  press(machine, [...'PR0001', 'Enter'], 5, labelIn)
  expect(machine.codes).toEqual([{ text: 'PR0001', fresh: true }])
})

test('the same code within 2 s counts once, its Enter is swallowed all the same', () => {
  const machine = begin()
  press(machine, [...CODE, 'Enter', ...CODE, 'Enter'], 5)
  expect(machine.codes).toEqual([
    { text: CODE, fresh: true },
    { text: CODE, fresh: false },
  ])
  expect(machine.swallowed).toHaveLength(2)
  pause(machine, 2000)
  press(machine, [...CODE, 'Enter'], 5)
  expect(machine.codes.at(-1)).toEqual({ text: CODE, fresh: true })
})

test('two scans of one code without a pause or a key between them are one', () => {
  const machine = begin()
  press(machine, [...CODE, ...CODE, 'Enter'], 5)
  expect(machine.codes).toEqual([{ text: CODE, fresh: true }])
  expect(machine.swallowed).toEqual(['Enter'])
  const others = begin()
  press(others, [...CODE, ...OTHER, 'Enter'], 5)
  expect(others.codes).toEqual([])
})

test('another code counts at once', () => {
  const machine = begin()
  press(machine, [...CODE, 'Enter', ...OTHER, 'Enter'], 5)
  expect(machine.codes.map(({ fresh }) => fresh)).toEqual([true, true])
})

test.each([
  ['Enter', 300, true],
  ['Tab', 50, true],
  ['Enter', 301, false],
  ['ArrowDown', 50, false],
])('%s %i ms after a label of another kind ends it: %s', (key, gapMs, isEnd) => {
  const machine = begin()
  press(machine, [...'L261118004'], 8)
  expect(endsBurst(machine.scanner, key, machine.at + gapMs)).toBe(isEnd)
})

test('an Enter after one key by hand ends no burst', () => {
  const machine = begin()
  press(machine, ['7'], 80)
  expect(endsBurst(machine.scanner, 'Enter', machine.at + 80)).toBe(false)
  press(machine, [' '], 80)
  expect(endsBurst(machine.scanner, 'Tab', machine.at + 20)).toBe(false)
})

test.each([[[...'L261118004', 'Enter']], [[...CODE, 'Enter']], [[...CODE, 'Tab']]])(
  'a second key at the end of %s belongs to it as well',
  (keys) => {
    const machine = begin()
    press(machine, keys, 8)
    expect(endsBurst(machine.scanner, 'Enter', machine.at + 8)).toBe(true)
    expect(endsBurst(machine.scanner, 'Enter', machine.at + 400)).toBe(false)
  },
)

test('a scanner that stops before its last character presses nothing either', () => {
  const machine = begin()
  press(machine, [...'L26111800'], 8)
  press(machine, ['4'], 120)
  expect(endsBurst(machine.scanner, 'Enter', machine.at + 8)).toBe(true)
})

test('for another screen the same code is another scan', () => {
  const machine = begin()
  press(machine, [...CODE, 'Enter'], 5)
  machine.scanner = forgetCode(machine.scanner)
  press(machine, [...CODE, 'Enter'], 5)
  expect(machine.codes.map(({ fresh }) => fresh)).toEqual([true, true])
})

test('a burst is known from its second key', () => {
  const machine = begin()
  press(machine, ['a'], 5)
  expect(isBurst(machine.scanner)).toBe(false)
  press(machine, ['b'], 5)
  expect(isBurst(machine.scanner)).toBe(true)
})

test.each([
  ['L261118004', 'Enter', 5],
  ['L261118004', 'Tab', 20],
  ['7001', 'Enter', 50],
  ['MA-0412', null, KEY_GAP_MS_MAX],
])('in a form %s and %s at %i ms are a reading of any label', (label, suffix, gapMs) => {
  const machine = begin()
  press(machine, [...label, ...(suffix ? [suffix] : [])], gapMs, labelIn)
  pause(machine, REST_MS, labelIn)
  expect(machine.codes).toEqual([{ text: label, fresh: true }])
  expect(machine.swallowed).toEqual(suffix ? [suffix] : [])
})

test.each([
  ['70', 5],
  ['120', 5],
  ['B23-004517/2', KEY_GAP_MS_MAX + 1],
  ['    ', 5],
])('in a form %s at %i ms is typed by a hand, and its Enter as well', (label, gapMs) => {
  const machine = begin()
  press(machine, [...label, 'Enter'], gapMs, labelIn)
  pause(machine, REST_MS, labelIn)
  expect(machine.codes).toEqual([])
  expect(machine.swallowed).toEqual([])
})

test('in a form a label that a trigger reads twice is one, with and without a key at its end or a rest between', () => {
  for (const [between, restMs] of [
    [['Enter'], 0],
    [[], 0],
    [[], 300],
    [['Tab'], 1500],
  ] as const) {
    const machine = begin()
    press(machine, [...'L261118004', ...between], 5, labelIn)
    if (restMs > 0) pause(machine, restMs, labelIn)
    press(machine, [...'L261118004', ...between], 5, labelIn)
    pause(machine, REST_MS, labelIn)
    expect(machine.codes.filter(({ fresh }) => fresh)).toEqual([{ text: 'L261118004', fresh: true }])
  }
})

test('a label whose end is heard late goes on, though its beginning was taken for whole', () => {
  const machine = begin()
  press(machine, [...'B23-004'], 5, labelIn)
  machine.scanner = settle(machine.scanner, labelIn).scanner
  expect(resumes(machine.scanner, '5', machine.at + 5)).toBe(true)
  expect(resumes(machine.scanner, '5', machine.at + 80)).toBe(false)
  press(machine, [...'518/1', 'Enter'], 5, labelIn)
  expect(machine.codes).toEqual([{ text: 'B23-004518/1', fresh: true }])
  expect(resumes(machine.scanner, '5', machine.at + 5)).toBe(false)
})

test('a label whose repetition is heard late is placed once more: what was placed is taken back', () => {
  const machine = begin()
  press(machine, [...'L261118004'], 5, labelIn)
  machine.scanner = settle(machine.scanner, labelIn).scanner
  press(machine, [...'L261118004', 'Enter'], 5, labelIn)
  expect(machine.codes).toEqual([{ text: 'L261118004', fresh: true }])
})

test('a lot that repeats itself is not cut in half', () => {
  for (const lot of ['12341234', '000000000000', 'L1L1']) {
    const machine = begin()
    press(machine, [...lot, 'Enter'], 5, labelIn)
    expect(machine.codes).toEqual([{ text: lot, fresh: true }])
  }
})

test('the first key after a rest begins a reading', () => {
  const machine = begin()
  press(machine, ['L'], 200, labelIn)
  expect(begins(machine.scanner)).toBe(true)
  press(machine, ['2'], 5, labelIn)
  expect(begins(machine.scanner)).toBe(false)
  press(machine, ['6'], 200, labelIn)
  expect(begins(machine.scanner)).toBe(true)
})
