import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EquipmentList } from '../../src/contract/equipment.ts'
import { addDays, plantDay, plantMoment } from '../../src/domain/plant/plant-time.ts'
import { listEquipment } from '../../src/server/features/equipment.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import { settlePending } from '../../src/server/store/pending-recordings.ts'
import {
  deliverRecording,
  insertRecording,
  type Recording,
  refuseRecording,
} from '../../src/server/store/recordings.ts'
import { crimpOf, type Database, openStore, testConfig } from '../support/harness.ts'

/** The figures of every machine are the count of what was recorded, by an oracle that goes through all acts one by one. */
const RUNS: Record<Database, number> = { sqlite: Number(process.env.RUNS ?? 40), mariadb: 8 }
const SEED = Number(process.env.SEED ?? 20261122)

const BRANCHES = ['010101', '020101'] as const
const MACHINES = [
  { id: 'KX0001', fabricante: 'Komax', descricao: 'CORTE 01' },
  { id: 'PR - 1', fabricante: 'Mecal', descricao: 'PRENSA 01' },
  { id: 'US0001', fabricante: 'Schunk', descricao: 'NUNCA USADA' },
]
/** How recordings name them, and which machine that is. */
const spellings = {
  'KX0001 - Komax': 'KX0001',
  'kx0001 - Komax AG - Suíça': 'KX0001',
  KX0001: 'KX0001',
  'PR - 1 - Mecal': 'PR - 1',
  'PR - 10 - Mecal': 'PR',
  'ZZ0009 - Sem cadastro': 'ZZ0009',
} as const
type Spelling = keyof typeof spellings

/** Now, in zones and seasons where days and nights are longer or shorter, at both ends of days and shifts. */
const moments = [
  ['America/Sao_Paulo', '2026-11-21T15:00:00.000Z'],
  ['America/Sao_Paulo', '2026-11-22T02:59:59.999Z'],
  ['America/Sao_Paulo', '2026-11-22T03:00:00.000Z'],
  ['America/Sao_Paulo', '2026-11-22T09:00:00.000Z'],
  ['America/Sao_Paulo', '2018-02-18T08:59:00.000Z'],
  ['America/Sao_Paulo', '2018-11-04T03:10:00.000Z'],
  ['Europe/Lisbon', '2026-03-29T04:00:00.000Z'],
  ['Europe/Lisbon', '2026-10-25T05:30:00.000Z'],
] as const
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const actArbitrary = fc.record({
  machine: fc.constantFrom(...(Object.keys(spellings) as Spelling[])),
  branch: fc.constantFrom(BRANCHES[0], ...BRANCHES),
  part: fc.constantFrom('cabo', 'l1', 'juncao', 'recebimento'),
  pieces: fc.integer({ min: 1, max: 500 }),
  // most of them in the nine days that figures look at, often at the edge of an hour
  agoMs: fc.oneof(
    fc.integer({ min: 0, max: 9 * 24 * 60 }).map((minutes) => minutes * MINUTE_MS),
    fc.integer({ min: 0, max: 9 * 24 }).map((hours) => hours * HOUR_MS),
    fc.integer({ min: 0, max: 9 * 24 }).map((hours) => hours * HOUR_MS + 1),
    fc.integer({ min: 89, max: 91 }).map((days) => days * 24 * HOUR_MS),
  ),
  tool: fc.constantFrom('MA-0001', 'ma-0002'),
  end: fc.constantFrom('wait', 'deliver', 'refuse', 'park', 'discard'),
  operator: fc.constantFrom('Maria Souza', 'João Dias'),
})
type Act = typeof actArbitrary extends fc.Arbitrary<infer A> ? A : never
type World = { db: Db; acts: Act[]; nowMs: number; timeZone: string; branch: string }

const isTool = (act: Act) => act.part === 'l1'

function recordingOf(act: Act, { nowMs, timeZone }: World): Recording {
  const recordedAt = nowMs - act.agoMs
  const { MA_LD1: _, ...payload } = crimpOf(act.pieces)
  return {
    id: randomUUID(),
    contentHash: 'x',
    part: act.part,
    branch: act.branch,
    barcode: act.part === 'juncao' ? '' : 'B'.repeat(22),
    position: act.part === 'juncao' ? 'J01' : '',
    orderNumber: String(act.pieces),
    pieces: act.pieces,
    machine: act.part === 'recebimento' ? '' : act.machine,
    lot: '',
    terminal: '',
    applicator: isTool(act) ? act.tool : null,
    delivery: { operation: 'recordCutCrimp', naturalKey: 'x', raises: act.pieces },
    payload,
    capture: null,
    userId: 1,
    operator: act.operator,
    recordedAt,
    receivedAt: nowMs,
    productionDay: plantDay(recordedAt, timeZone),
  }
}

