import { statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pageDefaults } from '../../contract/installation-settings.ts'
import { plantDay } from '../../domain/plant/plant-time.ts'
import { supportFileName } from '../../domain/plant/support-files.ts'
import { type Config, ConfigError, findFault, readConfig, readEnvironment, type Texts } from '../config.ts'
import { openUnconfigured } from '../erp/unconfigured.ts'
import { type Db, findOutage } from '../store/db/db.ts'
import { openStore, PRIVATE_UMASK } from '../store/db/open-store.ts'
import { hasTables } from '../store/settings.ts'
import { recordAuditEvent } from '../upkeep/audit.ts'
import { completeConfig } from '../upkeep/installation-settings.ts'
import { openServerWatch } from '../upkeep/server-facts.ts'
import { attempt, type Faults, gatherSupportBundle, type OwnFacts } from '../upkeep/support/bundle.ts'

const USAGE = 'Uso: npm run support                        grava um arquivo para quem dá suporte, sem nomes nem senhas'

/** Variables that lead to the database and the folder; the others may be why the panel does not start. */
const GROUND = ['DATA_DIR', 'DATABASE_URL', 'BACKUP_DIR', 'DOCUMENTS_DIR', 'TIME_ZONE'] as const

function groundOf(env: Texts): Texts {
  const good = GROUND.filter((name) => env[name] !== undefined && findFault(name, env[name]) === null)
  return Object.fromEntries(good.map((name) => [name, env[name]]))
}

/** Null: there is none, or it does not answer. Opening one would make it. */
async function openDatabase(config: Config): Promise<Db> {
  const { database } = config
  const isThere = database.kind === 'mysql' || (statSync(database.file, { throwIfNoEntry: false })?.size ?? 0) > 0
  if (!isThere) throw new ConfigError('não há banco de dados')
  const db = openStore(config)
  try {
    const outage = await findOutage(db.read)
    if (outage) throw outage
    if (!(await hasTables(db.read))) throw new ConfigError('o banco de dados não é do painel')
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Facts of this machine, read without the network. */
async function readOwn(config: Config, db: Db | null): Promise<OwnFacts> {
  const apartMs = db === null ? 0 : Math.abs(await db.aheadMs(Date.now).catch(() => 0))
  const silent = { ...config, erp: null, publicUrl: null }
  const watch = openServerWatch({
    directory: null,
    ...{ config: silent, erp: openUnconfigured() },
    ...{ now: Date.now, clockApartMs: () => apartMs },
  })
  return { ...(await watch.read()), erp: null, startedAt: null }
}

/** The folder's own, where the page or the database has its say in it. */
async function complete(faults: Faults, env: Texts, given: Config, db: Db | null): Promise<Config> {
  const whole = db && (await attempt(faults, 'instalacao', () => completeConfig(db.read, env, given)))
  return whole?.config ?? given
}

/** A database of another version may have no room for it. */
async function noteExport(db: Db, name: string): Promise<void> {
  const actor = { caller: { userId: 0, username: 'linha de comando' }, now: Date.now }
  const event = { action: 'exported', kind: 'file', id: '', name } as const
  await db.transaction((tx) => recordAuditEvent(tx, actor, event))
}

async function writeBundle(): Promise<string> {
  const faults: Faults = {}
  const env = (await attempt(faults, '.env', readEnvironment)) ?? process.env
  const good = await attempt(faults, 'ambiente', () => readConfig(env))
  const given = good ?? (await attempt(faults, 'pastas', () => readConfig(groundOf(env))))
  const db = given && (await attempt(faults, 'banco', () => openDatabase(given)))
  try {
    const config = given && (good ? await complete(faults, env, given, db) : given)
    const now = Date.now()
    const name = supportFileName(plantDay(now, config?.timeZone ?? pageDefaults.TIME_ZONE))
    if (db) await attempt(faults, 'auditoria', () => noteExport(db, name))
    const own = config && (await attempt(faults, 'servidor', () => readOwn(config, db)))
    const text = await gatherSupportBundle({ madeBy: 'comando', now, env, config, db, own, facts: null, faults })
    // from where it was typed: npm and `./painel` go to the panel's own folder first
    const file = resolve(process.env.INIT_CWD ?? '', name)
    writeFileSync(file, text, { mode: 0o600 })
    return file
  } finally {
    await db?.close()
  }
}

async function run(): Promise<void> {
  process.umask(PRIVATE_UMASK)
  if (process.argv.length > 2) throw new ConfigError(USAGE)
  const file = await writeBundle()
  console.log(
    `Arquivo de suporte gravado. Leia-o antes de enviar: pessoas, endereços e crachás são números nele.\n${file}`,
  )
}

run().catch((error: unknown) => {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (error instanceof ConfigError) console.error(message)
  else if (/^E[A-Z]+$/.test(code)) console.error(`O arquivo não pôde ser gravado (${message}).`)
  else console.error(error)
  process.exit(1)
})
