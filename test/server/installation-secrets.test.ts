import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Config } from '../../src/server/config.ts'
import { saveReport } from '../../src/server/store/alarms.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import { migrate } from '../../src/server/store/db/migrate.ts'
import { openStore } from '../../src/server/store/db/open-store.ts'
import { findInstallation } from '../../src/server/store/settings.ts'
import { makeBackup } from '../../src/server/upkeep/backups.ts'
import { completeConfig, readBoth, textsOfPage, writeSecrets } from '../../src/server/upkeep/installation-settings.ts'
import { type Database, databases, NOON_MS, openStore as openTestStore, temporaryFolder } from '../support/harness.ts'
import { OTHER_SECRET, refusalOf, SECRET, withSettings } from '../support/installation-settings.ts'
import { databaseOf, startHere } from '../support/starting.ts'

const erp = { ERP_URL: 'http://erp:8080/rest', ERP_USER: 'painel', ERP_PASSWORD: SECRET }

describe('a secret that the page has written', () => {
  const mail = { ALARM_MAIL_TO: 'ti@fabrica.local', SMTP_URL: `smtp://painel:${OTHER_SECRET}@correio:587` }

  test('is in a file of the panel’s own account, and in no answer, trail, log, database or backup', async () => {
    const DATA_DIR = temporaryFolder()
    const panel = await withSettings({ env: { DATA_DIR, LOG_LEVEL: 'trace' } })
    const saved = await panel.put({ ...erp, ...mail })
    expect(saved.statusCode).toBe(200)
    expect(statSync(panel.secretsFile).mode & 0o777).toBe(0o600)
    const config = await panel.next()
    expect(config).toMatchObject({ erp: { password: SECRET }, alarmMail: { smtpUrl: mail.SMTP_URL } })
    expect(await panel.variable('ERP_PASSWORD')).toEqual({
      ...{ name: 'ERP_PASSWORD', value: null, source: 'page', isSet: true },
    })
    const rows = JSON.stringify([await panel.audit(), await panel.db.read.selectFrom('settings').selectAll().execute()])
    const said = [saved.body, JSON.stringify(await panel.read()), rows, ...panel.logs].join('\n')
    for (const secret of [SECRET, OTHER_SECRET]) expect(said).not.toContain(secret)

    const db = openStore(config)
    await migrate(db)
    await db.close()
    const { folder } = await makeBackup(config, NOON_MS)
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    expect(files.map(({ name }) => name)).not.toContain('secrets.json')
    for (const { parentPath, name } of files) {
      expect(readFileSync(join(parentPath, name)).includes(SECRET), name).toBe(false)
    }
  })

  test('is for the address that it was sent with, also one that is typed again as it was', async () => {
    const { put, next } = await withSettings()
    await put({ ...erp, ALARM_WEBHOOK_URL: 'https://avisos.example/a', ALARM_WEBHOOK_TOKEN: OTHER_SECRET })
    const moved = { ERP_URL: 'http://outro:8080/rest', ERP_PASSWORD: SECRET }
    expect((await put(moved)).statusCode).toBe(200)
    expect((await next()).erp).toEqual({ url: moved.ERP_URL, user: 'painel', password: SECRET })
    const webhook = { ALARM_WEBHOOK_URL: 'https://avisos.example/b', ALARM_WEBHOOK_TOKEN: OTHER_SECRET }
    expect((await put(webhook)).json()).toMatchObject({ dropped: [] })
    expect((await next()).alarmWebhook).toEqual({ url: webhook.ALARM_WEBHOOK_URL, token: OTHER_SECRET })
  })

  test.each<[string, Record<string, string | null>]>([
    ['alone', {}],
    ['while the password is erased', { ERP_PASSWORD: null }],
  ])('does not stay behind when an address of the ERP comes %s: the save is refused by its field', async (_, more) => {
    const { put, next, read, restarts, secretsFile } = await withSettings()
    const values = { ERP_URL: 'http://estranho:8080/rest', ...more }
    const refusal = [
      400,
      'input_invalid',
      [{ field: 'values.ERP_PASSWORD', message: 'Endereço novo: escreva a senha' }],
    ]
    expect(refusalOf(await put(values)), 'the first one').toEqual(refusal)
    await put(erp)
    const before = readFileSync(secretsFile, 'utf8')
    expect(refusalOf(await put(values))).toEqual(refusal)
    expect([(await read()).version, restarts.length, readFileSync(secretsFile, 'utf8')]).toEqual([1, 1, before])
    expect((await next()).erp).toMatchObject({ url: erp.ERP_URL, password: SECRET })
  })

  test('goes with the address of a webhook, which is said: one without a token is normal', async () => {
    const { put, next, variable, secretsFile, audit } = await withSettings()
    const first = await put({ ALARM_WEBHOOK_URL: 'https://avisos.example/a' })
    expect([first.statusCode, first.json().dropped]).toEqual([200, []])
    await put({ ALARM_WEBHOOK_TOKEN: SECRET })
    const moved = await put({ ALARM_WEBHOOK_URL: 'https://avisos.example/b' })
    expect([moved.statusCode, moved.json().dropped]).toEqual([200, ['ALARM_WEBHOOK_TOKEN']])
    expect((await next()).alarmWebhook).toEqual({ url: 'https://avisos.example/b', token: null })
    expect(await variable('ALARM_WEBHOOK_TOKEN')).toMatchObject({ isSet: false })
    expect(readFileSync(secretsFile, 'utf8'), 'it is not there any more').not.toContain(SECRET)
    const lines = await audit()
    expect(lines.filter(({ subject_id }) => subject_id === 'ALARM_WEBHOOK_TOKEN')).toHaveLength(2)
    await put({ ALARM_WEBHOOK_TOKEN: SECRET })
    const erased = await put({ ALARM_WEBHOOK_URL: null })
    expect([erased.json().dropped, (await next()).alarmWebhook], 'where no address is none is missing').toEqual([
      [],
      null,
    ])
    expect(existsSync(secretsFile)).toBe(false)
  })

  test('does not follow an address that was changed in the database or by a variable', async () => {
    const { put, context, db } = await withSettings()
    await put(erp)
    const env = { ...context.installation.env, ERP_COMPANY: '02' }
    expect((await completeConfig(db.read, env, context.config)).config.erp).toMatchObject({ password: SECRET })
    const stored = { version: 2, values: { ...erp, ERP_URL: 'http://estranho/rest', ERP_PASSWORD: undefined } }
    await db.transaction((tx) =>
      tx
        .updateTable('settings')
        .set({ value: JSON.stringify(stored) })
        .where('name', '=', 'installation')
        .execute(),
    )
    expect((await completeConfig(db.read, env, context.config)).config.erp).toBeNull()
  })

  test('is for variables where another server of the plant would not have it', async () => {
    const { put, context, db, clock } = await withSettings()
    const own = await context.serverWatch.read()
    await db.transaction((tx) => saveReport(tx, { ...own, server: 'outro:3000', readAt: clock.now() }))
    expect(refusalOf(await put(erp)).slice(0, 2)).toEqual([409, 'several_servers'])
    expect((await put({ SITE_NAME: 'Sul' })).statusCode).toBe(200)
  })
})