async function enact(act: Act, world: World): Promise<void> {
  const recording = recordingOf(act, world)
  const { id } = recording
  const state = act.end === 'park' || act.end === 'discard' ? 'parked' : 'waiting'
  await world.db.transaction((tx) => insertRecording(tx, recording, { state, promised: false, reason: null }))
  await world.db.transaction(async (tx) => {
    if (act.end === 'deliver') await deliverRecording(tx, id, { message: 'ok', read: false, snapshot: null, at: 2 })
    if (act.end === 'refuse') await refuseRecording(tx, id, 'não', 2)
    if (act.end === 'discard') await settlePending(tx, id, { state: 'discarded', at: 2 })
  })
}

const isCounted = ({ end, part }: Act) => end !== 'refuse' && end !== 'discard' && part !== 'recebimento'

/** As a person reads the clock on the wall: the night belongs to the day on which it begins. */
function shiftNameOf(atMs: number, timeZone: string): string {
  const { day, time } = plantMoment(atMs, timeZone)
  if (time < '06:00:00') return `${addDays(day, -1)} noite`
  return `${day} ${time < '14:00:00' ? 'manhã' : time < '22:00:00' ? 'tarde' : 'noite'}`
}

/** Beginnings of a shift's hours. Zones here are whole hours ahead of UTC, and so are the edges of shifts. */
function hoursOfShift(name: string, { nowMs, timeZone }: World): number[] {
  const thisHour = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  const hours = Array.from({ length: 60 }, (_, at) => thisHour + (at - 48) * HOUR_MS)
  return hours.filter((startMs) => shiftNameOf(startMs, timeZone) === name)
}

function meanOf(acts: Act[], names: string[], nameOf: (act: Act) => string): number | null {
  const sums = names
    .map((name) => acts.filter((act) => nameOf(act) === name).reduce((sum, { pieces }) => sum + pieces, 0))
    .filter((sum) => sum > 0)
  return sums.length === 0 ? null : Math.round(sums.reduce((all, sum) => all + sum) / sums.length)
}

const sumOf = (acts: Act[]) => acts.reduce((sum, { pieces }) => sum + pieces, 0)

/** Where two were recorded at one instant either may be called the last: they are told apart by what they have in common. */
const newestAge = (acts: Act[]) => (acts.length === 0 ? null : Math.min(...acts.map(({ agoMs }) => agoMs)))

function expectedOf(id: string, world: World) {
  const { acts, nowMs, timeZone, branch } = world
  const all = acts.filter((act) => spellings[act.machine] === id && act.branch === branch && act.part !== 'recebimento')
  const counted = all.filter(isCounted)
  const recent = counted.filter(({ agoMs }) => agoMs <= 90 * 24 * HOUR_MS)
  const dayOf = ({ agoMs }: Act) => plantDay(nowMs - agoMs, timeZone)
  const shiftOf = ({ agoMs }: Act) => shiftNameOf(nowMs - agoMs, timeZone)
  const today = plantDay(nowMs, timeZone)
  const shift = shiftNameOf(nowMs, timeZone)
  const [shiftDay = '', which] = shift.split(' ')
  const before = [1, 2, 3, 4, 5, 6, 7]
  const lastAge = newestAge(recent)
  const hourOf = ({ agoMs }: Act) => Math.floor((nowMs - agoMs) / HOUR_MS) * HOUR_MS
  const hourly = (name: string) =>
    hoursOfShift(name, world).map((startMs) => sumOf(counted.filter((act) => hourOf(act) === startMs)))
  return {
    hoje: {
      pecas: sumOf(counted.filter((act) => dayOf(act) === today)),
      media: meanOf(
        counted,
        before.map((days) => addDays(today, -days)),
        dayOf,
      ),
    },
    turno: {
      pecas: sumOf(counted.filter((act) => shiftOf(act) === shift)),
      media: meanOf(
        counted,
        before.map((days) => `${addDays(shiftDay, -days)} ${which}`),
        shiftOf,
      ),
    },
    porHora: { turno: hourly(shift), ontem: hourly(`${addDays(shiftDay, -1)} ${which}`) },
    aguardandoErp: all.filter(({ end }) => end === 'wait' || end === 'park').length,
    ultimo: lastAge === null ? null : new Date(nowMs - lastAge).toISOString(),
    lastOnes: recent.filter(({ agoMs }) => agoMs === lastAge),
    tools: toolsOf(recent),
  }
}

