import { expect, it } from 'vitest'
import { answerNo, answerYes, noReading, type Reading, readCode } from './receipts.ts'

const ONE = '0101621401001000010007'
const OTHER = '010162140100100002000S'

type Read = [code: string, atMs: number, isListed?: boolean]

function run(reads: readonly Read[], from: Reading = noReading) {
  let reading = from
  const verdicts = reads.map(([code, atMs, isListed = true]) => {
    const step = readCode(reading, { code, atMs, isListed })
    reading = step.reading
    return step.verdict
  })
  return { reading, verdicts }
}

it('asks about a listed code, once for a scan that comes twice', () => {
  const { reading, verdicts } = run([
    [ONE, 0],
    [ONE, 30],
    [ONE, 5000],
  ])
  expect(verdicts).toEqual(['asked', 'repeated', 'repeated'])
  expect(reading.awaiting).toBe(ONE)
})

it('lets another code wait until the open question is answered', () => {
  const { reading, verdicts } = run([
    [ONE, 0],
    [OTHER, 300],
  ])
  expect(verdicts).toEqual(['asked', 'interrupting'])
  expect(reading.awaiting).toBe(ONE)
  expect(run([[OTHER, 400]], answerYes(reading)).verdicts).toEqual(['asked'])
})

it('counts the same code once within 2 s of the scan, and again after it', () => {
  const confirmed = answerYes(run([[ONE, 0]]).reading)
  expect(run([[ONE, 1999]], confirmed).verdicts).toEqual(['repeated'])
  expect(run([[ONE, 2001]], confirmed).verdicts).toEqual(['asked'])
  expect(run([[OTHER, 10]], confirmed).verdicts).toEqual(['asked'])
})

it('counts the same code again at once after Não', () => {
  run([[ONE, 0]])
  expect(run([[ONE, 5]], answerNo()).verdicts).toEqual(['asked'])
})

it('complains once of a code that is not in the list', () => {
  const { reading, verdicts } = run([
    [OTHER, 0, false],
    [OTHER, 60, false],
    [OTHER, 2100, false],
  ])
  expect(verdicts).toEqual(['unknown', 'repeated', 'unknown'])
  expect(reading.awaiting).toBeNull()
})

it('takes the same code again for a Sim, where the device says so: after 2 s in which nothing was read', () => {
  const confirmsBySecondScan = true
  const { reading } = run([[ONE, 0]])
  const verdictAt = (from: Reading, atMs: number, code = ONE) =>
    readCode(from, { code, atMs, isListed: true, confirmsBySecondScan })
  expect(verdictAt(reading, 1999).verdict, 'too soon').toBe('repeated')
  expect(verdictAt(reading, 2000).verdict).toBe('confirmed')
  expect(verdictAt(reading, 2000, OTHER).verdict, 'another code').toBe('interrupting')
  const pulled = verdictAt(verdictAt(reading, 1000).reading, 2000)
  expect(pulled.verdict, 'a trigger that is held').toBe('repeated')
  expect(verdictAt(pulled.reading, 4000).verdict).toBe('confirmed')
  expect(readCode(reading, { code: ONE, atMs: 9000, isListed: true }).verdict, 'off by default').toBe('repeated')
})
