import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { describe, expect, test } from 'vitest'
import { type Random, randomFor } from '../../demo/simulator/random.ts'
import { epochs, type MarkKind, markKinds } from '../../src/contract/epochs.ts'
import type { CutItem } from '../../src/contract/items.ts'
import type { Config } from '../../src/server/config.ts'
import { openDb } from '../../src/server/store/db/db.ts'
import { findReached } from '../../src/server/store/epoch-witnesses.ts'
import { findSetting } from '../../src/server/store/settings.ts'
import { takeSnapshot } from '../../src/server/store/snapshots.ts'
import { copyDatabase, makeBackup, reopenMoved, restore } from '../../src/server/upkeep/backups.ts'
import { addUser, ORDER, openTestPanel, type TestPanel, temporaryFolder } from '../support/harness.ts'
import { freshDatabase } from '../support/mariadb.ts'
import { QueueTablet } from '../support/promises/queue-tablet.ts'
import { lookAmongRecordingsAlone } from '../support/promises/receipts-mistake.ts'
import { report } from '../support/promises/report.ts'
import { SEED, sizeOf } from '../support/promises/sizes.ts'
import { kindsWithoutErp, listStoredWithoutErp } from '../support/promises/without-erp.ts'
import { recordingOf, type Section, searchPath, sectionsOf } from '../support/promises/workload.ts'

const { seeds } = sizeOf('p30')
const OPERATORS = ['ana', 'rui', 'eva']
/** At once, of one tablet. */
const ACTS = 2
const ROUNDS_MAX = 50
const STARTS = 2

type Place = Pick<Config, 'database' | 'dataDir' | 'backupDir' | 'documentsDir' | 'secretKeyFile'>
type Mistake =
  | 'marks are not believed'
  | 'tablets forget that they tried'
  | 'receipts are looked for among recordings alone'
/** The plant: where its database is, and the servers that work on it. */
type Plant = { place: Place; servers: TestPanel[]; open: (place?: Place) => Promise<void>; stop: () => Promise<void> }

const inFolder = (dataDir: string): Place => ({
  database: { kind: 'sqlite', file: join(dataDir, 'painel.sqlite') },
  dataDir,
  backupDir: join(dataDir, 'backups'),
  documentsDir: join(dataDir, 'documentos'),
  secretKeyFile: null,
})
const onMariadb = async (): Promise<Place> => ({
  ...inFolder(temporaryFolder()),
  database: { kind: 'mysql', url: await freshDatabase() },
})
const fileOf = ({ database }: Place) => (database.kind === 'sqlite' ? database.file : '')
const urlOf = ({ database }: Place) => (database.kind === 'mysql' ? database.url : '')
const now = ({ servers }: Plant) => servers[0]?.context.now() ?? 0

async function withTables(url: string, work: (run: (sql: string) => Promise<unknown>, tables: string[]) => unknown) {
  const connection = await createConnection(url)
  const [rows] = await connection.query<RowDataPacket[]>('SHOW TABLES')
  await work(
    (sql) => connection.query(sql),
    rows.map((row) => String(Object.values(row)[0])),
  )
  await connection.end()
}

const asFile = async (plant: Plant): Promise<string> => {
  const file = join(temporaryFolder(), 'painel.sqlite')
  await takeSnapshot(plant.place.database, file)
  return file
}

function putFile(saved: string, place: Place): void {
  for (const end of ['', '-wal', '-shm']) rmSync(fileOf(place) + end, { force: true })
  cpSync(saved, fileOf(place))
}

/** Keeps a moment of the plant, and answers how it comes back. */
type Way = {
  on: 'sqlite' | 'mariadb'
  keep: (plant: Plant) => Promise<() => Promise<void>>
  /** The plant has one tablet, and programs work on until no mark is ahead of what went back. */
  isAlone?: boolean
}