describe('the file of secrets and the row that they belong to cannot part', () => {
  const webhook = { ALARM_WEBHOOK_URL: 'https://avisos.example/a', ALARM_WEBHOOK_TOKEN: SECRET }

  const saves: Record<string, string | null>[] = [
    { ERP_URL: 'http://outro:8080/rest', ERP_PASSWORD: OTHER_SECRET },
    { ERP_URL: 'http://outro:8080/rest', ERP_PASSWORD: SECRET },
    { ERP_PASSWORD: OTHER_SECRET },
    { ERP_PASSWORD: null },
    { ALARM_WEBHOOK_URL: 'https://avisos.example/b', ALARM_WEBHOOK_TOKEN: OTHER_SECRET },
    { ALARM_WEBHOOK_URL: null },
    { SITE_NAME: 'Sul' },
  ]

  type Moment = 'before' | 'after'
  type Holding = { erp: unknown; webhook: unknown }
  const holdingOf = ({ erp, alarmWebhook }: Config): Holding => ({ erp, webhook: alarmWebhook })

  /** A panel, and what a start would have if it were killed at each moment between the file and the row of a save. */
  async function withKills(database: Database) {
    const db = await openTestStore(database)
    const kills: [Moment, Holding][] = []
    const kill: { at: Moment | null; isOn: boolean } = { at: null, isOn: false }
    const pass = async (moment: Moment) => {
      if (!kill.isOn) return
      kills.push([moment, holdingOf(await panel.next())])
      if (kill.at === moment) throw new Error('the connection is lost')
    }
    const killed: Db = {
      ...db,
      async transaction(work) {
        await pass('before')
        const done = await db.transaction(async (tx) => {
          const result = await work(tx)
          // on SQLite there is one connection
          if (db.kind === 'mysql') await pass('before')
          return result
        })
        await pass('after')
        return done
      },
    }
    const panel = await withSettings({ db: killed })
    await panel.put({ ...erp, ...webhook })
    kill.isOn = true
    return { ...panel, kills, kill }
  }

  describe.each(databases)('on %s', (database) => {
    test('a kill between them leaves all as before or all as after', async () => {
      const { put, next, kill, kills, secretsFile } = await withKills(database)
      // the sets of secrets are the same work on both
      for (const values of database === 'mariadb' ? saves.slice(0, 1) : saves) {
        kill.isOn = false
        await put({ ...erp, ...webhook })
        const before = holdingOf(await next())
        expect(before).toMatchObject({ erp: { password: SECRET }, webhook: { token: SECRET } })
        kills.length = 0
        kill.isOn = true
        expect((await put(values)).statusCode).toBe(200)
        const after = holdingOf(await next())
        const moments = database === 'mariadb' ? ['before', 'before', 'after'] : ['before', 'after']
        const expected = moments.map((moment) => [moment, moment === 'before' ? before : after])
        expect(kills, JSON.stringify(values)).toEqual(expected)
        const written = readFileSync(secretsFile, 'utf8')
        for (const secret of [SECRET, OTHER_SECRET]) {
          expect(written.includes(secret), secret).toBe(JSON.stringify(after).includes(secret))
        }
      }
    })

    test('a save whose commit nobody answered for holds if it was committed, and not if it was not', async () => {
      for (const isCommitted of [true, false]) {
        const { put, next, kill, secretsFile, errors } = await withKills(database)
        const before = holdingOf(await next())
        kill.at = isCommitted ? 'after' : 'before'
        expect((await put({ ERP_URL: 'http://outro/rest', ERP_PASSWORD: OTHER_SECRET })).statusCode).toBe(500)
        expect(errors.splice(0)).toHaveLength(1)
        const after = { ...before, erp: { url: 'http://outro/rest', user: 'painel', password: OTHER_SECRET } }
        expect(holdingOf(await next())).toEqual(isCommitted ? after : before)
        kill.at = null
        expect((await put({ ALARM_WEBHOOK_TOKEN: null })).statusCode, 'and the next one goes on from there').toBe(200)
        const { erp } = isCommitted ? after : before
        expect(await next()).toMatchObject({ erp, alarmWebhook: { token: null } })
        expect(JSON.parse(readFileSync(secretsFile, 'utf8'))).not.toHaveProperty('next')
      }
    })
  })

  test('whoever reads them while a save is under way has both of before or both of after', async () => {
    const { put, db, context } = await withSettings()
    await put(erp)
    const moved = { ERP_URL: 'http://outro:8080/rest', ERP_PASSWORD: OTHER_SECRET }
    let isSaved = false
    const { stored, secrets } = await readBoth(context.config, async () => {
      const seen = await findInstallation(db.read)
      if (!isSaved) isSaved = (await put(moved)).statusCode === 200
      return seen
    })
    expect(textsOfPage({}, stored, secrets)).toMatchObject(moved)
  })

  test.each([
    [
      'takes the former secrets out of the file once the row names the others',
      'o-de-agora',
      { ERP_PASSWORD: { value: OTHER_SECRET } },
    ],
    [
      'leaves both there while the row does not, for a commit may be slow',
      'o-de-antes',
      { ERP_PASSWORD: { value: SECRET }, next: {} },
    ],
  ])('a start %s', async (_, id, left) => {
    const values = { ERP_URL: 'http://127.0.0.1:9/rest', ERP_USER: 'painel' }
    const row = JSON.stringify({ version: 2, values, secrets: id })
    const { DATA_DIR } = await databaseOf({ MODE: 'plant' }, (database) => {
      database.prepare("insert into settings (name, value) values ('installation', ?)").run(row)
    })
    const { ERP_URL: address } = values
    const present = { ERP_PASSWORD: { value: SECRET, address } }
    writeSecrets(
      { dataDir: DATA_DIR },
      { ...present, next: { id: 'o-de-agora', set: { ERP_PASSWORD: { value: OTHER_SECRET, address } } } },
    )
    // of a save that was cut off while it wrote
    writeFileSync(join(DATA_DIR, 'secrets.json.novo'), '{"ERP_PASS')
    const server = await startHere({ DATA_DIR, LOG_LEVEL: 'error' })
    await server.stop()
    expect(JSON.parse(readFileSync(join(DATA_DIR, 'secrets.json'), 'utf8'))).toMatchObject(left)
  })
})
