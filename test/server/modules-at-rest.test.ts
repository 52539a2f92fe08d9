import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { databases, temporaryFolder } from '../support/harness.ts'
import { freshDatabase } from '../support/mariadb.ts'
import { startPanel } from '../support/panel.ts'
import { root } from '../support/tidy/source.ts'

/** Each costs a server at rest a third of a megabyte or more (decisions 119 and 146). */
const late = [
  ['the compilers of schemas', /node_modules\/(ajv|fast-uri|@fastify\/(ajv|fast-json-stringify)-compiler)\//],
  ['fetch and WebSocket of Node', /^NativeModule internal\/deps\/undici\//],
  ['metrics', /node_modules\/prom-client\//],
  ['mail', /node_modules\/nodemailer\//],
  ['the directory', /node_modules\/ldapts\/|\/src\/server\/directory\/directory\.ts$/],
  ['the demonstration', /\/demo\//],
  ['the check of the ERP', /\/src\/server\/erp\/check\//],
  ['histories of ends', /\/src\/(server\/store|domain\/histories)\/end-histor[^/]*$/],
  ['the support file', /\/src\/server\/upkeep\/support\//],
  ['migrations: what a database has noted is not what migrate.ts says', /\/src\/server\/store\/db\/migrations\//],
] as const
const drivers = { sqlite: /node_modules\/better-sqlite3\//, mariadb: /node_modules\/mysql2\// }

test.each(databases)('a plant at rest on %s has loaded nothing that it does not use', async (database) => {
  const file = join(temporaryFolder(), 'loaded')
  const panel = await startPanel({
    env: {
      MODE: 'plant',
      LOADED_FILE: file,
      NODE_OPTIONS: `--import=${pathToFileURL(join(root, 'test/support/loaded-modules.ts')).href}`,
      ...(database === 'mariadb' ? { DATABASE_URL: await freshDatabase() } : {}),
    },
  })
  onTestFinished(panel.stop)
  // the first start makes the tables
  await panel.kill('SIGTERM')
  await panel.restart()
  await panel.kill('SIGTERM')
  const loaded = readFileSync(file, 'utf8').split('\n')
  for (const [name, module] of late)
    expect(
      loaded.filter((one) => module.test(one)),
      name,
    ).toEqual([])
  for (const [name, module] of Object.entries(drivers)) {
    expect(
      loaded.some((one) => module.test(one)),
      name,
    ).toBe(name === database)
  }
})
