import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { endpoints } from '../../src/contract/endpoints.ts'
import { junctions } from '../../src/contract/junctions.ts'
import { maintenanceCalls } from '../../src/contract/maintenance-calls.ts'
import { measurements } from '../../src/contract/measurements.ts'
import { receipts } from '../../src/contract/receipts.ts'
import { recordings } from '../../src/contract/recordings.ts'
import { scraps } from '../../src/contract/scraps.ts'
import { type ActTable, actKinds, isKnownAct } from '../../src/server/store/act-kinds.ts'
import { openDb } from '../../src/server/store/db/db.ts'
import { listUndecided } from '../../src/server/store/epoch-witnesses.ts'
import { bringFutureBack } from '../../src/server/store/future-times.ts'
import { listPersonLines } from '../../src/server/store/person-lines.ts'
import { takeSnapshot } from '../../src/server/store/snapshots.ts'
import { unnameOldOperators } from '../../src/server/upkeep/operator-retention.ts'
import { callOf, crimpOf, joinOf, measurementOf, scrapOf, temporaryFolder, UNTOUCHED } from '../support/harness.ts'
import { isDoubtedAct, listActIds } from '../support/stored-acts.ts'
import { browserOf, grantOf, pairOf, sameOrigin, sessionOf } from '../support/visitor.ts'
import { setUp as setUpWaiting } from '../support/waiting.ts'

const DAY_MS = 86_400_000

/** One act of each kind as a tablet delivers it, and what must become of it. */
type Drawn = {
  kind: string
  path: string
  payload: object
  table: ActTable
  receivedAt: string
  line: string
  isDoubted: boolean
}

const recorded = { kind: 'a recording', table: 'recordings', receivedAt: 'received_at', line: 'recording' } as const
const pressed = { path: maintenanceCalls.open.path, payload: callOf() }
const drawn: Drawn[] = [
  { ...recorded, path: recordings.createCutCrimp.path, payload: crimpOf(1), isDoubted: true },
  { ...recorded, path: junctions.record.path, payload: joinOf(1), isDoubted: true },
  {
    ...recorded,
    path: receipts.confirm.path,
    payload: { filial: '010101', codigoBarras: UNTOUCHED },
    isDoubted: true,
  },
  {
    ...{ kind: 'a sample', path: measurements.create.path, payload: measurementOf() },
    ...{ table: 'measurements', receivedAt: 'received_at', line: 'sample', isDoubted: true },
  },
  {
    ...{ kind: 'scrap', path: scraps.create.path, payload: scrapOf() },
    ...{ table: 'scraps', receivedAt: 'received_at', line: 'saved', isDoubted: true },
  },
  {
    ...{ kind: 'a call for maintenance', ...pressed },
    ...{ table: 'maintenance_calls', receivedAt: 'received_at', line: 'opened', isDoubted: true },
  },
  {
    ...{ kind: 'a press that joined a call', ...pressed },
    ...{ table: 'maintenance_call_joins', receivedAt: 'joined_at', line: 'joined', isDoubted: false },
  },
]

/** It joins none that is open. */
const OTHER_CALL = callOf({ sintoma: 'maquina-parada' })

type Done = Drawn & { id: string; receipt: string; doubted: string }

async function setUp() {
  const file = join(temporaryFolder(), 'painel.sqlite')
  const db = openDb({ kind: 'sqlite', file })
  onTestFinished(() => db.close())
  const panel = await setUpWaiting({ db })
  const give = async (headers: Record<string, string>, { path, payload }: Drawn, id: string) => {
    const answer = await panel.app.inject({
      ...{ method: 'POST', url: path, payload: { ...payload, captura: { salvoNoDispositivo: true } } },
      headers: { ...headers, 'idempotency-key': id },
    })
    expect(answer.statusCode, answer.body).toBeLessThan(203)
    return answer.json<{ recibo: string; retido?: true }>()
  }
  const acts: Done[] = []
  for (const one of drawn) {
    const id = randomUUID()
    const { recibo } = await give(sessionOf(panel.tablet), one, id)
    acts.push({ ...one, id, receipt: recibo, doubted: randomUUID() })
  }
  return { ...panel, file, give, acts }
}
type Panel = Awaited<ReturnType<typeof setUp>>

const rowsOf = async ({ db }: Panel, { table, id }: Done) =>
  (
    await db.read
      .selectFrom(table as 'recordings')
      .selectAll()
      .execute()
  ).filter((row) => JSON.stringify(row).includes(id))

