import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readSigned, sign } from '../../src/server/http/signatures.ts'
import { type Db, openDb } from '../../src/server/store/db/db.ts'
import { findSetting, keepSetting, saveSetting } from '../../src/server/store/settings.ts'
import { closeForGood } from '../../src/server/store/snapshots.ts'
import { type Backup, copyDatabase, drill, makeBackup, restore } from '../../src/server/upkeep/backups.ts'
import { keyPlaceOf, rotateKeys } from '../../src/server/upkeep/secret-key.ts'
import { NOON_MS, openTestPanel, temporaryFolder, testConfig } from '../support/harness.ts'
import { freshDatabase } from '../support/mariadb.ts'
import { compileCache, startPanel } from '../support/panel.ts'
import { limitMs } from '../support/slowness.ts'

const DAYS_37_MS = 37 * 86_400_000

const opened = (database: Parameters<typeof openDb>[0]): Db => {
  const db = openDb(database)
  onTestFinished(() => db.close())
  return db
}

/** One of the version before, with the key that it keeps in itself, and what that has signed. */
async function ofBefore(folder: string) {
  const file = join(folder, 'painel.sqlite')
  const before = join(import.meta.dirname, '..', 'support', 'version-before')
  writeFileSync(file, gunzipSync(readFileSync(join(before, 'painel.sqlite.gz'))))
  const db = opened({ kind: 'sqlite', file })
  const key = (await findSetting(db.read, 'signing-key')) ?? ''
  const earlier = { current: Buffer.from(key, 'base64'), former: null }
  return { db, file, key, earlier, signed: sign(earlier, 'mark', { epoch: 'e', seq: 1 }) }
}

const startOn = (db: Db, folder: string, more: Record<string, string> = {}) =>
  openTestPanel({ db, env: { DATA_DIR: folder, ...more } })

const settingsOf = async (db: Db) => {
  const rows = await db.read.selectFrom('settings').selectAll().execute()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

const fileIn = (folder: string) => join(folder, 'secret.key')
const readKey = (folder: string) => (existsSync(fileIn(folder)) ? readFileSync(fileIn(folder), 'utf8') : null)
const placeIn = (folder: string) => testConfig({ DATA_DIR: folder })
function keysIn(file: string): Record<string, string> {
  const sqlite = new Sqlite(file, { readonly: true })
  const rows = sqlite.prepare("select name, value from settings where name like '%key%'").raw().all()
  sqlite.close()
  return Object.fromEntries(rows as [string, string][])
}

/** Of the version before, which kept the key in it. */
async function withKey(backup: Backup, key: string): Promise<Backup> {
  const file = join(backup.folder, 'painel.sqlite')
  const sqlite = new Sqlite(file)
  sqlite.exec(`delete from settings where name = 'operator-marks-key'`)
  sqlite.prepare("insert into settings (name, value) values ('signing-key', ?)").run(key)
  sqlite.close()
  return { ...backup, manifest: { ...backup.manifest, sha256: hash('sha256', readFileSync(file), 'hex') } }
}

const run = (program: string, folder: string, ...args: string[]) =>
  spawnSync(process.execPath, [program, ...args], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      DATA_DIR: folder,
      NODE_COMPILE_CACHE: compileCache,
      MODE: 'demonstration',
    },
    encoding: 'utf8',
    timeout: limitMs(60_000),
  })

