import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { onTestFinished } from 'vitest'
import type { Fault } from '../../../../demo/simulator/faults.ts'
import { type Random, randomFor } from '../../../../demo/simulator/random.ts'
import { makeSampleOrders } from '../../../../demo/simulator/sample-orders.ts'
import { freePort } from '../../../../deploy/galera/processes.ts'
import type { Junction } from '../../../../src/contract/junctions.ts'
import { RECEIVED } from '../../../../src/contract/receipts.ts'
import type { Role } from '../../../../src/contract/values.ts'
import { openMysql, openSqlite, openSqliteFile, withOurTransactions } from '../../../../src/server/store/db/db.ts'
import { type Database, ORDER, PASSWORD, temporaryFolder } from '../../harness.ts'
import { startOwnMariadb } from '../../mariadb.ts'
import { type PanelProcess, startPanel } from '../../panel.ts'
import { addPerson, type LivePanel, startLivePanel } from '../live-panel.ts'
import { SEED } from '../sizes.ts'
import { BRANCH, largeOrders } from '../workload.ts'
import { Person, type Plant, pause, reachedAt } from './plant.ts'
import { correctPending, decidePending, maintain, prepareTool, readOnly, takeBack } from './roles.ts'
import { beSentAway } from './sent-away.ts'
import { workAtTablet, workDirectly } from './tablets.ts'
import { Journal, readEpoch, readWorld, type World } from './world.ts'

type StormSize = { minutes: number; acts: number; kills: number }

/** Beside `operador` and `admin`. */
const people: Record<string, Role> = {
  ...{ ana: 'operador', rui: 'operador', visitante: 'operador', manutencao: 'manutencao', qualidade: 'qualidade' },
  ...{ lider: 'lider', consulta: 'consulta' },
}

/** Whatever an ERP does wrong: stores and says nothing, or else; stores nothing and says nothing, or else; stores late; is away. */
const weathers: readonly Fault[][] = [
  [],
  [{ id: 'F01', ms: 60, count: null, chance: 0.3 }],
  [
    { id: 'F06', variant: 'reset', count: null, chance: 0.1 },
    { id: 'F07', count: null, chance: 0.1 },
    { id: 'F36', count: null, chance: 0.1 },
  ],
  [
    { id: 'F05', count: null, chance: 0.1 },
    { id: 'F11', count: null, chance: 0.1 },
    { id: 'F39', count: null, chance: 0.2 },
  ],
  [{ id: 'F08', ms: 1500, count: null, chance: 0.1 }],
  [{ id: 'F31', variant: 'refused', count: null }],
]

/** Where the plant works, what can die there, and what its files are like afterwards. */
type Place = {
  live: LivePanel
  addresses: string[]
  killers: (() => Promise<void>)[]
  stopOthers: () => Promise<void>
  open: () => ReturnType<typeof openMysql>
  checkFiles: () => Promise<string>
}

const restartAfter = (panel: PanelProcess, signal: NodeJS.Signals) => async () => {
  await panel.kill(signal)
  await panel.restart()
}

async function onSqlite(piecesMin: number): Promise<Place> {
  const live = await startLivePanel({ piecesMin, simulator: { silenceMs: 300 } })
  const { panel } = live
  const file = join(panel.dataDir, 'painel.sqlite')
  return {
    live,
    addresses: [panel.url],
    killers: [restartAfter(panel, 'SIGKILL'), restartAfter(panel, 'SIGKILL'), restartAfter(panel, 'SIGTERM')],
    stopOthers: async () => undefined,
    open: () => openSqlite(withOurTransactions(openSqliteFile(file))),
    async checkFiles() {
      const raw = new Sqlite(file, { readonly: true })
      const integrity = raw.pragma('integrity_check', { simple: true })
      raw.close()
      return String(integrity)
    },
  }
}

/** What `CHECK TABLE` says of any table beside that it is well. */
async function checkTables(url: string): Promise<string> {
  const connection = await createConnection(url)
  const [tables] = await connection.query<RowDataPacket[]>('SHOW TABLES')
  const names = tables.map((row) => String(Object.values(row)[0])).join(', ')
  const [said] = await connection.query<RowDataPacket[]>(`CHECK TABLE ${names}`)
  await connection.end()
  const wrong = said
    .filter(({ Msg_text: text }) => text !== 'OK')
    .map(({ Table, Msg_text: text }) => `${Table}: ${text}`)
  return wrong.join('; ') || 'ok'
}

/** Two servers on one database, all three of which die. */
async function onMariadb(piecesMin: number): Promise<Place> {
  const mariadb = await startOwnMariadb()
  const env = { DATABASE_URL: mariadb.url, DOCUMENTS_DIR: temporaryFolder() }
  const live = await startLivePanel({ env, piecesMin, simulator: { silenceMs: 300 } })
  const second = await startPanel({ env: live.env, port: await freePort() })
  onTestFinished(() => second.stop())
  return {
    live,
    addresses: [live.panel.url, second.url],
    killers: [
      restartAfter(live.panel, 'SIGKILL'),
      async () => {
        await mariadb.kill()
        await mariadb.restart()
      },
      restartAfter(second, 'SIGKILL'),
      restartAfter(second, 'SIGTERM'),
    ],
    stopOthers: () => second.stop(),
    open: () => openMysql(mariadb.url),
    checkFiles: () => checkTables(mariadb.url),
  }
}

