import type { PartKind } from '../src/contract/crimp-counters.ts'
import { nameKey } from '../src/domain/acts/recordings.ts'
import { addDays, addMonths, dayStartMs, plantDay } from '../src/domain/plant/plant-time.ts'
import type { Config } from '../src/server/config.ts'
import { addCrimps, ensureUnit, insertApplicator } from '../src/server/store/applicators.ts'
import { findCrimpCounter, resetCounter, scheduleMaintenance } from '../src/server/store/crimp-counters.ts'
import { addProduction } from '../src/server/store/daily-production.ts'
import type { Tx } from '../src/server/store/db/db.ts'
import { insertRun, insertTask } from '../src/server/store/maintenance-tasks.ts'
import type { NewScrap } from '../src/server/store/scraps.ts'
import { insertPart } from '../src/server/store/wear-parts.ts'
import { operators, type PastWork, type Tools } from './history.ts'
import { scrapWearOf } from './sample-scraps.ts'
import { type Random, randomFor } from './simulator/random.ts'
import { sampleTerminals } from './simulator/sample-catalogue.ts'
import { workShare } from './working-days.ts'

const DAY_MS = 86_400_000
const MONTHS = 24
const unlimited = -1

/** A tool this worn has made more than all past work asks of it. */
const IN_USE_SHARE_MIN = 0.15

type SampleUnit = { name: string; terminal: string; usedShare: number; limitCrimps: number }

/**
 * 30 mini applicators: three at or over their limit, two unlimited, the rest spread below. T1326030 has two, one at
 * 97 % and one new; T0925590 has none, so that 'Sem Cadastro' can be seen.
 */
