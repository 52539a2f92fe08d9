import { randomBytes } from 'node:crypto'
import { addMonths, dayStartMs, plantDay } from '../src/domain/plant-time.ts'
import { nameKey } from '../src/domain/recordings.ts'
import type { Config } from '../src/server/config.ts'
import { setPassword } from '../src/server/features/users.ts'
import type { Context } from '../src/server/panel.ts'
import type { Demonstration } from '../src/server/start.ts'
import { addCrimps, ensureUnit, insertApplicator } from '../src/server/store/applicators.ts'
import { resetCounter, scheduleMaintenance } from '../src/server/store/crimp-counters.ts'
import { addProduction } from '../src/server/store/daily-production.ts'
import type { Tx } from '../src/server/store/db/db.ts'
import { insertSealingStation } from '../src/server/store/sealing-stations.ts'
import { findSetting, keepSetting } from '../src/server/store/settings.ts'
import { countUsers, findUserByName, insertUser } from '../src/server/store/users.ts'
import { sampleUsers } from '../src/server/upkeep/database-kind.ts'
import { makePastWork, type PastWork, SAMPLE_LOT, seedPastWork, type Tools } from './history.ts'
import { keepSampleFiles, seedDocuments } from './sample-documents.ts'
import { makePastOrders } from './simulator/past-orders.ts'
import { sampleSeals, sampleTerminals } from './simulator/sample-catalogue.ts'
import type { ErpSimulator } from './simulator/simulator.ts'
import { ordersText, startStandIn } from './stand-in.ts'

/** The ERP of the demonstration. */
const startErp = ({ dataDir, demoErp }: Config): Promise<ErpSimulator> =>
  startStandIn(dataDir, {
    profile: demoErp.profile,
    speed: demoErp.speed,
    lookup: demoErp.lookup === 'id',
    dedup: demoErp.lookup === 'id',
  })

const DAY_MS = 86_400_000
const MONTHS = 24
const unlimited = -1

/** A tool this worn makes more in a month than all past work asks of it. */
const IN_USE_SHARE_MIN = 0.15

type SampleUnit = { name: string; terminal: string; usedShare: number; limitCrimps: number }

/**
 * 30 mini applicators: three at or over their limit, two unlimited, the rest spread below. T1326030 has two, one at
 * 97 % and one new; T0925590 has none, so that 'Sem Cadastro' can be seen.
 */
function sampleUnits(): SampleUnit[] {
  const terminals = sampleTerminals.filter((code) => code !== 'T1326030' && code !== 'T0925590')
  const shares = [1.3, 1.12, 1, 0.94, 0.86, 0.81]
  const rest = Array.from({ length: 28 }, (_, at) => ({
    name: `MA-${String(at + 3).padStart(4, '0')}`,
    terminal: terminals[at % terminals.length] ?? '',
    usedShare: shares[at] ?? ((at * 37) % 79) / 100,
    limitCrimps: at === 10 || at === 20 ? unlimited : 100_000,
  }))
  return [
    { name: 'MA-0001', terminal: 'T1326030', usedShare: 0.97, limitCrimps: 100_000 },
    { name: 'MA-0002', terminal: 'T1326030', usedShare: 0, limitCrimps: 100_000 },
    ...rest,
  ]
}

/** Fills an empty database with users, look-ups, 24 months of counted crimps and work to trace; leaves any other as it is. */
export async function seedDemonstration({ db, passwords, config, now }: Context): Promise<void> {
  if ((await countUsers(db.read)) > 0) return
  const users = await Promise.all(
    sampleUsers.map(async (user) => ({ ...user, passwordHash: await passwords.hash(user.username) })),
  )
  const files = await keepSampleFiles(config.documentsDir)
  await db.transaction(async (tx) => {
    for (const user of users) await insertUser(tx, { ...user, createdAt: now() })
    const units = sampleUnits()
    const tools = toolsInUse(units)
    const orders = makePastOrders(config.plants[0]?.code ?? '', new Set(tools.keys()))
    const past = makePastWork(orders, { config, now: now(), tools })
    for (const unit of units) await seedUnit({ tx, config, now: now(), past }, unit)
    await seedPastWork(tx, past)
    await seedDocuments(tx, files, now())
    // the last seal has no station
    for (const [at, seal] of sampleSeals.slice(0, -1).entries()) {
      await insertSealingStation(tx, {
        seal,
        sealingStationName: `Seladora ${String(at + 1).padStart(2, '0')}`,
        at: now(),
      })
    }
  })
}

/** Null: nobody is told it any more. */
type DemonstrationLogin = { username: string; password: string | null }

const DRAWN = 'demonstration-passwords-drawn'

/** How its users log in. On a network each password that everybody knows becomes another, which is told this once. */
async function openLogins(context: Context): Promise<DemonstrationLogin[]> {
  const { db, config, passwords, now } = context
  const logins: DemonstrationLogin[] = []
  if (!config.demoOnLan) {
    const isDrawn = (await findSetting(db.read, DRAWN)) !== null
    return sampleUsers.map(({ username }) => ({ username, password: isDrawn ? null : username }))
  }
  await db.transaction((tx) => keepSetting(tx, DRAWN, '1'))
  const caller = { userId: 0, username: 'painel' }
  for (const { username } of sampleUsers) {
    const user = await findUserByName(db.read, username)
    const isKnown = user !== null && (await passwords.verify(username, user.passwordHash))
    const password = isKnown ? randomBytes(9).toString('base64url') : null
    if (user && password) await setPassword({ db, passwords, config, now, caller }, user.id, { password, spared: null })
    logins.push({ username, password })
  }
  return logins
}

