import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Config } from '../../src/server/config.ts'
import { listCounterDeviations } from '../../src/server/store/applicators.ts'
import { type Db, openDb } from '../../src/server/store/db/db.ts'
import { findSetting } from '../../src/server/store/settings.ts'
import {
  type Backup,
  copyDatabase,
  drill,
  findCoveredUntil,
  listBackups,
  makeBackup,
  readBackup,
  reopenMoved,
  restore,
} from '../../src/server/upkeep/backups.ts'
import { addUser, crimpOf, cutOf, type Database, databases, openTestPanel } from '../support/harness.ts'
import { compileCache } from '../support/panel.ts'
import { openPlace, placeOf } from '../support/places.ts'

async function setUp(kind: Database, options: Parameters<typeof openTestPanel>[0] = {}) {
  const place = await placeOf(kind)
  const env = { DATA_DIR: place.dataDir, ...options.env }
  const panel = await openTestPanel({ ...options, env, db: openPlace(place) })
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  return { ...panel, token, place }
}

const saved = { salvoNoDispositivo: true }
const answeredBefore = { ...saved, respondidoAntes: true }
const writesFail = [{ id: 'F31', variant: 'refused', count: null } as const]

async function rowsOf(db: Db): Promise<Record<string, unknown[]>> {
  const tables = (await db.read.introspection.getTables()).map(({ name }) => name).sort()
  const rows: Record<string, unknown[]> = {}
  for (const table of tables) {
    const found = await db.read
      .selectFrom(table as 'recordings')
      .selectAll()
      .execute()
    rows[table] = found.map((row) => JSON.stringify(row)).toSorted()
  }
  return rows
}

const rowsThatGoOn = async (db: Db) => {
  // sessions end, and the epoch is another
  const { sessions: _, settings: __, ...rows } = await rowsOf(db)
  return rows
}

const ways = databases.flatMap((from) => databases.map((to) => ({ from, to })))

test.each(ways)('what $from had is put back into $to, under another epoch and with all sessions ended', async (way) => {
  const panel = await setUp(way.from)
  await panel.record(panel.token, crimpOf(30))
  await panel.record(panel.token, cutOf(12))
  const backup = await makeBackup(panel.place, panel.clock.now())
  await panel.record(panel.token, crimpOf(1))
  await drill(backup, panel.place, panel.clock.now())
  expect(backup.manifest.rows).toMatchObject({ recordings: 2, crimp_ledger: 1, erp_outbox: 2, users: 1 })
  expect(backup.manifest.crimps).toEqual({ 'ma-0001 1': 30 })

  const place = await placeOf(way.to)
  expect(await restore(backup, place, panel.clock.now())).toBeNull()
  const restored = openPlace(place)
  const before = await rowsThatGoOn(openPlace({ ...place, database: sqliteIn(backup) }))
  expect(await rowsThatGoOn(restored)).toEqual(before)
  expect(before.recordings).toHaveLength(2)
  expect(await findSetting(restored.read, 'epoch')).not.toBe(await findSetting(panel.db.read, 'epoch'))

  const again = await openTestPanel({ db: restored, env: { DATA_DIR: place.dataDir } })
  expect((await again.record(panel.token, cutOf(1))).statusCode).toBe(401)
  const { token } = await again.login('operador')
  expect((await again.record(token, crimpOf(5))).statusCode).toBe(201)
  expect(await listCounterDeviations(restored.read)).toEqual([])
})

const sqliteIn = ({ folder }: Backup): Config['database'] => ({ kind: 'sqlite', file: join(folder, 'painel.sqlite') })