async function addPeople(plant: Plant, { panel, env }: LivePanel): Promise<void> {
  addPerson(panel, env, 'admin')
  const admin = new Person(plant, 'admin')
  for (const [username, role] of Object.entries(people)) {
    const payload = { username, fullName: `Pessoa ${username}`, role, password: PASSWORD }
    const answer = await admin.ask({ method: 'POST', url: '/api/usuarios', payload })
    if (answer?.statusCode !== 201) throw new Error(`no user ${username}: ${answer?.statusCode} ${answer?.body}`)
  }
}

const listUnreceived = (random: Random): string[] =>
  random.shuffled(
    makeSampleOrders()
      .filter(({ closed, branch }) => !closed && branch === BRANCH)
      .flatMap(({ rows }) => rows)
      .filter(({ Z1_CONFERE }) => Z1_CONFERE !== RECEIVED)
      .map(({ Z1_CODBAR }) => Z1_CODBAR),
  )

const startHands = (plant: Plant, randomOf: (purpose: string) => Random): Promise<unknown> =>
  Promise.all([
    ...['operador', 'ana', 'rui', 'qualidade'].map((name) => workAtTablet(plant, name, randomOf(`tablet ${name}`))),
    ...['operador', 'lider'].map((name) => workDirectly(plant, name, randomOf(`direct ${name}`))),
    beSentAway(plant, 'visitante', randomOf('visitante')),
    maintain(plant, randomOf('manutencao')),
    takeBack(plant, 'sample', randomOf('qualidade')),
    takeBack(plant, 'scrap', randomOf('lider undoes')),
    correctPending(plant, randomOf('lider')),
    decidePending(plant, randomOf('admin')),
    readOnly(plant, randomOf('consulta'), largeOrders.slice(0, 20)),
  ])

type Raging = { size: StormSize; weathers: readonly Fault[][] }

/** Kills and bad weather at the ERP until all of the size has been. Resolves to the number of kills. */
async function rage(plant: Plant, { killers }: Place, { size, weathers }: Raging, random: Random): Promise<number> {
  const endAt = performance.now() + size.minutes * 60_000
  let kills = 0
  let isWeathered = false
  const weather = async () => {
    for (const turns = { n: 0 }; !isWeathered; turns.n++) {
      await plant.simulator.state.setFaults(weathers[turns.n % weathers.length] ?? [])
      await pause(random.between(200, 1200))
    }
    await plant.simulator.state.setFaults([])
  }
  const weathering = weather()
  const isEnough = () => kills >= size.kills && performance.now() >= endAt && plant.journal.seen >= size.acts
  while (!isEnough() && !plant.isOver()) {
    await pause(random.between(300, 1500))
    // what was done meanwhile, as a share of all that there is to do, goes before the next death
    if (plant.journal.seen < (size.acts * (kills + 1)) / (size.kills + 1)) continue
    await killers[kills % killers.length]?.()
    kills++
  }
  isWeathered = true
  await weathering
  return kills
}

export type Storm = { world: World; kills: number; seen: number; seconds: number }

/**
 * Hands of all roles with acts of all kinds, while servers and database are killed and the ERP does everything wrong. Then all
 * that waits is delivered, and what the tables say is read beside what the ERP has and what people saw.
 */
export async function storm(database: Database, size: StormSize, mistakes?: 'storm-mistakes'): Promise<Storm> {
  const randomOf = (purpose: string) => randomFor(SEED, 'storm', database, purpose)
  const piecesMin = 20_000 + 3000 * size.minutes
  const place = await (database === 'mariadb' ? onMariadb : onSqlite)(piecesMin)
  const { live } = place
  const journal = new Journal()
  const servers = place.addresses.map((address) => reachedAt(address, journal))
  const choice = randomOf('servers')
  let isOver = false
  const plant: Plant = {
    journal,
    simulator: live.simulator,
    sections: live.sections,
    positions: [],
    unreceived: listUnreceived(randomOf('receipts')),
    reach: () => choice.pick(servers),
    isOver: () => isOver,
    mustDoAll: mistakes === undefined,
  }
  await addPeople(plant, live)
  await prepareTool(plant)
  const junctions = await new Person(plant, 'ana').read<{ items: Junction[] }>(
    `/api/juncao/obter-juncoes?filial=${BRANCH}&numeroOp=${ORDER}`,
  )
  // most presses are of the one that takes what is pressed; the others refuse its terminal
  const positions = junctions?.items.map(({ Z8_POSICAO }) => Z8_POSICAO) ?? []
  plant.positions.push(...positions, ...positions.map(() => 'J01'))
  if (mistakes) await live.restartWith(mistakes)
  const before = place.open()
  const epoch = await readEpoch(before)
  await before.close()
  const begunAt = performance.now()
  const end = () => {
    isOver = true
  }
  // over too where a hand has seen what must not be: nothing is to be started any more then
  const hands = startHands(plant, randomOf).catch((error: unknown) => {
    end()
    throw error
  })
  const given = { size, weathers: mistakes ? [] : weathers }
  const raging = rage(plant, place, given, randomOf('kills')).finally(end)
  await Promise.allSettled([raging, hands])
  const [kills] = await Promise.all([raging, hands])
  const seconds = (performance.now() - begunAt) / 1000
  await place.stopOthers()
  // none of the mistakes shows in what the ERP leaves open: that is not waited for
  await (mistakes ? live.panel.kill('SIGTERM') : live.finish())
  const db = place.open()
  const world = await readWorld(db, live.simulator, journal, { epoch, integrity: await place.checkFiles() })
  await db.close()
  return { world, kills, seen: journal.seen, seconds }
}