const toSnapshot: Way = {
  on: 'sqlite',
  async keep(plant) {
    const saved = await asFile(plant)
    const { dataDir } = plant.place
    const seen = join(temporaryFolder(), 'marcas')
    mkdirSync(join(dataDir, 'marcas'), { recursive: true })
    cpSync(join(dataDir, 'marcas'), seen, { recursive: true })
    return async () => {
      await plant.stop()
      putFile(saved, plant.place)
      rmSync(join(dataDir, 'marcas'), { recursive: true })
      cpSync(seen, join(dataDir, 'marcas'), { recursive: true })
      await plant.open()
    }
  },
}

const ways: Record<string, Way> = {
  'the command puts a backup back': {
    on: 'sqlite',
    async keep(plant) {
      const backup = await makeBackup(plant.place, now(plant))
      return async () => {
        const at = now(plant)
        await plant.stop()
        await restore(backup, plant.place, at)
        await plant.open()
      }
    },
  },
  'somebody copies an older file into its place': {
    on: 'sqlite',
    async keep(plant) {
      const saved = await asFile(plant)
      return async () => {
        await plant.stop()
        putFile(saved, plant.place)
        await plant.open()
      }
    },
  },
  'the machine goes back to a snapshot, with all that it had seen': toSnapshot,
  'the same with one tablet alone, whose marks the fork has outgrown': { ...toSnapshot, isAlone: true },
  'a replica that lags behind is promoted': {
    on: 'mariadb',
    async keep(plant) {
      const replica = await onMariadb()
      const [from, to] = [plant.place, replica].map((place) => new URL(urlOf(place)).pathname.slice(1))
      await withTables(urlOf(plant.place), async (run, tables) => {
        // a column that the database makes itself is made anew there
        await run("set session sql_mode = ''")
        for (const table of tables) {
          await run(`create table ${to}.${table} like ${from}.${table}`)
          await run(`insert into ${to}.${table} select * from ${from}.${table}`)
        }
      })
      return async () => {
        await plant.stop()
        await plant.open(replica)
      }
    },
  },
  'a plant that was moved to MariaDB goes back to its SQLite': {
    on: 'sqlite',
    async keep(plant) {
      const { place } = plant
      const moved = { ...(await onMariadb()), secretKeyFile: join(place.dataDir, 'secret.key') }
      const at = now(plant)
      await plant.stop()
      await copyDatabase(fileOf(place), moved, at)
      await plant.open(moved)
      return async () => {
        const backAt = now(plant)
        await plant.stop()
        await reopenMoved(fileOf(place), backAt)
        await plant.open(place)
      }
    },
  },
  'a backup is put back on one of two servers while the other goes on': {
    on: 'mariadb',
    async keep(plant) {
      await plant.open()
      const backup = await makeBackup(plant.place, now(plant))
      return async () => {
        const at = now(plant)
        const [first, ...others] = plant.servers
        plant.servers = first ? [first] : []
        await plant.stop()
        await withTables(urlOf(plant.place), async (run, tables) => {
          for (const table of tables) await run(`drop table ${table}`)
        })
        await restore(backup, plant.place, at)
        plant.servers.push(...others)
        await plant.open()
      }
    },
  },
}

async function openPlant(on: 'sqlite' | 'mariadb', mistake?: Mistake) {
  // whose ERP stays the same whatever becomes of the database
  const ground = await openTestPanel({ simulator: { dedup: false } })
  const plant: Plant = {
    place: on === 'mariadb' ? await onMariadb() : inFolder(temporaryFolder()),
    servers: [],
    async open(place = plant.place) {
      plant.place = place
      const { clock, context } = ground
      const db = openDb(place.database)
      const { dataDir, secretKeyFile } = place
      const env = { DATA_DIR: dataDir, ...(secretKeyFile ? { SECRET_KEY_FILE: secretKeyFile } : {}) }
      const answerWait = () => AbortSignal.timeout(200)
      const server = await openTestPanel({ db, clock, env, gateway: () => context.erp, answerWait })
      if (mistake === 'marks are not believed') server.context.marks.isYounger = async () => false
      if (mistake === 'receipts are looked for among recordings alone') await lookAmongRecordingsAlone(server)
      plant.servers.push(server)
    },
    async stop() {
      for (const { context, app, db } of plant.servers.splice(0)) {
        await context.outbox.stop(1000)
        await app.close()
        await db.close()
      }
    },
  }
  await plant.open()
  const [server] = plant.servers
  if (!server) throw new Error('no server')
  for (const username of OPERATORS) await addUser(server.context, { username, fullName: username })
  await addUser(server.context, { username: 'admin', role: 'admin' })
  const { token } = await server.login('ana')
  const found = await server.ask(token, { url: searchPath(ORDER) })
  const sections = sectionsOf(found.json<{ items: CutItem[] }>().items)
  return { plant, sections, subjects: 0, simulator: ground.simulator, clock: ground.clock, errors: ground.errors }
}