describe.each(databases)('after an older backup was put back on %s', (kind) => {
  /** One delivered, one on its way at the backup and delivered after it, one made and delivered after it, one after that. */
  async function live(options: Parameters<typeof openTestPanel>[0] = {}) {
    const panel = await setUp(kind, { ...options, simulator: { dedup: false, ...options.simulator } })
    const ids = { first: randomUUID(), onWay: randomUUID(), later: randomUUID(), last: randomUUID() } as const
    const { state } = panel.simulator
    const deliverAll = async (one: typeof panel | Awaited<ReturnType<typeof openTestPanel>>) => {
      for (let round = 0; round < 8; round++) {
        panel.clock.advance(200_000)
        await one.context.outbox.deliverDue()
      }
    }
    await panel.record(panel.token, cutOf(10), ids.first)
    await state.setFaults(writesFail)
    expect((await panel.record(panel.token, crimpOf(20), ids.onWay)).statusCode).toBe(202)
    const backup = await makeBackup(panel.place, panel.clock.now())
    await state.setFaults([])
    await deliverAll(panel)
    expect((await panel.record(panel.token, crimpOf(30), ids.later)).statusCode).toBe(201)
    await state.setFaults(writesFail)
    expect((await panel.record(panel.token, crimpOf(5), ids.last)).statusCode).toBe(202)
    await state.setFaults([])
    expect(state.writes.map(({ pieces }) => pieces)).toEqual([10, 20, 30])

    const place = await placeOf(kind)
    await restore(backup, place, panel.clock.now())
    const again = await openTestPanel({
      ...options,
      env: { DATA_DIR: place.dataDir, ...options.env },
      db: openPlace(place),
      clock: panel.clock,
      // the same ERP goes on
      gateway: () => panel.context.erp,
    })
    const { token } = await again.login('operador')
    const offer = async (pieces: number, id: string) =>
      (await again.record(token, { ...crimpOf(pieces), captura: answeredBefore }, id)).statusCode
    return { ...again, ids, state, offer, deliverAll: () => deliverAll(again) }
  }

  const statesOf = async ({ db }: { db: Db }) => {
    const rows = await db.read.selectFrom('recordings').select(['pieces', 'state']).orderBy('pieces').execute()
    return Object.fromEntries(rows.map(({ pieces, state }) => [pieces, state]))
  }

  test('nothing is sent twice, and what only the tablets still had is sent once', async () => {
    const panel = await live()
    await panel.deliverAll()
    expect(panel.state.writes.map(({ pieces }) => pieces)).toEqual([10, 20, 30])
    expect(await statesOf(panel)).toEqual({ 10: 'delivered', 20: 'delivered' })
    expect(await panel.offer(30, panel.ids.later)).toBe(202)
    expect(await panel.offer(5, panel.ids.last)).toBe(202)
    await panel.deliverAll()
    await panel.deliverAll()
    expect(panel.state.writes.map(({ pieces }) => pieces)).toEqual([10, 20, 30, 5])
    expect(await statesOf(panel)).toEqual({ 5: 'delivered', 10: 'delivered', 20: 'delivered', 30: 'delivered' })
    expect(await listCounterDeviations(panel.db.read)).toEqual([])
  })

  test('where the ERP cannot be asked, a person decides and nothing is sent', async () => {
    const panel = await live({ env: { ERP_LOOKUP: 'none' }, simulator: { lookup: false } })
    await panel.deliverAll()
    expect(await panel.offer(30, panel.ids.later)).toBe(202)
    await panel.deliverAll()
    expect(panel.state.writes.map(({ pieces }) => pieces)).toEqual([10, 20, 30])
    expect(await statesOf(panel)).toEqual({ 10: 'delivered', 20: 'uncertain', 30: 'uncertain' })
    expect(panel.errors.splice(0)).toHaveLength(2)
  })
})

describe('a backup that would not help on the day it is needed is found by its drill', () => {
  async function backUp() {
    const panel = await setUp('sqlite')
    await panel.record(panel.token, crimpOf(30))
    const backup = await makeBackup(panel.place, panel.clock.now())
    const change = (statement: string) => {
      const sqlite = new Sqlite(join(backup.folder, 'painel.sqlite'))
      sqlite.exec(statement)
      sqlite.close()
    }
    const failure = (one: Backup = backup) =>
      drill(one, panel.place, panel.clock.now()).then(
        () => null,
        (error: Error) => error.message,
      )
    return { ...panel, backup, change, failure }
  }

  test('one that has changed since', async () => {
    const { change, failure } = await backUp()
    expect(await failure()).toBeNull()
    change('delete from crimp_ledger')
    expect(await failure()).toMatch(/SHA-256/)
  })

  test('one that lacks rows', async () => {
    const { backup, failure } = await backUp()
    const { rows } = backup.manifest
    const manifest = { ...backup.manifest, rows: { ...rows, recordings: 2 } }
    expect(await failure({ ...backup, manifest })).toMatch(/recordings: 2 na origem, 1 na cópia/)
  })

  test('one of a database whose counter is not the sum of its ledger', async () => {
    const { db, place, clock, failure } = await backUp()
    await db.transaction((tx) => tx.updateTable('applicator_units').set({ crimps: 29 }).execute())
    const message = await failure(await makeBackup(place, clock.now() + 1))
    expect(message).toBe('o contador de MA-0001 difere da soma dos seus lançamentos')
  })

  test('one of a later version', async () => {
    const { db, place, clock, failure } = await backUp()
    await db.transaction((tx) =>
      tx
        .insertInto('kysely_migration' as 'settings')
        .values({ name: '2999-01-01-later', timestamp: '' } as never)
        .execute(),
    )
    expect(await failure(await makeBackup(place, clock.now() + 1))).toMatch(/versão mais nova/)
  })

  test('nothing of an unfinished one is left or taken for one', async () => {
    const { place, clock } = await backUp()
    const broken = { ...place, database: { kind: 'sqlite' as const, file: join(place.dataDir, 'none', 'x.sqlite') } }
    await expect(makeBackup(broken, clock.now() + 1)).rejects.toThrow(/não há banco de dados/)
    writeFileSync(join(place.dataDir, 'text.sqlite'), 'x'.repeat(5000))
    const text = { ...place, database: { kind: 'sqlite' as const, file: join(place.dataDir, 'text.sqlite') } }
    await expect(makeBackup(text, clock.now() + 1)).rejects.toThrow(/not a database/)
    expect(await listBackups(place.backupDir)).toHaveLength(1)
    expect(readdirSync(place.backupDir)).toHaveLength(1)
  })
})

