import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CLASS, cut, HALF_CUT, SINGLE, startTestClient, UNTOUCHED } from '../../test/support/simulator-client.ts'

let folder = ''
let journalFile = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'erp-journal-'))
  journalFile = join(folder, 'new', 'erp.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a restart keeps what was recorded, and still knows the ids', async () => {
  const first = await startTestClient({ journalFile })
  await first.record(cut(UNTOUCHED, 30, 'a'))
  await first.record(cut(UNTOUCHED, 12, 'b'))
  const answer = (await first.record(cut(HALF_CUT, 5, 'c'))).body()
  const { writes } = first.simulator.state
  await first.simulator.close()

  await using second = await startTestClient({ journalFile })
  expect(second.simulator.state.writes).toEqual(writes)
  expect(second.simulator.state.row(UNTOUCHED)).toMatchObject({ Z1_QTREGCO: 42, Z1_PCORTE: 35 })
  expect((await second.record(cut(HALF_CUT, 5, 'c'))).body()).toEqual({ ...answer, repetido: true })
  expect((await second.call('GET', `${CLASS}/integracoes/b`)).body()).toMatchObject({ STATUS: '1' })
  expect((await second.record(cut(HALF_CUT, 5, 'd'))).body()).toMatchObject({ registro: '000000004' })
})

test('only what was stored is in the journal, one line each', async () => {
  await using client = await startTestClient({ journalFile })
  await client.record(cut(UNTOUCHED, 30, 'a'))
  await client.record(cut(UNTOUCHED, 30, 'a'))
  await client.record(cut(UNTOUCHED, 500, 'refused'))
  const lines = readFileSync(journalFile, 'utf8').split('\n')
  expect(lines).toHaveLength(2)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ id: 'a', barcode: UNTOUCHED, pieces: 30 })
})

test('a line that a power cut left unfinished is dropped', async () => {
  const first = await startTestClient({ journalFile })
  await first.record(cut(UNTOUCHED, 30, 'ação'))
  await first.simulator.close()
  appendFileSync(journalFile, '{"id":"torn","barcode":"0101')

  const second = await startTestClient({ journalFile })
  expect(second.simulator.state.writes).toMatchObject([{ id: 'ação' }])
  await second.record(cut(UNTOUCHED, 1, 'after'))
  await second.simulator.close()

  await using third = await startTestClient({ journalFile })
  expect(third.simulator.state.writes).toMatchObject([{ id: 'ação' }, { id: 'after' }])
})

test('an order that was closed by its last recording stays closed', async () => {
  const first = await startTestClient({ journalFile })
  const row = first.simulator.state.row(SINGLE)
  const sides = [
    ['TERM_LD1', row?.Z1_TERML1],
    ['TERM_LD2', row?.Z1_TERML2],
  ]
  const quantity = row?.Z1_QUANT ?? 0
  await first.record(cut(SINGLE, quantity, 'cable'))
  for (const [key = '', terminal] of sides) {
    await first.record(cut(SINGLE, quantity, key, { COD_CABO: '', [key]: terminal }))
  }
  await first.simulator.close()
  await using second = await startTestClient({ journalFile })
  const late = await second.record(cut(SINGLE, 1, 'late'))
  expect(late.body().errorMessage).toBe('Ordem de produção encerrada')
})

test('a reset empties the journal', async () => {
  const first = await startTestClient({ journalFile })
  await first.record(cut(UNTOUCHED, 30, 'a'))
  first.simulator.state.reset()
  await first.record(cut(UNTOUCHED, 1, 'b'))
  await first.simulator.close()
  await using second = await startTestClient({ journalFile })
  expect(second.simulator.state.writes).toMatchObject([{ id: 'b' }])
})