function toolsOf(acts: Act[]): string[] {
  const crimped = acts.filter(isTool)
  const age = newestAge(crimped)
  return crimped.filter(({ agoMs }) => agoMs === age).map(({ tool }) => tool.toUpperCase())
}

/** The unlisted are shown while they were recorded with in the days that figures look at, of which the edge is the shift's. */
async function judge(world: World): Promise<void> {
  const { db, nowMs, timeZone, branch } = world
  const config = testConfig({ TIME_ZONE: timeZone })
  const cached = { machines: MACHINES, fetchedAt: 1 }
  const list: EquipmentList = await listEquipment(branch, cached, { config, db, now: () => nowMs })
  const ids = list.equipamentos.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(expect.arrayContaining(MACHINES.map(({ id }) => id)))
  for (const id of ['KX0001', 'PR - 1', 'US0001', 'PR', 'ZZ0009']) {
    const { ultimo, lastOnes, tools, ...figures } = expectedOf(id, world)
    const shown = list.equipamentos.find((one) => one.id === id)
    if (!shown) {
      expect([figures.hoje, figures.turno], id).toEqual([
        { pecas: 0, media: null },
        { pecas: 0, media: null },
      ])
      continue
    }
    expect(shown, id).toMatchObject(figures)
    expect(shown.ultimo?.quando ?? null, id).toBe(ultimo)
    expect(shown.cadastrada).toBe(MACHINES.some((machine) => machine.id === id))
    if (shown.ultimo) {
      const { pecas, operador, ordem, parte } = shown.ultimo
      const same = { pieces: pecas, operator: operador, part: parte }
      expect(lastOnes, id).toContainEqual(expect.objectContaining(same))
      expect(ordem).toBe(String(pecas))
    }
    if (tools.length > 0) expect(tools, id).toContain(shown.miniaplicador?.nome.toUpperCase())
    else expect(shown.miniaplicador, id).toBeNull()
  }
}

const worldArbitrary = fc.record({
  moment: fc.constantFrom(...moments),
  branch: fc.constantFrom(...BRANCHES),
  acts: fc.array(actArbitrary, { minLength: 1, maxLength: 30, size: 'max' }),
})

async function openWorld(
  db: Db,
  { moment, ...drawn }: { moment: (typeof moments)[number]; branch: string; acts: Act[] },
) {
  await db.transaction(async (tx) => {
    for (const table of ['recordings', 'crimp_ledger', 'applicator_units', 'daily_production'] as const) {
      await tx.deleteFrom(table).execute()
    }
  })
  const world: World = { db, ...drawn, timeZone: moment[0], nowMs: Date.parse(moment[1]) }
  for (const act of world.acts) await enact(act, world)
  return world
}

test.each<Database>(['sqlite', 'mariadb'])(
  "a machine's figures are the count of what was recorded with it, on %s",
  async (database) => {
    const db = await openStore(database)
    await fc.assert(
      fc.asyncProperty(worldArbitrary, async (drawn) => judge(await openWorld(db, drawn))),
      { numRuns: RUNS[database], seed: SEED },
    )
  },
)

const oneAct: Act = {
  machine: 'KX0001',
  branch: '010101',
  part: 'l1',
  pieces: 10,
  agoMs: HOUR_MS,
  tool: 'MA-0001',
  end: 'deliver',
  operator: 'Maria Souza',
}

test.each([
  ['a piece more', { pieces: 11 }],
  ['what is not counted', { counted: 0 }],
  ['another instant', { recorded_at: Date.parse(moments[0][1]) - 9 * HOUR_MS }],
  ['the other plant', { branch: '020101' }],
])('the oracle notices %s', async (_, mistake) => {
  const db = await openStore('sqlite')
  const world = await openWorld(db, { moment: moments[0], branch: '010101', acts: [oneAct] })
  await judge(world)
  await db.transaction(async (tx) => void (await tx.updateTable('recordings').set(mistake).execute()))
  await expect(judge(world)).rejects.toThrow()
})