test('a copy of a MariaDB that lacks a row is no backup', async () => {
  const { place, db, token, record, clock } = await setUp('mariadb')
  await record(token, crimpOf(30))
  // the first reading of the table misses a row, the next one has it
  await db.transaction(async (tx) => {
    await sql`create function reading() returns int begin set @n = ifnull(@n, 0) + 1; return @n; end`.execute(tx)
    await sql`rename table recordings to all_recordings`.execute(tx)
    await sql`create view recordings as select * from all_recordings where reading() > 1`.execute(tx)
  })
  await expect(makeBackup(place, clock.now())).rejects.toThrow(/a cópia difere do banco \(recordings: 1 na origem, 0/)
  expect(readdirSync(place.backupDir)).toEqual([])
})

describe('the files of documents', () => {
  const sha256 = createHash('sha256').update('a drawing').digest('hex')
  const placeIn = (folder: string) => join(folder, sha256.slice(0, 2), sha256)

  async function withDocument() {
    const panel = await setUp('sqlite')
    const folder = dirname(placeIn(panel.place.documentsDir))
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, sha256), 'a drawing')
    return panel
  }

  test('come with the backup, once for all backups, and back with it', async () => {
    const { place, clock } = await withDocument()
    const backup = await makeBackup(place, clock.now())
    const next = await makeBackup(place, clock.now() + 1)
    expect(next.manifest.documents).toEqual({ files: 1, bytes: 9 })
    const inode = ({ folder }: Backup) => statSync(placeIn(join(folder, 'documentos'))).ino
    expect(inode(next)).toBe(inode(backup))
    const target = await placeOf('sqlite')
    await restore(next, target, clock.now())
    expect(readFileSync(placeIn(target.documentsDir), 'utf8')).toBe('a drawing')
  })

  test('are found by the drill when they are damaged, or missing', async () => {
    const { db, place, clock } = await withDocument()
    const drillOf = async (backup: Backup) => await drill(backup, place, clock.now())
    const backup = await makeBackup(place, clock.now())
    await drillOf(backup)
    writeFileSync(placeIn(join(backup.folder, 'documentos')), 'a drawin!')
    await expect(drillOf(backup)).rejects.toThrow(/está danificado/)
    await db.transaction((tx) =>
      tx
        .insertInto('document_revisions')
        .values({
          ...{
            document_id: 1,
            revision: 'A',
            sha256: 'f'.repeat(64),
            file_name: 'x.pdf',
            media_type: 'application/pdf',
          },
          ...{ bytes: 1, width_px: null, height_px: null, uploaded_at: 0, uploaded_by: 'Maria Souza' },
          ...{ withdrawn_at: null, withdrawn_by: null, withdrawal_reason: null },
        })
        .execute(),
    )
    await expect(drillOf(await makeBackup(place, clock.now() + 1))).rejects.toThrow(/falta o arquivo do documento f/)
  })
})

