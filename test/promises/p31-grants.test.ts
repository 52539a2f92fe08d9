import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { randomFor } from '../../demo/simulator/random.ts'
import { type CallTeam, callTeams } from '../../src/contract/values.ts'
import { listCounterDeviations } from '../../src/server/store/applicators.ts'
import { beginEpoch } from '../../src/server/store/epochs.ts'
import { personOf, startDirectory } from '../support/directory/responder.ts'
import { addUser, callOf, crimpOf, type Database, databases, measurementOf, scrapOf } from '../support/harness.ts'
import { report } from '../support/promises/report.ts'
import { SEED, sizeOf } from '../support/promises/sizes.ts'
import { aboutTeam } from '../support/promises/without-erp.ts'
import { openStation } from '../support/station.ts'
import { browserOf, grantOf, type Pair, pairOf, sessionOf } from '../support/visitor.ts'
import { savedOnTablet, setUp as setUpWaiting } from '../support/waiting.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** In a burst: more than a device may deliver at once without a live session. */
const BURST = 320

/** A panel with a directory beside its local users. */
const setUp = async (options: { database?: Database } = {}) => {
  const directory = await startDirectory()
  onTestFinished(() => directory.close())
  return { ...(await setUpWaiting({ ...options, env: directory.env })), directory }
}
type Panel = Awaited<ReturnType<typeof setUp>>
type Becomes = 'counted' | 'retained' | 'refused'
type Act = 'recording' | 'sample' | 'scrap' | CallTeam
type Tablet = {
  kind: string
  becomes: Becomes
  grant: Pick<Pair, 'deliveryGrant' | 'device'>
  /** What it has made, by id. */
  acts: Map<string, Act>
}

const adminSets = (panel: Panel, path: string, payload: object) =>
  panel.ask(panel.admin, { method: 'PUT', url: `/api/usuarios/${path}`, payload })
const userId = async ({ db }: Panel, username: string) =>
  (await db.read.selectFrom('users').select('id').where('username', '=', username).executeTakeFirstOrThrow()).id
const endedAt = (panel: Panel, pair: Pair, at: number) =>
  panel.db.transaction(async (tx) => {
    const session = JSON.parse(
      Buffer.from(String(pair.deliveryGrant).split('.')[0] ?? '', 'base64url').toString(),
    ).session
    await tx.updateTable('sessions').set({ revoked_at: at, ended_why: 'logout' }).where('id', '=', session).execute()
  })
const tampered = (grant: string | null) => `${String(grant).slice(0, -4)}AAAA`

type Enter = (panel: Panel, username: string) => Promise<Pair>

const byPassword =
  (happens: (panel: Panel, pair: Pair, username: string) => Promise<unknown> = async () => undefined): Enter =>
  async (panel, username) => {
    await addUser(panel.context, { username })
    const pair = pairOf(await browserOf(panel).login(username))
    const happened = (await happens(panel, pair, username)) as { statusCode?: number } | undefined
    expect(happened?.statusCode ?? 200, username).toBe(200)
    return pair
  }

type Station = Awaited<ReturnType<typeof openStation>>
/** On a station of its own. */
const byBadge =
  (happens: (station: Station, username: string) => Promise<unknown>): Enter =>
  async (panel, username) => {
    await addUser(panel.context, { username })
    const station = await openStation(panel, 'admin')
    const pair = station.pairOf(await station.scan(await station.giveBadge(username)))
    await happens(station, username)
    return pair
  }

const byDirectory =
  (happens: (panel: Panel) => Promise<unknown>): Enter =>
  async (panel, username) => {
    panel.directory.people.push(personOf(username))
    const pair = pairOf(await browserOf(panel).login(username, 'senha-do-diretório'))
    await happens(panel)
    return pair
  }