describe('on a SQLite', () => {
  test('the key leaves the database for a file, and what it had signed is read for 37 days, and no longer', async () => {
    const folder = temporaryFolder()
    const { db, key, earlier, signed } = await ofBefore(folder)
    const panel = await startOn(db, folder)
    const { keys } = panel.context
    expect(statSync(fileIn(folder)).mode & 0o777).toBe(0o600)
    expect(await settingsOf(db)).toMatchObject({ 'key-fingerprint': expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(await findSetting(db.read, 'signing-key')).toBeNull()
    expect(await findSetting(db.read, 'operator-marks-key'), 'the marks of before stay the same').toBe(key)
    expect(readSigned(earlier, 'mark', sign(keys, 'mark', {})), 'it signs no more').toBeNull()
    panel.clock.advance(DAYS_37_MS - 1)
    expect(readSigned(keys, 'mark', signed)).toEqual({ epoch: 'e', seq: 1 })
    panel.clock.advance(1)
    expect(readSigned(keys, 'mark', signed)).toBeNull()
    const again = await openTestPanel({ db, clock: panel.clock, env: { DATA_DIR: folder } })
    expect(again.context.keys.current, 'of every later start').toEqual(keys.current)
    expect(readSigned(again.context.keys, 'mark', signed)).toBeNull()
  })

  test('a start that ends between two steps is gone on with, and no key is lost', async () => {
    const folder = temporaryFolder()
    const { db, key, signed } = await ofBefore(folder)
    // there is no place for the unfinished one, whose name is longer
    const unwritable = { SECRET_KEY_FILE: join(folder, 'x'.repeat(250)) }
    await expect(startOn(db, folder, unwritable)).rejects.toThrow(/^A chave .* não pôde ser gravada/)
    expect(await findSetting(db.read, 'signing-key')).toBe(key)
    const { context } = await startOn(db, folder)
    const made = readFileSync(fileIn(folder), 'utf8')
    // as after the file, and before the database
    await db.transaction(async (tx) => {
      await tx.deleteFrom('settings').where('name', 'in', ['key-fingerprint', 'operator-marks-key']).execute()
      await keepSetting(tx, 'signing-key', key)
    })
    const again = await startOn(db, folder)
    expect(again.context.keys.current).toEqual(context.keys.current)
    expect(readFileSync(fileIn(folder), 'utf8')).toBe(made)
    expect(readSigned(again.context.keys, 'mark', signed)).not.toBeNull()
    expect(await settingsOf(db)).toMatchObject({ 'operator-marks-key': key })
    expect(await findSetting(db.read, 'signing-key')).toBeNull()
  })

  test('no byte of the key is left in the database, nor is one in a backup of it', async () => {
    const folder = temporaryFolder()
    const { db, file, key } = await ofBefore(folder)
    const place = placeIn(folder)
    const early = await makeBackup(place, 0)
    expect(keysIn(join(early.folder, 'painel.sqlite'))).toEqual({ 'operator-marks-key': key })
    await drill(early, place, 0)
    await startOn(db, folder)
    // the secret of the marks is the same bytes until now: another one shows what else is there
    await db.transaction((tx) => saveSetting(tx, 'operator-marks-key', 'x'.repeat(key.length)))
    const late = await makeBackup(place, 1)
    expect(readFileSync(join(late.folder, 'painel.sqlite')).includes(key)).toBe(false)
    await db.close()
    closeForGood(file)
    expect(readFileSync(file).includes(key)).toBe(false)
  })

  test('a backup goes by the key that it finds, or by a new one that reads what its own has signed', async () => {
    const folder = temporaryFolder()
    const { db, key, signed } = await ofBefore(folder)
    await db.close()
    const backup = await withKey(await makeBackup(placeIn(folder), 0), key)
    const found = await startOn(opened({ kind: 'sqlite', file: join(folder, 'painel.sqlite') }), folder)
    await found.db.close()
    await restore(backup, placeIn(folder), NOON_MS)
    const again = await startOn(opened({ kind: 'sqlite', file: join(folder, 'painel.sqlite') }), folder)
    expect(again.context.keys.current).toEqual(found.context.keys.current)
    expect(readSigned(again.context.keys, 'mark', signed)).not.toBeNull()
    expect(keysIn(join(folder, 'painel.sqlite'))['operator-marks-key']).toBe(key)
    const { context } = again
    await rotateKeys(context, keyPlaceOf(context.config, 'sqlite'))
    await again.db.close()
    await restore(backup, placeIn(folder), NOON_MS)
    const rotated = await startOn(opened({ kind: 'sqlite', file: join(folder, 'painel.sqlite') }), folder)
    expect(readSigned(rotated.context.keys, 'mark', signed), 'it may have been found by somebody').toBeNull()
    const early = temporaryFolder()
    await restore(backup, placeIn(early), NOON_MS)
    const other = await startOn(opened({ kind: 'sqlite', file: join(early, 'painel.sqlite') }), early)
    expect(other.context.keys.current).not.toEqual(found.context.keys.current)
    expect(readSigned(other.context.keys, 'mark', signed), 'the tablets still have it').not.toBeNull()
  })

  test('another key than the one that the database knows is refused in one sentence; a new one is made by the command', async () => {
    const folder = temporaryFolder()
    const { db } = await ofBefore(folder)
    const { context } = await startOn(db, folder)
    const signed = sign(context.keys, 'mark', { epoch: 'e', seq: 1 })
    await db.close()
    const foreign = temporaryFolder()
    await startOn(opened({ kind: 'sqlite', file: join(foreign, 'painel.sqlite') }), foreign)
    // what a start would change first
    const sqlite = new Sqlite(join(folder, 'painel.sqlite'))
    sqlite.exec('delete from kysely_migration where name = (select max(name) from kysely_migration)')
    const own = `${fileIn(folder)}.certa`
    renameSync(fileIn(folder), own)
    const refusals = [
      [() => undefined, /^A chave .*secret\.key falta, .*npm run rotate-key\.\n$/],
      [
        () => writeFileSync(fileIn(folder), readFileSync(fileIn(foreign))),
        /não é a do banco .*npm run rotate-key\.\n$/,
      ],
      [() => writeFileSync(fileIn(folder), ''), /não tem uma chave: .*npm run rotate-key\.\n$/],
    ] as const
    for (const [become, sentence] of refusals) {
      become()
      const steps = () => sqlite.prepare('select count(*) from kysely_migration').pluck().get()
      const states = () => [steps(), keysIn(join(folder, 'painel.sqlite')), readKey(folder)]
      const before = states()
      const { status, stderr } = run('src/server/main.ts', folder)
      expect([status, stderr.split('\n').length, stderr]).toEqual([1, 2, expect.stringMatching(sentence)])
      expect(states()).toEqual(before)
    }
    sqlite.close()
    renameSync(own, fileIn(folder))
    const made = run('src/server/commands/database.ts', folder, 'rotate-key')
    expect(made).toMatchObject({ status: 0, stderr: '' })
    expect(made.stdout).toMatch(
      /^Chave nova: .*secret\.key\. O que a de antes assinou vale até \d\d\/\d\d\/\d{4}\. .*\n$/,
    )
    const after = await startOn(opened({ kind: 'sqlite', file: join(folder, 'painel.sqlite') }), folder)
    expect(after.context.keys.current).not.toEqual(context.keys.current)
    expect(readSigned(after.context.keys, 'mark', signed)).not.toBeNull()
  })

  test('a change of keys that ends between two steps is gone on with, by a start or by the command again', async () => {
    const folder = temporaryFolder()
    const { db } = await ofBefore(folder)
    const { context } = await startOn(db, folder)
    const place = keyPlaceOf(placeIn(folder), 'sqlite')
    const signed = sign(context.keys, 'mark', {})
    const known = (await findSetting(db.read, 'key-fingerprint')) ?? ''
    const breakOff = () => db.transaction((tx) => saveSetting(tx, 'key-fingerprint', known))
    await rotateKeys(context, place)
    await breakOff()
    const next = readFileSync(fileIn(folder), 'utf8')
    await rotateKeys(context, place)
    expect(readFileSync(fileIn(folder), 'utf8'), 'one change, not two').toBe(next)
    await breakOff()
    const again = await startOn(db, folder)
    expect(readSigned(again.context.keys, 'mark', signed)).toEqual({})
    expect(await findSetting(db.read, 'key-fingerprint')).not.toBe(known)
    await rotateKeys(context, place)
    const last = await startOn(db, folder)
    expect(readSigned(last.context.keys, 'mark', signed), 'of the one before the former').toBeNull()
    expect(readSigned(last.context.keys, 'mark', sign(again.context.keys, 'mark', {}))).toEqual({})
  })
})

describe('on a MariaDB', () => {
  test('the key stays in the database until a file is named, the same for all servers', async () => {
    const url = await freshDatabase()
    const server = (env: Record<string, string> = {}) =>
      openTestPanel({ db: opened({ kind: 'mysql', url }), env: { DATA_DIR: temporaryFolder(), ...env } })
    const [one, other] = [await server(), await server()]
    expect(other.context.keys.current).toEqual(one.context.keys.current)
    const signed = sign(one.context.keys, 'mark', {})
    const marksKey = await findSetting(one.db.read, 'operator-marks-key')
    await rotateKeys(one.context, { file: null, databaseName: '' })
    const rotated = await server()
    expect(rotated.context.keys.current).not.toEqual(one.context.keys.current)
    expect(readSigned(rotated.context.keys, 'mark', signed)).toEqual({})

    const env = { SECRET_KEY_FILE: join(temporaryFolder(), 'secret.key') }
    const [first, second] = await Promise.all([server(env), server(env)])
    expect(second.context.keys.current).toEqual(first.context.keys.current)
    expect(readSigned(second.context.keys, 'mark', sign(first.context.keys, 'mark', {}))).toEqual({})
    expect(readSigned(first.context.keys, 'mark', sign(rotated.context.keys, 'mark', {}))).toEqual({})
    expect(await findSetting(first.db.read, 'signing-key')).toBeNull()
    expect(await findSetting(first.db.read, 'operator-marks-key'), 'never rotated').toBe(marksKey)
    await expect(server()).rejects.toThrow(/^SECRET_KEY_FILE falta: .*npm run rotate-key\.$/)
    const foreign = { SECRET_KEY_FILE: join(temporaryFolder(), 'secret.key') }
    await expect(server(foreign)).rejects.toThrow(/ falta, e o banco a conhece /)
    expect(existsSync(foreign.SECRET_KEY_FILE)).toBe(false)
  })

  test('a start says in the log that the key is in the database, where no file is named', async () => {
    const env = { DATABASE_URL: await freshDatabase(), DOCUMENTS_DIR: temporaryFolder() }
    const panel = await startPanel({ env })
    onTestFinished(() => panel.stop())
    const warning = 'the key that signs is kept in the database'
    await expect.poll(panel.logs).toContain('the server has started')
    await expect.poll(panel.logs).toContain(warning)
    const named = await startPanel({ env: { ...env, SECRET_KEY_FILE: join(temporaryFolder(), 'secret.key') } })
    onTestFinished(() => named.stop())
    await expect.poll(named.logs).toContain('the server has started')
    await named.kill('SIGTERM')
    expect(named.logs()).not.toContain(warning)
  })

  test('a backup of it holds no key, and a trial copy of a SQLite goes by one of its own', async () => {
    const url = await freshDatabase()
    const panel = await openTestPanel({ db: opened({ kind: 'mysql', url }) })
    const place = { ...placeIn(temporaryFolder()), database: { kind: 'mysql', url } as const }
    const backup = await makeBackup(place, 0)
    const key = (await findSetting(panel.db.read, 'signing-key')) ?? ''
    expect(Object.keys(keysIn(join(backup.folder, 'painel.sqlite')))).toEqual(['operator-marks-key'])
    expect(readFileSync(join(backup.folder, 'painel.sqlite')).includes(key.trim())).toBe(false)
    await drill(backup, place, 0)
    const again = { ...place, database: { kind: 'mysql', url: await freshDatabase() } as const }
    await restore(backup, again, 0)
    await openTestPanel({ db: opened(again.database) })

    const folder = temporaryFolder()
    await restore(backup, placeIn(folder), 0)
    const trial = { ...place, database: { kind: 'mysql', url: await freshDatabase() } as const }
    await copyDatabase(join(folder, 'painel.sqlite'), trial, 0, { isTrial: true })
    const tried = await openTestPanel({ db: opened(trial.database) })
    expect(readFileSync(fileIn(folder), 'utf8')).not.toContain(tried.context.keys.current.toString('base64'))
  })
})
