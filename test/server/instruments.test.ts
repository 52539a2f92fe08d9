import { expect, test } from 'vitest'
import type { Instrument } from '../../src/contract/instruments.ts'
import { auditDetailsText } from '../../src/domain/people/audit-entries.ts'
import { plantDay } from '../../src/domain/plant/plant-time.ts'
import { fillCalibrations, findCalibrations, listCalibrations } from '../../src/server/store/instruments.ts'
import { addUser, type Database, databases, openTestPanel } from '../support/harness.ts'

const URL = '/api/instrumentos'
const DAY_MS = 86_400_000
const micrometer = { codigo: 'MIC-01', descricao: 'Micrômetro', resolucao: 1, ativo: true }

async function setUp(database: Database = 'sqlite') {
  const panel = await openTestPanel({ database })
  await addUser(panel.context, { username: 'quali', role: 'qualidade', fullName: 'Rita Melo' })
  let { token } = await panel.login('quali')
  const send = async (method: 'POST' | 'PUT', payload: object, id?: number) => {
    const answer = await panel.ask(token, { method, url: id === undefined ? URL : `${URL}/${id}`, payload })
    return { status: answer.statusCode, body: answer.json() as Instrument & { code?: string } }
  }
  const wait = async (days: number) => {
    panel.clock.advance(days * DAY_MS)
    token = (await panel.login('quali')).token
  }
  const today = () => plantDay(panel.clock.now(), 'America/Sao_Paulo')
  return { ...panel, ask: (url: string) => panel.ask(token, { url }), send, wait, today }
}

test.each(databases)(
  'each change of a calibration says from which day it was known, by whom, on %s',
  async (database) => {
    const { db, send, wait, today } = await setUp(database)
    const first = today()
    const { body } = await send('POST', { ...micrometer, calibradoAte: '2026-12-31' })
    await wait(3)
    await send('PUT', { ...micrometer, descricao: 'Micrômetro de altura', calibradoAte: '2026-12-31' }, body.id)
    await wait(2)
    const second = today()
    await send('PUT', { ...micrometer, calibradoAte: '2027-12-31' }, body.id)
    await wait(1)
    const third = today()
    await send('PUT', micrometer, body.id)
    const known = [
      { fromDay: third, untilDay: null, by: 'Rita Melo' },
      { fromDay: second, untilDay: '2027-12-31', by: 'Rita Melo' },
      { fromDay: first, untilDay: '2026-12-31', by: 'Rita Melo' },
    ]
    expect(await listCalibrations(db.read, body.id)).toMatchObject(known)
    const on = async (day: string, code = 'mic-01') => (await findCalibrations(db.read, [code]))(code, day)
    expect(await on('2026-01-01'), 'nobody knows what was before').toBeNull()
    expect(await on(first)).toMatchObject({ untilDay: '2026-12-31' })
    expect(await on(second)).toMatchObject({ untilDay: '2027-12-31' })
    expect(await on('2030-01-01')).toMatchObject({ untilDay: null })
    expect(await on(first, 'MIC-02'), 'one that nobody entered').toBeNull()

    // as of a database of the version before: the trail knows the same
    const before = await listCalibrations(db.read, body.id)
    const dayOf = (at: number) => plantDay(at, 'America/Sao_Paulo')
    await db.transaction((tx) => tx.deleteFrom('instrument_calibrations').where('version', '<', 4).execute())
    await db.transaction((tx) => fillCalibrations(tx, dayOf))
    await db.transaction((tx) => fillCalibrations(tx, dayOf))
    expect(await listCalibrations(db.read, body.id)).toEqual(before)
  },
)

test('which gauge it is stays as it was where an older page changes the rest', async () => {
  const { db, send, ask } = await setUp()
  const { body } = await send('POST', { ...micrometer, tipo: 'micrometro' })
  expect(body).toMatchObject({ tipo: 'micrometro' })
  const older = await send('PUT', { ...micrometer, descricao: 'De altura' }, body.id)
  expect(older.body).toMatchObject({ tipo: 'micrometro', descricao: 'De altura' })
  expect((await send('PUT', { ...micrometer, tipo: 'outro' }, body.id)).body).toMatchObject({ tipo: 'outro' })
  expect((await ask(URL)).json()).toEqual([{ ...micrometer, tipo: 'outro', id: body.id, version: 3 }])
  const lines = await db.read.selectFrom('audit_entries').select('details_json').orderBy('id').execute()
  expect(lines.map(({ details_json: details }) => auditDetailsText(details)).slice(1)).toEqual([
    'Descrição: Micrômetro → De altura',
    'Descrição: De altura → Micrômetro; Tipo: Micrômetro → Outro',
  ])
})