type Open = Awaited<ReturnType<typeof openPlant>>
const down = [{ id: 'F31', variant: 'refused', count: null } as const]

async function deliverAll({ plant, clock }: Open): Promise<void> {
  for (let round = 0; round < 4; round++) {
    clock.advance(200_000)
    for (const { context } of plant.servers) await context.outbox.deliverDue()
  }
}

/** Some is answered, of some the ERP hears and its tablet does not, some waits for the ERP, some on its tablet alone. */
async function work(open: Open, tablets: QueueTablet[], random: Random): Promise<void> {
  const { plant, sections, simulator } = open
  const [deaf, ...others] = tablets
  const press = async (who: (QueueTablet | undefined)[], isSent: boolean, isHeard = true) => {
    for (const tablet of who) {
      for (let act = 0; act < ACTS; act++) tablet?.freeze(recordingOf(random.pick(sections), 1))
      // last, so that its receipt is the last one
      const kind = random.pick(kindsWithoutErp)
      tablet?.freezeWithoutErp(kind.path, kind.bodyOf(`${open.subjects++}`))
      if (isSent) await tablet?.send(random.pick(plant.servers), isHeard)
    }
  }
  await press(tablets, true)
  await press([deaf], true, false)
  await deliverAll(open)
  await simulator.state.setFaults(down)
  await press(others.length > 0 ? others : tablets, true)
  await press(others, false)
  await simulator.state.setFaults([])
}

/** Programs record until the database has come as far as it was. */
async function outgrow({ plant, sections }: Open, was: Record<MarkKind, number>): Promise<string[]> {
  const [server] = plant.servers as [TestPanel]
  const { token } = await server.login('rui')
  const ids: string[] = []
  const isYounger = async () => {
    const is = await findReached(server.db.read)
    return markKinds.some((kind) => is[kind] < was[kind])
  }
  while (await isYounger()) {
    ids.push(randomUUID())
    const section = sections[ids.length % sections.length] as Section
    expect((await server.record(token, recordingOf(section, 1), ids.at(-1))).statusCode).toBeLessThan(203)
  }
  return ids
}

/** An administrator begins an epoch as soon as it is left to a person. True: this one has begun it. */
async function decide({ plant }: Open): Promise<boolean> {
  const [server] = plant.servers as [TestPanel]
  const { token } = await server.login('admin')
  const payload = { decisao: 'comecar', motivo: 'Falta o que o tablet mostra' }
  return (await server.ask(token, { method: 'POST', url: epochs.decide.path, payload })).statusCode === 200
}

const epochOf = ({ plant }: Open) => findSetting((plant.servers[0] as TestPanel).db.read, 'epoch')

