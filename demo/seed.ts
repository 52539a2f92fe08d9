import { randomBytes } from 'node:crypto'
import type { Config } from '../src/server/config.ts'
import { setPassword } from '../src/server/features/users.ts'
import type { Context } from '../src/server/panel.ts'
import type { Demonstration } from '../src/server/start.ts'
import { insertSealingStation } from '../src/server/store/sealing-stations.ts'
import { findSetting, keepSetting } from '../src/server/store/settings.ts'
import { countUsers, findUserByName, insertUser } from '../src/server/store/users.ts'
import { sampleUsers } from '../src/server/upkeep/database-kind.ts'
import { makePastWork, SAMPLE_LOT, seedPastWork } from './history.ts'
import { seedCalls } from './sample-calls.ts'
import { seedContainments } from './sample-containments.ts'
import { keepSampleFiles, seedDocuments } from './sample-documents.ts'
import { seedFindings } from './sample-findings.ts'
import { seedMeasurements } from './sample-measurements.ts'
import { seedPlans } from './sample-plans.ts'
import { makePastScraps, seedScraps } from './sample-scraps.ts'
import { sampleUnits, seedCare, seedUnits, toolsInUse } from './sample-tools.ts'
import { makePastOrders } from './simulator/past-orders.ts'
import { sampleSeals } from './simulator/sample-catalogue.ts'
import type { ErpSimulator } from './simulator/simulator.ts'
import { ordersText, startStandIn } from './stand-in.ts'

/** The ERP of the demonstration. */
const startErp = ({ dataDir, demoErp }: Config): Promise<ErpSimulator> => startStandIn(dataDir, demoErp)

/** Fills an empty database with users, look-ups, 24 months of counted crimps, work to trace and calls; leaves any other as it is. */
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
    const scraps = makePastScraps({ config, now: now(), past })
    await seedUnits({ tx, config, now: now(), past, scraps }, units)
    await seedPastWork(tx, past)
    await seedCare({ tx, config, now: now() }, units)
    await seedDocuments(tx, files, now())
    await seedPlans(tx, now(), config.timeZone)
    await seedMeasurements({ tx, config, now: now(), past })
    await seedCalls({ tx, config, now: now() })
    await seedFindings(tx, past)
    await seedScraps(tx, scraps)
    await seedContainments({ tx, config, now: now() })
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
