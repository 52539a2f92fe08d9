import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { listCounterDeviations } from '../../src/server/store/applicators.ts'
import { openDb } from '../../src/server/store/db/db.ts'
import { findRecording } from '../../src/server/store/recordings.ts'
import { schemaOf } from '../../src/server/store/snapshots.ts'
import { listBackups, readBackup } from '../../src/server/upkeep/backups.ts'
import { crimpOf, openTestPanel, temporaryFolder, testClock } from '../support/harness.ts'
import { erp, expectSentence, refusedHere, startHere } from '../support/starting.ts'
import { browserOf } from '../support/visitor.ts'
import { savedOnTablet } from '../support/waiting.ts'

/**
 * What the last version before the migrations of 2026-11-23 left behind on a SQLite, at a moment of its tests' clock: what
 * was delivered, parked, new and unknown (once with the ERP having it, once without), and a session with its secrets.
 */
const folder = join(import.meta.dirname, '..', 'support', 'version-before')
const known = JSON.parse(readFileSync(join(folder, 'known.json'), 'utf8')) as {
  madeAt: number
  token: string
  cookie: string
  deliveryGrant: string
  ids: Record<'delivered' | 'parked' | 'unknownThere' | 'unknownNotThere' | 'waiting' | 'junction' | 'receipt', string>
}

const tables = ['recordings', 'crimp_ledger', 'daily_production', 'erp_outbox', 'users', 'sessions', 'session_secrets']

function rowsOf(file: string): Record<string, unknown> {
  const sqlite = new Sqlite(file, { readonly: true })
  const rows = tables.map((table) => [table, sqlite.prepare(`select count(*) from ${table}`).pluck().get()])
  sqlite.close()
  return Object.fromEntries(rows)
}

test('a database of the version before goes on: its session and grant hold, what waits is delivered once, nothing is lost', async () => {
  const file = join(temporaryFolder(), 'painel.sqlite')
  writeFileSync(file, gunzipSync(readFileSync(join(folder, 'painel.sqlite.gz'))))
  const before = rowsOf(file)
  expect(Object.values(before)).not.toContain(0)
  const db = openDb({ kind: 'sqlite', file })
  onTestFinished(() => db.close())
  const clock = testClock(known.madeAt + 3_600_000)
  const panel = await openTestPanel({ db, clock, simulator: { dedup: false } })
  expect(rowsOf(file)).toEqual(before)
  const { ids } = known
  for (const id of [ids.delivered, ids.unknownThere]) {
    const { branch, payload_json } = await db.read
      .selectFrom('recordings')
      .select(['branch', 'payload_json'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    // the ERP has had them since
    await panel.context.erp.recordCutCrimp({ branch, integrationId: id, payload: JSON.parse(payload_json) })
  }

  expect((await browserOf(panel).validate(known)).statusCode).toBe(200)
  const queued = randomUUID()
  const grant = { authorization: `Grant ${known.deliveryGrant}`, 'idempotency-key': queued }
  const url = '/api/apontamentos/corte-crimpagem'
  const answer = await panel.app.inject({ method: 'POST', url, headers: grant, payload: savedOnTablet(crimpOf(1)) })
  expect([answer.statusCode, answer.json().status]).toEqual([202, 'pendente'])
  for (let round = 0; round < 8; round++) {
    clock.advance(200_000)
    await panel.context.outbox.deliverDue()
  }

  const { writes, junctionWrites, receipts } = panel.simulator.state
  const sent = [ids.delivered, ids.unknownThere, ids.unknownNotThere, ids.waiting, queued]
  expect(writes.map(({ id }) => id).toSorted()).toEqual(sent.toSorted())
  expect([...junctionWrites, ...receipts].map(({ id }) => id)).toEqual([ids.junction, ids.receipt])
  for (const [name, id] of Object.entries({ ...ids, queued })) {
    expect((await findRecording(db.read, id))?.state, name).toBe(name === 'parked' ? 'parked' : 'delivered')
  }
  expect(await listCounterDeviations(db.read)).toEqual([])
  const crimps = await db.read.selectFrom('applicator_units').select('crimps').executeTakeFirstOrThrow()
  expect(crimps).toEqual({ crimps: 3 + 2 + 4 + 1 })
})

test('a start on it first keeps a backup of it as it was, once, and changes nothing where there is no room for one', async () => {
  const DATA_DIR = temporaryFolder()
  const file = join(DATA_DIR, 'painel.sqlite')
  const BACKUP_DIR = join(DATA_DIR, 'backups')
  writeFileSync(file, gunzipSync(readFileSync(join(folder, 'painel.sqlite.gz'))))
  const sqlite = new Sqlite(file)
  // a stop waits for what is on its way to an ERP that is not there
  sqlite.exec('delete from erp_outbox')
  sqlite.close()
  const before = await schemaOf(file)
  const blocked = join(DATA_DIR, 'backups', 'aqui')
  mkdirSync(BACKUP_DIR)
  writeFileSync(blocked, '')
  // a folder of its own: here the refused start ends no process, and goes on holding it for a while
  const DATABASE_URL = `sqlite:${file}`
  const refusal = await refusedHere({ ...erp, DATABASE_URL, BACKUP_DIR: join(blocked, 'cheio') })
  expectSentence(refusal, /^O banco é de uma versão mais velha .* falhou \(.*\)\. Nada foi mudado: .*BACKUP_DIR\./)
  expect(await schemaOf(file)).toBe(before)
  for (const _ of ['older', 'as new']) await (await startHere({ ...erp, DATA_DIR })).stop()
  expect(await schemaOf(file)).not.toBe(before)
  const [name = '', ...more] = await listBackups(BACKUP_DIR)
  expect(more).toEqual([])
  const { manifest } = await readBackup(join(BACKUP_DIR, name))
  expect([manifest.schema, manifest.rows.recordings]).toEqual([before, rowsOf(file).recordings])
})
