import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { saveReport } from '../../src/server/store/alarms.ts'
import { migrate } from '../../src/server/store/db/migrate.ts'
import { openStore } from '../../src/server/store/db/open-store.ts'
import { makeBackup } from '../../src/server/upkeep/backups.ts'
import { completeConfig } from '../../src/server/upkeep/installation-settings.ts'
import { NOON_MS, temporaryFolder } from '../support/harness.ts'
import { OTHER_SECRET, refusalOf, SECRET, withSettings } from '../support/installation-settings.ts'

describe('a secret that the page has written', () => {
  const erp = { ERP_URL: 'http://erp:8080/rest', ERP_USER: 'painel', ERP_PASSWORD: SECRET }
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

  test('goes to no other address than the one it was written for', async () => {
    const { put, next, secretsFile, variable } = await withSettings()
    await put(erp)
    expect((await next()).erp).toMatchObject({ url: erp.ERP_URL, password: SECRET })
    await put({ ERP_URL: 'http://estranho:8080/rest' })
    expect((await next()).erp).toBeNull()
    expect(await variable('ERP_PASSWORD')).toMatchObject({ isSet: false })
    expect(existsSync(secretsFile), 'it is not there any more').toBe(false)
    await put({ ALARM_WEBHOOK_URL: 'https://avisos.example/a', ALARM_WEBHOOK_TOKEN: SECRET })
    await put({ ALARM_WEBHOOK_URL: 'https://avisos.example/b' })
    expect((await next()).alarmWebhook).toEqual({ url: 'https://avisos.example/b', token: null })
    await put({ ALARM_WEBHOOK_URL: null })
    expect((await next()).alarmWebhook).toBeNull()
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