const loginsText = (logins: readonly DemonstrationLogin[]): string =>
  logins.some(({ password }) => password === null)
    ? `${logins.map(({ username, password }) => (password ? `${username} / ${password}` : username)).join(', ')} (senhas mostradas só quando sorteadas; outra: npm run user -- password NOME)`
    : logins.map(({ username, password }) => `${username} / ${password}`).join('   ')

/** Crimps of the cycle that ended a year ago, of those that have had a maintenance since they are counted. */
const crimpsBefore: Record<string, number> = { 'MA-0006': 101_240, 'MA-0008': 98_700, 'MA-0012': 104_310 }

/** Of a terminal, the tool that past work was done with. MA-0001 is left for whoever tries it. */
const toolsInUse = (units: readonly SampleUnit[]): Tools =>
  new Map(
    units
      .filter(({ name, usedShare }) => name !== 'MA-0001' && usedShare >= IN_USE_SHARE_MIN && !(name in crimpsBefore))
      .map(({ name, terminal }) => [terminal, name]),
  )

type Seeding = { tx: Tx; config: Config; now: number; past: PastWork }

async function seedUnit(seeding: Seeding, unit: SampleUnit): Promise<void> {
  const { tx, config, now } = seeding
  const { name, terminal, limitCrimps, usedShare } = unit
  await ensureUnit(tx, { name, limitCrimps, at: now })
  await insertApplicator(tx, { terminal, miniaplicator: name, at: now - MONTHS * 30 * DAY_MS })
  const total = Math.round(100_000 * usedShare)
  const before = crimpsBefore[name]
  const half = MONTHS / 2
  if (before === undefined) return await seedMonths(seeding, unit, { from: 0, to: MONTHS, total })
  await seedMonths(seeding, unit, { from: 0, to: half, total: before })
  await seedMaintenance(tx, unit, now - half * 30 * DAY_MS, config)
  await seedMonths(seeding, unit, { from: half, to: MONTHS, total })
}

/** Planned five days before it was done. */
async function seedMaintenance(tx: Tx, { name, limitCrimps }: SampleUnit, at: number, config: Config): Promise<void> {
  const by = { name, versionSeen: null, userId: 1, changedBy: 'Maria Souza' }
  await scheduleMaintenance(
    tx,
    { ...by, at: at - 5 * DAY_MS },
    {
      serviceOrder: 20_000 + Number(name.slice(-4)),
      maintenanceDate: plantDay(at, config.timeZone),
      comments: 'Trocar faca e bigorna',
    },
  )
  await resetCounter(tx, { ...by, at }, { limitOfCrimps: limitCrimps, done: {} })
}

type Months = { from: number; to: number; total: number }

/** What past work counts by itself in a month before this start. */
const crimpsOfPast = ({ past, now }: Seeding, name: string, month: number): number =>
  past.recordings
    .filter(({ applicator, receivedAt }) => {
      const monthsAgo = Math.floor((now - receivedAt) / (30 * DAY_MS))
      return applicator === name && MONTHS - 1 - monthsAgo === month
    })
    .reduce((sum, { pieces }) => sum + pieces, 0)

async function seedMonths(seeding: Seeding, unit: SampleUnit, months: Months): Promise<void> {
  const { tx, config, now } = seeding
  const { name, terminal } = unit
  const { from, to, total } = months
  const until = (month: number) => Math.round((total * (month - from)) / (to - from))
  for (let month = from; month < to; month++) {
    // the difference of two roundings: the months add up to the total exactly
    const crimps = until(month + 1) - until(month) - crimpsOfPast(seeding, name, month)
    if (crimps < 0) throw new Error(`past work wears ${name} more than its month does`)
    if (crimps === 0) continue
    // one in each month of the calendar, whatever day it is: thirty days before 1 March there is no February
    const productionDay = addMonths(plantDay(now - DAY_MS, config.timeZone), month + 1 - MONTHS)
    const at = dayStartMs(productionDay, config.timeZone) + DAY_MS / 2
    const unitKey = nameKey(name)
    await addCrimps(tx, { recordingId: `sample:${name}:${month}`, reason: 'sample', unitKey, crimps, at })
    const day = {
      productionDay,
      branch: config.plants[0]?.code ?? '',
      part: 'l1' as const,
      orderNumber: '',
      machine: 'PR0001 - Schäfer',
      operator: 'Maria Souza',
      unitKey,
      terminal,
    }
    await addProduction(tx, day, { pieces: crimps, recordings: 1 })
  }
}

/** What the person who started the demonstration may try first. */
function introductionOf(erpUrl: string, logins: readonly DemonstrationLogin[]): string {
  return [
    'Demonstração, com um ERP simulado e dados de exemplo.',
    `Usuários: ${loginsText(logins)}`,
    'Ordens de produção e códigos de barras para experimentar:',
    ordersText(),
    `Lote para rastrear (Relatórios, Rastreabilidade): ${SAMPLE_LOT}`,
    `ERP simulado: ${erpUrl}`,
    'Para ver o ERP falhar: npm run fault -- --list',
  ].join('\n')
}

export const demonstration: Demonstration = {
  startErp,
  async seed(context, erpUrl) {
    await seedDemonstration(context)
    return introductionOf(erpUrl, await openLogins(context))
  },
}