describe('nothing is overwritten', () => {
  test('while the panel is open on a SQLite', async () => {
    const panel = await setUp('sqlite')
    const backup = await makeBackup(panel.place, panel.clock.now())
    await expect(restore(backup, panel.place, panel.clock.now())).rejects.toThrow(/o painel está aberto/)
    expect((await panel.record(panel.token, cutOf(1))).statusCode).toBe(201)
  })

  test('a SQLite that was in the place is kept beside it', async () => {
    const panel = await setUp('sqlite')
    const backup = await makeBackup(panel.place, panel.clock.now())
    const place = await placeOf('sqlite')
    await restore(backup, place, panel.clock.now())
    const lost = openDb(place.database)
    await lost.transaction((tx) => tx.deleteFrom('users').execute())
    await lost.close()
    const aside = await restore(backup, place, panel.clock.now())
    const asideDb = new Sqlite(aside ?? '', { readonly: true })
    expect(asideDb.prepare('select count(*) from users').pluck().get()).toBe(0)
    asideDb.close()
    expect(await openPlace(place).read.selectFrom('users').select('username').execute()).toHaveLength(1)
  })

  test('a MariaDB in which there is anything', async () => {
    const panel = await setUp('mariadb')
    const backup = await makeBackup(panel.place, panel.clock.now())
    await expect(restore(backup, panel.place, panel.clock.now())).rejects.toThrow(/não está vazio/)
  })
})

test('a plant moves from SQLite to MariaDB: every row and id, the same epoch, its sessions alive', async () => {
  const source = await setUp('sqlite')
  await source.record(source.token, crimpOf(30))
  await source.simulator.state.setFaults(writesFail)
  await source.record(source.token, { ...cutOf(7), captura: saved })
  const [target, trial] = [await placeOf('mariadb'), await placeOf('mariadb')]
  const { file } = source.place.database as { file: string }
  await expect(copyDatabase(file, target, 0)).rejects.toThrow(/o painel está aberto/)
  const before = await rowsOf(source.db)
  await source.context.outbox.stop(1000)
  await source.app.close()
  await source.db.close()
  await copyDatabase(file, trial, 1, { isTrial: true })
  await expect(reopenMoved(file, 2), 'a trial marks nothing').rejects.toThrow(/não foi levado/)
  const counts = await copyDatabase(file, target, 0)
  const moved = openPlace(target)
  const { kysely_migration: _, ...rows } = await rowsOf(moved)
  const { kysely_migration: __, ...expected } = before
  expect(rows).toEqual(expected)
  expect(counts).toMatchObject({ recordings: 2, users: 1 })
  const env = { SECRET_KEY_FILE: join(source.place.dataDir, 'secret.key') }
  const again = await openTestPanel({ db: moved, simulator: { dedup: false }, env })
  expect((await again.record(source.token, crimpOf(2))).statusCode).toBe(201)
  await expect(copyDatabase(file, target, 0)).rejects.toThrow(/não está vazio/)
  const source2 = openPlace(source.place)
  expect(await findSetting(source2.read, 'moved-at')).toBe('0')
  await source2.close()
  await reopenMoved(file, 3)
  const reopened = openPlace(source.place)
  expect(await findSetting(reopened.read, 'moved-at')).toBe(null)
  const epochs = await Promise.all([moved, openPlace(trial), reopened].map((db) => findSetting(db.read, 'epoch')))
  expect(new Set(epochs).size, 'one life each').toBe(3)
})

test('the command says in one line what became of it, and rotation keeps what it made', async () => {
  const panel = await setUp('sqlite')
  await panel.record(panel.token, crimpOf(30))
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['src/server/commands/database.ts', ...args], {
      env: { PATH: process.env.PATH ?? '', DATA_DIR: panel.place.dataDir, NODE_COMPILE_CACHE: compileCache },
    }).catch((error: { code: number; stderr: string }) => error)
  const made = await run('backup')
  expect(made).toMatchObject({ stderr: '' })
  expect((made as { stdout: string }).stdout).toMatch(
    /^Backup feito em .* \(1 apontamentos, .*\) e volta ensaiada .*\n$/,
  )
  expect(await run('restore', '--drill')).toMatchObject({ stderr: '' })
  const [name = ''] = await listBackups(panel.place.backupDir)
  const backup = await readBackup(join(panel.place.backupDir, name))
  const file = join(backup.folder, 'painel.sqlite')
  const bytes = readFileSync(file)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 20) ^ 1, bytes.length - 20)
  writeFileSync(file, bytes)
  const failed = await run('restore', '--drill')
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^FALHOU: .*SHA-256.*\.\n$/) })
  expect(await run('restore', backup.folder)).toMatchObject({ code: 1, stderr: expect.stringMatching(/está aberto/) })
  expect(await run('backup')).toMatchObject({ stderr: '' })
  expect(await findCoveredUntil(panel.place.backupDir, Date.now()), 'the command tries each out').not.toBe(null)
  expect(await run('restore')).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Uso: npm run backup/) })
})