async function goBack(name: string, seed: number, mistake?: Mistake) {
  const way = ways[name]
  if (!way) throw new Error(name)
  const random = randomFor(SEED, 'p30', name, `${seed}`)
  const open = await openPlant(way.on, mistake)
  const { plant, simulator } = open
  const operators = way.isAlone ? OPERATORS.slice(0, 1) : OPERATORS
  const tablets = operators.map((name) => new QueueTablet(name, mistake === 'tablets forget that they tried'))
  await work(open, tablets, random)
  const back = await way.keep(plant)
  const before = await epochOf(open)
  await deliverAll(open)
  await work(open, tablets, random)
  const reached = await findReached((plant.servers[0] as TestPanel).db.read)
  await back()
  for (const tablet of tablets) tablet.reload()
  const ofPrograms = way.isAlone ? await outgrow(open, reached) : []
  let isDecided = !way.isAlone
  const isOver = async () => {
    const waiting = plant.servers[0]?.db.read.selectFrom('recordings').select('id').where('state', '=', 'waiting')
    return isDecided && tablets.every(({ isDone }) => isDone) && (await waiting?.execute())?.length === 0
  }
  for (let round = 0; round < ROUNDS_MAX && !(await isOver()); round++) {
    isDecided ||= await decide(open)
    for (const tablet of tablets) await tablet.send(random.pick(plant.servers))
    await deliverAll(open)
  }
  expect(await isOver()).toBe(true)
  const isNoticed = (await epochOf(open)) !== before
  const stored = await listStoredWithoutErp((plant.servers[0] as TestPanel).db)
  // said once where nobody had chosen it
  for (const { errors } of plant.servers) errors.splice(0)
  await plant.stop()
  const acts = [...tablets.flatMap((tablet) => tablet.acts), ...ofPrograms]
  const withoutErp = tablets.flatMap(({ actsWithoutErp }) => actsWithoutErp)
  const times = Map.groupBy(simulator.state.writes, ({ id }) => id)
  const lost = acts.filter((id) => !times.has(id)).length + withoutErp.filter((id) => !stored.has(id)).length
  const doubled = [...times.values()].filter(({ length }) => length > 1).length
  return { acts: acts.length + withoutErp.length, isNoticed, lost, doubled }
}

/** Each tablet has done something of any kind last, and is loaded again. */
async function startAgain(times: number, mistake?: Mistake) {
  const random = randomFor(SEED, 'p30', 'starts')
  const open = await openPlant('sqlite', mistake)
  const tablets = OPERATORS.map((name) => new QueueTablet(name, false))
  const before = await epochOf(open)
  for (let time = 0; time < times; time++) {
    await work(open, tablets, random)
    for (const { errors } of open.plant.servers) errors.splice(0)
    await open.plant.stop()
    await open.plant.open()
    for (const tablet of tablets) tablet.reload()
  }
  for (const tablet of tablets) await tablet.send(random.pick(open.plant.servers))
  const hasBegun = (await epochOf(open)) !== before
  for (const { errors } of open.plant.servers) errors.splice(0)
  await open.plant.stop()
  return hasBegun
}

describe('P30: a database goes back in time while tablets hold what waits and what was answered', () => {
  test.each(Object.keys(ways))('%s: noticed, nothing lost, nothing doubled', async (name) => {
    let acts = 0
    for (let seed = 0; seed < seeds; seed++) {
      const outcome = await goBack(name, seed)
      expect(outcome, `seed ${seed}`).toMatchObject({ isNoticed: true, lost: 0, doubled: 0 })
      acts += outcome.acts
    }
    report(`P30 ${name}`, { seeds }, { acts, lost: 0, doubled: 0 })
  })

  test('a plant that only starts again begins no epoch, whatever its tablets did last', async () => {
    expect(await startAgain(STARTS)).toBe(false)
  })

  test('it notices a server that looks for receipts among recordings alone', async () => {
    expect(await startAgain(STARTS, 'receipts are looked for among recordings alone')).toBe(true)
  })

  test('it notices a server that believes no marks', async () => {
    const outcome = await goBack(
      'the machine goes back to a snapshot, with all that it had seen',
      0,
      'marks are not believed',
    )
    expect(outcome.isNoticed).toBe(false)
    expect(Math.min(outcome.lost, outcome.doubled)).toBeGreaterThan(0)
  })

  test('it notices tablets that do not say that they tried before', async () => {
    const outcome = await goBack('the command puts a backup back', 0, 'tablets forget that they tried')
    expect(outcome.doubled).toBeGreaterThan(0)
  })
})
