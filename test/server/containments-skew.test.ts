import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { junctions } from '../../src/contract/junctions.ts'
import { recordings } from '../../src/contract/recordings.ts'
import { openContainmentWatch } from '../../src/server/acts/containments.ts'
import { openDb } from '../../src/server/store/db/db.ts'
import { readRows } from '../support/containments.ts'
import { addUser, crimpOf, joinOf, openTestPanel, temporaryFolder, testClock } from '../support/harness.ts'
import { savedOnTablet } from '../support/waiting.ts'

/** A database that a version without containments has left behind, and the grant of a tablet whose page is of that version. */
const folder = join(import.meta.dirname, '..', 'support', 'version-before')
const known = JSON.parse(readFileSync(join(folder, 'known.json'), 'utf8')) as {
  madeAt: number
  deliveryGrant: string
  ids: Record<'delivered' | 'waiting' | 'junction', string>
}

const HOUR_MS = 3_600_000

async function setUp() {
  const file = join(temporaryFolder(), 'painel.sqlite')
  writeFileSync(file, gunzipSync(readFileSync(join(folder, 'painel.sqlite.gz'))))
  const db = openDb({ kind: 'sqlite', file })
  onTestFinished(() => db.close())
  const clock = testClock(known.madeAt + HOUR_MS)
  const panel = await openTestPanel({ db, clock })
  await addUser(panel.context, { username: 'qualidade', role: 'qualidade', fullName: 'Rita Melo' })
  const { token } = await panel.login('qualidade')
  const open = async (payload: object) => {
    const id = randomUUID()
    const headers = { 'idempotency-key': id }
    const { statusCode } = await panel.ask(token, { method: 'POST', url: '/api/contencoes', headers, payload })
    expect(statusCode).toBe(201)
    return async () =>
      (await readRows(db, id)).map(({ recording_id, certainty, pieces }) => [recording_id, certainty, pieces])
  }
  /** As its page sends what was waiting in its queue: without any field that came later. */
  const deliver = async (url: string, payload: object) => {
    clock.advance(60_000)
    const id = randomUUID()
    const headers = { authorization: `Grant ${known.deliveryGrant}`, 'idempotency-key': id }
    const { statusCode } = await panel.app.inject({ method: 'POST', url, headers, payload })
    expect(statusCode).toBe(202)
    return id
  }
  const watch = openContainmentWatch(panel.context)
  const look = async () => {
    clock.advance(60_000)
    await watch()
  }
  return { open, deliver, look }
}

test('what the version before stored is contained, and what its pages still send joins', async () => {
  const { open, deliver, look } = await setUp()
  const { delivered, waiting, junction } = known.ids
  const filial = '010101'
  const ofLot = await open({ filial, tipo: 'lote', termo: 'B23-004517/2' })
  const inicio = new Date(known.madeAt - HOUR_MS).toISOString()
  const fim = new Date(known.madeAt + 2 * HOUR_MS).toISOString()
  const ofMachine = await open({ filial, tipo: 'maquina', termo: 'US0002', inicio, fim, motivo: 'Sonotrodo trincado' })
  const stored = [
    [delivered, 'certo', 3],
    [waiting, 'certo', 4],
  ]
  expect((await ofLot()).toSorted()).toEqual(stored.toSorted())
  expect(await ofMachine()).toEqual([[junction, 'certo', 7]])
  const crimp = await deliver(recordings.createCutCrimp.path, savedOnTablet(crimpOf(1)))
  const joint = await deliver(junctions.record.path, { ...joinOf(2), captura: { salvoNoDispositivo: true } })
  await look()
  await look()
  expect((await ofLot()).slice(2)).toEqual([[crimp, 'certo', 1]])
  expect((await ofMachine()).slice(1)).toEqual([[joint, 'certo', 2]])
})