/** Each says whether it knows an act; the last one makes the names of all of them go. */
const protections: Record<string, (panel: Panel) => Promise<(act: Done) => boolean | Promise<boolean>>> = {
  'the look-up of receipts':
    async ({ db }) =>
    (act) =>
      isKnownAct(db.read, act.id),
  'the marks that begin an epoch':
    async ({ db, context, tablet }) =>
    async ({ id, receipt }) => {
      await context.marks.isYounger({ marks: {}, receipt, device: tablet.device, userId: 1 })
      return (await listUndecided(db.read)).every(({ subject }) => subject !== id)
    },
  'the queue of tablets, which holds what an older server does not know':
    async () =>
    ({ kind, path }) =>
      actKinds.some(({ name, paths }) => name === kind && paths.includes(path)),
  'the list of what promises count': async ({ db }) => {
    const ids = await listActIds(db.read)
    return ({ id }) => ids.has(id)
  },
  'a backup, a copy and their restore': async ({ file }) => {
    const copy = join(temporaryFolder(), 'copia.sqlite')
    await takeSnapshot({ kind: 'sqlite', file }, copy)
    const db = openDb({ kind: 'sqlite', file: copy })
    onTestFinished(() => db.close())
    return ({ id }) => isKnownAct(db.read, id)
  },
  'the file of a person': async ({ db }) => {
    const lines: string[] = []
    for await (const line of listPersonLines(db.read, { id: 1, username: 'operador', fullName: 'Maria Souza' }))
      lines.push('act' in line ? line.act : line.kind)
    return ({ line }) => lines.includes(line)
  },
  'what waits until a session is to be trusted, and lifted by one': async (panel) => {
    const { db, tablet, give, clock } = panel
    await db.transaction((tx) =>
      tx
        .updateTable('sessions')
        .set({ revoked_at: clock.now(), ended_why: 'admin' })
        .where('user_id', '=', 1)
        .execute(),
    )
    const others = panel.acts.map((act) => (act.table === 'maintenance_calls' ? { ...act, payload: OTHER_CALL } : act))
    for (const act of others) await give(grantOf(tablet), act, act.doubted)
    const wasDoubted = new Set<string>()
    for (const { doubted } of panel.acts) if (await isDoubtedAct(db.read, doubted)) wasDoubted.add(doubted)
    const headers = { ...sameOrigin, cookie: `__Host-device=${tablet.device}` }
    const again = pairOf(await browserOf(panel).login('operador', undefined, headers))
    const session = sessionOf({ ...again, device: tablet.device })
    for (const act of others) await give(session, act, act.doubted)
    return async ({ kind, doubted, isDoubted }) =>
      wasDoubted.has(doubted) === isDoubted &&
      !(await isDoubtedAct(db.read, doubted)) &&
      actKinds.some(({ name }) => name === kind)
  },
  'the times that a clock ahead of itself wrote': async (panel) => {
    const { db, clock } = panel
    for (const { table, receivedAt } of panel.acts) {
      const ahead = { [receivedAt]: clock.now() + 30 * DAY_MS }
      await db.transaction((tx) =>
        tx
          .updateTable(table as 'recordings')
          .set(ahead)
          .execute(),
      )
    }
    await db.transaction((tx) =>
      bringFutureBack(tx, { now: clock.now(), timeZone: 'America/Sao_Paulo', writeTimeoutMs: 10_000 }),
    )
    return async (act) => {
      const rows = (await rowsOf(panel, act)) as Record<string, unknown>[]
      return rows.every((row) => Number(row[act.receivedAt]) <= clock.now())
    }
  },
  'the retention of names': async (panel) => {
    panel.clock.advance(9 * 366 * DAY_MS)
    await unnameOldOperators(panel.context)
    return async (act) => !JSON.stringify(await rowsOf(panel, act)).includes('Maria Souza')
  },
}

async function findGaps(): Promise<string[]> {
  const panel = await setUp()
  const gaps: string[] = []
  for (const [protection, open] of Object.entries(protections)) {
    const knows = await open(panel)
    for (const act of panel.acts) if (!(await knows(act))) gaps.push(sentence(act.kind, protection))
  }
  return [...new Set(gaps)]
}

const sentence = (kind: string, protection: string) => `${kind} (act-kinds.ts) is missing in ${protection}`

describe('the one table of kinds', () => {
  test('has each path by which a tablet delivers, and an act of each is drawn here', () => {
    const delivered = endpoints.filter(({ suffices }) => suffices === 'grant').map(({ path }) => path)
    expect(new Set(actKinds.flatMap(({ paths }) => paths))).toEqual(new Set(delivered))
    expect(new Set(drawn.map(({ path }) => path))).toEqual(new Set(delivered))
    expect(new Set(drawn.map(({ kind }) => kind))).toEqual(new Set(actKinds.map(({ name }) => name)))
  })

  test('is read by every protection: none of them lacks a kind', async () => {
    expect(await findGaps()).toEqual([])
  })

  test.each(actKinds.map(({ name }) => name))('is all that they read: without its row each misses %s', async (name) => {
    const table = actKinds as (typeof actKinds)[number][]
    const at = table.findIndex((kind) => kind.name === name)
    const taken = table.splice(at, 1)
    onTestFinished(() => void table.splice(at, 0, ...taken))
    const missed = await findGaps()
    expect(missed).toEqual(Object.keys(protections).map((protection) => sentence(name, protection)))
  })
})