export function sampleUnits(): SampleUnit[] {
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

/** Crimps of the cycle that ended a year ago, of those that have had a maintenance since they are counted. */
const crimpsBefore: Record<string, number> = { 'MA-0006': 101_240, 'MA-0008': 98_700, 'MA-0012': 104_310 }

/** The tool that past work was done with, by terminal: the first of those that fit. */
export const toolsInUse = (units: readonly SampleUnit[]): Tools =>
  new Map(
    units
      .filter(({ name, usedShare }) => usedShare >= IN_USE_SHARE_MIN && !(name in crimpsBefore))
      .map(({ name, terminal }) => [terminal, name] as const)
      .toReversed(),
  )

type Seeding = { tx: Tx; config: Config; now: number; past: PastWork; scraps: readonly NewScrap[] }

/** The last weeks day by day; before them one slot a month, or a first start would take seconds longer. */
const DAYS_ONE_BY_ONE = 35
/** What stands for a month stands on its last working day until then. */
const MIDDLE_OF_MONTH = '15'

type Slot = { day: string; month: number; isOneDay: boolean; share: number }

/** When the plant worked, until yesterday: each with the days that it counts for. */
function workedSlots(yesterday: string): Slot[] {
  const first = addMonths(`${yesterday.slice(0, 7)}-01`, 1 - MONTHS)
  const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
  const oneByOneFrom = addDays(yesterday, 1 - DAYS_ONE_BY_ONE)
  const slots: Slot[] = []
  for (let day = first; day <= yesterday; day = addDays(day, 1)) {
    const share = workShare(day)
    const month = monthOf(day) - monthOf(first)
    const last = slots.at(-1)
    if (share === 0) continue
    if (day >= oneByOneFrom || last?.month !== month) {
      slots.push({ day, month, isOneDay: day >= oneByOneFrom, share })
    } else {
      last.share += share
      if (day.slice(8) <= MIDDLE_OF_MONTH) last.day = day
    }
  }
  return slots
}

/** So often a tool stays on the shelf for a day. */
const IDLE_DAYS_SHARE = 0.35

/** Since when a tool is used, and how much in each slot: orders for it come and go. */
function usageOf(unit: SampleUnit, slots: readonly Slot[], random: Random): number[] {
  const isOld = unit.name === 'MA-0001' || unit.name in crimpsBefore
  const since = MONTHS - (isOld ? MONTHS : random.pick([7, 10, 14, 18, MONTHS]))
  const busy = Array.from({ length: MONTHS }, () => 0.5 + random.next())
  const ofDay = () => (random.chance(IDLE_DAYS_SHARE) ? 0 : (0.75 + random.next() / 2) / (1 - IDLE_DAYS_SHARE))
  return slots.map(({ month, isOneDay, share }) =>
    month < since ? 0 : share * (busy[month] ?? 0) * (isOneDay ? ofDay() : 1),
  )
}

export async function seedUnits(seeding: Seeding, units: readonly SampleUnit[]): Promise<void> {
  const { config, now } = seeding
  const slots = workedSlots(plantDay(now - DAY_MS, config.timeZone))
  for (const [nth, unit] of units.entries()) await seedUnit(seeding, { ...unit, nth }, slots)
}

/** How worn the parts of a tool are, in percent of their limit: of three kinds, so that no two tools are alike. */
const partWears = [
  [12, 12, 55],
  [48, 83, 20],
  [71, 30, 104],
  [95, 64, 38],
] as const
const partLimits = { 'crimpador-condutor': 80_000, 'crimpador-isolante': 120_000, bigorna: 50_000 } as const
/** Every third is left to be tried with. */
const hasParts = (nth: number) => nth % 3 !== 1

/** Parts and tasks, mounted and done by the same person some weeks ago. */
export async function seedCare(
  { tx, config, now }: Pick<Seeding, 'tx' | 'config' | 'now'>,
  units: readonly SampleUnit[],
): Promise<void> {
  const by = { userId: 1, name: 'Maria Souza' }
  const cleaning = { miniaplicator: null, name: 'Limpeza completa', everyCrimps: 25_000, everyDays: 7, active: true }
  const tasks = [
    await insertTask(tx, cleaning),
    await insertTask(tx, { ...cleaning, name: 'Lubrificar as guias', everyCrimps: null, everyDays: 180 }),
  ]
  for (const [nth, { name }] of units.entries()) {
    const unitKey = nameKey(name)
    const lifetime = (await findCrimpCounter(tx, name))?.lifetimeCrimps ?? 0
    const wears = partWears[nth % partWears.length] ?? partWears[0]
    const mountedAt = now - (20 + 3 * nth) * DAY_MS
    for (const [at, [kind, limitOfCrimps]] of Object.entries(partLimits).entries()) {
      if (!hasParts(nth)) continue
      const used = Math.round((limitOfCrimps * ((wears[at] ?? 0) + (nth % 7))) / 100)
      // what the tool has not made by itself the part had before
      const here = Math.min(lifetime, used)
      const code = `${at + 1}-${String(456 + 7 * (nth % 5))}`
      const part = { unitKey, kind: kind as PartKind, code, limitOfCrimps, usedBefore: used - here }
      await insertPart(tx, { ...part, lifetimeAtMount: lifetime - here }, { ...by, at: mountedAt })
    }
    for (const [at, taskId] of tasks.entries()) {
      const doneAt = now - (1 + ((nth * (at + 3)) % (at === 0 ? 9 : 170))) * DAY_MS
      const doneDay = plantDay(doneAt, config.timeZone)
      const run = {
        taskId,
        unitKey,
        lifetimeAt: Math.max(0, lifetime - 900 * (nth % 9)),
        doneDay,
        note: '',
        historyId: null,
      }
      await insertRun(tx, run, { ...by, at: doneAt })
    }
  }
}

type Unit = SampleUnit & { nth: number }

async function seedUnit(seeding: Seeding, unit: Unit, slots: readonly Slot[]): Promise<void> {
  const { tx, config, now, past, scraps } = seeding
  const { name, terminal, limitCrimps, usedShare } = unit
  await ensureUnit(tx, { name, limitCrimps, at: now })
  await insertApplicator(tx, { terminal, miniaplicator: name, at: now - MONTHS * 30 * DAY_MS })
  const usage = usageOf(unit, slots, randomFor(1, 'wear', name))
  const used = slots.map((slot, at) => ({ ...slot, use: usage[at] ?? 0 }))
  // past work counts by itself, and so does what was thrown away
  const counted = past.recordings.reduce((sum, { applicator, pieces }) => sum + (applicator === name ? pieces : 0), 0)
  const total = Math.round(100_000 * usedShare) - counted - scrapWearOf(scraps, name)
  if (total < 0) throw new Error(`past work wears ${name} more than it is worn`)
  const before = crimpsBefore[name]
  if (before === undefined) return await seedUse(seeding, unit, used, total)
  const resetAt = now - (MONTHS / 2) * 30 * DAY_MS
  const isBefore = ({ day }: Slot) => day < plantDay(resetAt, config.timeZone)
  await seedUse(seeding, unit, used.filter(isBefore), before)
  await seedMaintenance(tx, unit, resetAt, config)
  const after = used.filter((slot) => !isBefore(slot))
  await seedUse(seeding, unit, after, total)
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

const machines = ['PR0001 - Schäfer', 'PR0002 - Schäfer', 'PR0003 - Mecal', 'KX0002 - Komax', 'KX0003 - Komax']
/** A tool this worn works in two shifts. */
const TWO_SHIFTS_SHARE_MIN = 0.8
const MORNING_SHARE = 0.55

async function seedUse(
  { tx, config }: Seeding,
  { name, terminal, nth, usedShare }: Unit,
  slots: readonly (Slot & { use: number })[],
  total: number,
): Promise<void> {
  const unitKey = nameKey(name)
  const whole = slots.reduce((sum, { use }) => sum + use, 0)
  const hasTwoShifts = usedShare >= TWO_SHIFTS_SHARE_MIN
  let reached = 0
  let counted = 0
  const byMonth = new Map<number, { crimps: number; day: string }>()
  for (const { day, month, isOneDay, use } of slots) {
    reached += use
    // the difference of two roundings: all of them add up to the total exactly
    const crimps = Math.round((total * reached) / whole) - counted
    if (crimps === 0) continue
    counted += crimps
    byMonth.set(month, { crimps: (byMonth.get(month)?.crimps ?? 0) + crimps, day })
    const morning = isOneDay && hasTwoShifts ? Math.round(crimps * MORNING_SHARE) : crimps
    for (const [shift, pieces] of [morning, crimps - morning].entries()) {
      if (pieces === 0) continue
      const production = {
        productionDay: day,
        branch: config.plants[0]?.code ?? '',
        part: nth % 3 === 2 ? ('l2' as const) : ('l1' as const),
        orderNumber: '',
        machine: machines[nth % machines.length] ?? '',
        operator: operators[(2 * shift + (isOneDay ? nth : nth + month)) % operators.length] ?? '',
        unitKey,
        terminal,
      }
      await addProduction(tx, production, { pieces, recordings: 1 })
    }
  }
  for (const [month, { crimps, day }] of byMonth) {
    const at = dayStartMs(day, config.timeZone) + DAY_MS / 2
    await addCrimps(tx, { recordingId: `sample:${name}:${month}:${day}`, reason: 'sample', unitKey, crimps, at })
  }
}