/** How the person of each tablet comes in, what happens to session or grant, and what becomes of the work. */
const fates: Record<string, [Becomes, Enter]> = {
  live: ['counted', byPassword()],
  'logged out': ['counted', byPassword((panel, pair) => browserOf(panel).logout(pair))],
  'logged out 6 days ago': [
    'counted',
    byPassword((panel, pair) => endedAt(panel, pair, panel.clock.now() - 6 * DAY_MS)),
  ],
  'logged out 8 days ago': [
    'retained',
    byPassword((panel, pair) => endedAt(panel, pair, panel.clock.now() - 8 * DAY_MS)),
  ],
  deactivated: [
    'retained',
    byPassword(async (panel, _, username) =>
      adminSets(panel, String(await userId(panel, username)), { active: false }),
    ),
  ],
  'another password': [
    'retained',
    byPassword(async (panel, _, username) =>
      adminSets(panel, `${await userId(panel, username)}/senha`, { password: 'chicote-azul-7' }),
    ),
  ],
  'another browser': ['retained', byPassword(async (_, pair) => void Object.assign(pair, { device: 'x'.repeat(43) }))],
  'without its cookie': ['retained', byPassword(async (_, pair) => void Object.assign(pair, { device: null }))],
  forged: [
    'refused',
    byPassword(async (_, pair) => void Object.assign(pair, { deliveryGrant: tampered(pair.deliveryGrant) })),
  ],
  'the next badge': [
    'counted',
    byBadge(async (station) => expect((await station.scan(await station.giveBadge('outro'))).statusCode).toBe(200)),
  ],
  'badge revoked': ['retained', byBadge((station, username) => station.revokeBadge(username))],
  'station taken back': ['retained', byBadge((station) => station.takeBack())],
  'in the directory': ['counted', byDirectory(async () => undefined)],
  'left the directory': [
    'retained',
    byDirectory(async ({ directory, clock, context }) => {
      directory.people.pop()
      clock.advance(15 * MINUTE_MS)
      await context.directory?.look()
    }),
  ],
}

async function openTablets(panel: Panel): Promise<Tablet[]> {
  const tablets: Tablet[] = []
  for (const [kind, [becomes, enter]] of Object.entries(fates)) {
    tablets.push({ kind, becomes, grant: await enter(panel, `p${tablets.length}`), acts: new Map() })
  }
  return tablets
}

const captura = { salvoNoDispositivo: true }
/** No other joins it. */
const callOfTeam =
  (team: CallTeam, more: (id: string) => object = () => ({})) =>
  (id: string) => ({
    url: '/api/chamados',
    payload: callOf({ maquina: id.slice(0, 8), captura, ...aboutTeam(team), ...more(id) }),
  })
const requestOf: Record<Act, (id: string) => { url: string; payload: object }> = {
  recording: () => ({ url: '/api/apontamentos/corte-crimpagem', payload: savedOnTablet(crimpOf(1)) }),
  sample: () => ({ url: '/api/medicoes', payload: measurementOf({ captura }) }),
  // its tool's counter is compared with the recordings
  scrap: () => ({ url: '/api/refugos', payload: scrapOf({ captura, miniaplicador: 'Sem Cadastro' }) }),
  manutencao: callOfTeam('manutencao'),
  qualidade: callOfTeam('qualidade', (medicao) => ({ medicao })),
  material: callOfTeam('material'),
  lider: callOfTeam('lider'),
}

type Authority = ReturnType<typeof grantOf> | ReturnType<typeof sessionOf>

/** Again where a budget is spent, as tablets do. */
async function send({ app, clock }: Panel, authority: Authority, id: string, act: Act): Promise<number> {
  for (;;) {
    const headers = { ...authority, 'idempotency-key': id }
    const answer = await app.inject({ method: 'POST', headers, ...requestOf[act](id) })
    if (answer.statusCode !== 429) return answer.statusCode
    const seconds = Number(answer.headers['retry-after'])
    expect(seconds).toBeGreaterThan(0)
    clock.advance(seconds * 1000)
  }
}

async function deliver(panel: Panel, { grant, acts }: Tablet, id: string, act: Act = 'recording'): Promise<number> {
  acts.set(id, act)
  return await send(panel, grantOf(grant), id, act)
}

/** As though nobody had written down why sessions ended, or who is out. */
const forgetEnds = (panel: Panel) =>
  panel.db.transaction(async (tx) => {
    await tx.updateTable('sessions').set({ ended_why: null }).execute()
    await tx.updateTable('users').set({ active: 1 }).execute()
  })

/** Ids of what counts, and of what is there and does not. */
async function fatesIn({ db }: Panel, recorded: ReadonlySet<string>) {
  const stored = await db.read.selectFrom('retained_deliveries').select('id').where('state', '=', 'open').execute()
  const samples = await db.read.selectFrom('measurements').select(['act_id as id', 'counted as isGood']).execute()
  const calls = await db.read.selectFrom('maintenance_calls').select(['id', 'trusted as isGood']).execute()
  const scraps = await db.read.selectFrom('scraps').select(['id', 'trusted as isGood']).execute()
  // of a recording its own values are samples too
  const others = [...samples.filter(({ id }) => !recorded.has(id)), ...calls, ...scraps]
  const idsOf = (isGood: number) => others.filter((one) => one.isGood === isGood).map(({ id }) => id)
  return {
    counted: new Set([...recorded, ...idsOf(1)]),
    retained: new Set([...stored.map(({ id }) => id), ...idsOf(0)]),
  }
}

