import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { randomFor } from '../../demo/simulator/random.ts'
import { listCounterDeviations } from '../../src/server/store/applicators.ts'
import { beginEpoch } from '../../src/server/store/epochs.ts'
import { personOf, startDirectory } from '../support/directory/responder.ts'
import { addUser, crimpOf, type Database, databases } from '../support/harness.ts'
import { report } from '../support/promises/report.ts'
import { SEED, sizeOf } from '../support/promises/sizes.ts'
import { openStation } from '../support/station.ts'
import { browserOf, grantOf, type Pair, pairOf } from '../support/visitor.ts'
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
type Tablet = { kind: string; becomes: Becomes; grant: Pick<Pair, 'deliveryGrant' | 'device'>; ids: Set<string> }

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
    tablets.push({ kind, becomes, grant: await enter(panel, `p${tablets.length}`), ids: new Set() })
  }
  return tablets
}

async function deliver(panel: Panel, { grant }: Tablet, id: string, pieces: number): Promise<number> {
  const { app, clock } = panel
  for (;;) {
    const headers = { ...grantOf(grant), 'idempotency-key': id }
    const url = '/api/apontamentos/corte-crimpagem'
    const answer = await app.inject({ method: 'POST', url, headers, payload: savedOnTablet(crimpOf(pieces)) })
    if (answer.statusCode !== 429) return answer.statusCode
    const seconds = Number(answer.headers['retry-after'])
    expect(seconds).toBeGreaterThan(0)
    clock.advance(seconds * 1000)
  }
}

/** As though nobody had written down why sessions ended, or who is out. */
const forgetEnds = (panel: Panel) =>
  panel.db.transaction(async (tx) => {
    await tx.updateTable('sessions').set({ ended_why: null }).execute()
    await tx.updateTable('users').set({ active: 1 }).execute()
  })

async function run(database: Database, deliveries: number, isForgetful = false) {
  const random = randomFor(SEED, 'p31', database)
  const panel = await setUp({ database })
  const { db } = panel
  // whatever comes is more than the order has: the rules park it, and it counts as made
  const tablets = await openTablets(panel)
  if (isForgetful) await forgetEnds(panel)
  const wrong: string[] = []
  for (let sent = 0; sent < deliveries; sent++) {
    const tablet = random.pick(tablets)
    const id = sent % 10 === 9 ? ([...tablet.ids][0] ?? randomUUID()) : randomUUID()
    tablet.ids.add(id)
    const status = await deliver(panel, tablet, id, 1)
    if ((status === 401) !== (tablet.becomes === 'refused')) wrong.push(`${tablet.kind} ${status}`)
    // a restore meanwhile: whoever was logged in is logged out, and what waits is asked about
    if (sent === Math.floor(deliveries / 2)) await db.transaction((tx) => beginEpoch(tx, panel.clock.now()))
  }
  panel.errors.splice(0)
  const idsOf = async (table: 'recordings' | 'retained_deliveries') =>
    new Set((await db.read.selectFrom(table).select('id').execute()).map(({ id }) => id))
  const [counted, retained] = [await idsOf('recordings'), await idsOf('retained_deliveries')]
  for (const { kind, becomes, ids } of tablets)
    for (const id of ids) {
      const is = counted.has(id) ? (retained.has(id) ? 'both' : 'counted') : retained.has(id) ? 'retained' : 'refused'
      if (is !== becomes) wrong.push(`${kind} ${is}`)
    }
  expect(await panel.crimps()).toBe(counted.size)
  expect(await listCounterDeviations(db.read)).toEqual([])
  const sentIds = new Set(panel.simulator.state.writes.map(({ id }) => id))
  expect(
    [...sentIds].filter((id) => !counted.has(id)),
    'at the ERP without being counted',
  ).toEqual([])
  expect(panel.simulator.state.writes.length, 'doubled').toBe(sentIds.size)
  return { panel, wrong, counted: counted.size, retained: retained.size }
}

describe.each(databases)('P31: what comes without a live session, on %s,', (database) => {
  test('is counted, retained or refused as its grant deserves, and only that', async () => {
    const { deliveries } = sizeOf('p31')
    const { wrong, counted, retained } = await run(database, deliveries)
    report(`P31 ${database}`, { deliveries }, { counted, retained, wrong: wrong.length })
    expect(wrong).toEqual([])
    expect(Math.min(counted, retained)).toBeGreaterThan(0)
  })
})

test('P31 notices ends of sessions that nobody wrote down', async () => {
  const { wrong } = await run('sqlite', sizeOf('p31').deliveries, true)
  expect(wrong.length).toBeGreaterThan(0)
})

test('P31: a flood of one device is held to its budget, loses nothing and holds up nobody else', async () => {
  const panel = await setUp()
  const [live, flooding] = [await openTablets(panel), pairOf(await browserOf(panel).login('outro'))]
  const tablet: Tablet = { kind: 'flood', becomes: 'counted', grant: flooding, ids: new Set() }
  const begun = panel.clock.now()
  for (let sent = 0; sent < BURST; sent++) {
    const id = randomUUID()
    tablet.ids.add(id)
    await deliver(panel, tablet, id, 1)
    const other = live.find(({ becomes }) => becomes === 'counted')
    if (other && sent % 50 === 0) expect(await deliver(panel, other, randomUUID(), 1)).toBe(202)
  }
  panel.errors.splice(0)
  const stored = await panel.db.read.selectFrom('recordings').select('id').execute()
  expect([...tablet.ids].filter((id) => !stored.some((row) => row.id === id))).toEqual([])
  expect(panel.clock.now() - begun, 'one a second after the first 300').toBeGreaterThanOrEqual((BURST - 300) * 1000)
})