/** Acts that have become something else than they should, and how many count. */
async function misjudged(panel: Panel, tablets: readonly Tablet[]) {
  const { db, simulator } = panel
  const recorded = new Set((await db.read.selectFrom('recordings').select('id').execute()).map(({ id }) => id))
  const { counted, retained } = await fatesIn(panel, recorded)
  const wrong: string[] = []
  for (const { kind, becomes, acts } of tablets)
    for (const [id, act] of acts) {
      const is = counted.has(id) ? (retained.has(id) ? 'both' : 'counted') : retained.has(id) ? 'retained' : 'refused'
      if (is !== becomes) wrong.push(`${kind} ${act} ${is}`)
    }
  expect(await panel.crimps()).toBe(recorded.size)
  expect(await listCounterDeviations(db.read)).toEqual([])
  const sentIds = new Set(simulator.state.writes.map(({ id }) => id))
  expect(
    [...sentIds].filter((id) => !recorded.has(id)),
    'at the ERP without being counted',
  ).toEqual([])
  expect(simulator.state.writes.length, 'doubled').toBe(sentIds.size)
  return { wrong, counted: counted.size, retained: retained.size }
}

/** Those who still can log in, and bring what was retained under a session that is good: it counts then, of every kind. */
async function bringAgain(panel: Panel, tablets: readonly Tablet[]): Promise<number> {
  let brought = 0
  for (const [at, tablet] of tablets.entries()) {
    const answer = await browserOf(panel).login(`p${at}`)
    if (tablet.becomes !== 'retained' || answer.statusCode !== 200) continue
    tablet.becomes = 'counted'
    for (const [id, act] of tablet.acts) {
      await send(panel, sessionOf(pairOf(answer)), id, act)
      brought++
    }
  }
  panel.errors.splice(0)
  return brought
}

async function run(database: Database, deliveries: number, isForgetful = false) {
  const random = randomFor(SEED, 'p31', database)
  const panel = await setUp({ database })
  // whatever comes is more than the order has: the rules park it, and it counts as made
  const tablets = await openTablets(panel)
  if (isForgetful) await forgetEnds(panel)
  const wrong: string[] = []
  for (let sent = 0; sent < deliveries; sent++) {
    const tablet = random.pick(tablets)
    const made = [...tablet.acts.keys()]
    const id = (sent % 10 === 9 && made[0]) || randomUUID()
    const act =
      tablet.acts.get(id) ?? random.pick<Act>(['recording', 'recording', 'sample', 'scrap', random.pick(callTeams)])
    const status = await deliver(panel, tablet, id, act)
    if ((status === 401) !== (tablet.becomes === 'refused')) wrong.push(`${tablet.kind} ${status}`)
    // a restore meanwhile: whoever was logged in is logged out, and what waits is asked about
    if (sent === Math.floor(deliveries / 2)) await panel.db.transaction((tx) => beginEpoch(tx, panel.clock.now()))
  }
  panel.errors.splice(0)
  const first = await misjudged(panel, tablets)
  const brought = await bringAgain(panel, tablets)
  const then = await misjudged(panel, tablets)
  return { ...first, wrong: [...wrong, ...first.wrong, ...then.wrong], brought }
}

describe.each(databases)('P31: what comes without a live session, on %s,', (database) => {
  test('is counted, retained or refused as its grant deserves, and only that', async () => {
    const { deliveries } = sizeOf('p31')
    const { wrong, counted, retained, brought } = await run(database, deliveries)
    report(`P31 ${database}`, { deliveries }, { counted, retained, brought, wrong: wrong.length })
    expect(wrong).toEqual([])
    expect(Math.min(counted, retained, brought)).toBeGreaterThan(0)
  })
})

test('P31 notices ends of sessions that nobody wrote down', async () => {
  const { wrong } = await run('sqlite', sizeOf('p31').deliveries, true)
  expect(wrong.length).toBeGreaterThan(0)
})

test('P31: a flood of one device is held to its budget, loses nothing and holds up nobody else', async () => {
  const panel = await setUp()
  const [live, flooding] = [await openTablets(panel), pairOf(await browserOf(panel).login('outro'))]
  const tablet: Tablet = { kind: 'flood', becomes: 'counted', grant: flooding, acts: new Map() }
  const begun = panel.clock.now()
  for (let sent = 0; sent < BURST; sent++) {
    await deliver(panel, tablet, randomUUID())
    const other = live.find(({ becomes }) => becomes === 'counted')
    if (other && sent % 50 === 0) expect(await deliver(panel, other, randomUUID())).toBe(202)
  }
  panel.errors.splice(0)
  const stored = await panel.db.read.selectFrom('recordings').select('id').execute()
  expect([...tablet.acts.keys()].filter((id) => !stored.some((row) => row.id === id))).toEqual([])
  expect(panel.clock.now() - begun, 'one a second after the first 300').toBeGreaterThanOrEqual((BURST - 300) * 1000)
})
