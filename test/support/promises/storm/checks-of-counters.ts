import type { AuditAction } from '../../../../src/contract/audit-entries.ts'
import { type Check, changesAstray, doubled, first, idsOf, sumOf, type World } from './world.ts'

const resets = ({ rows }: World, key: string) =>
  rows.crimp_history.filter(({ unit_key, change }) => unit_key === key && change === 'reset').length

type Day = Pick<
  World['rows']['daily_production'][number],
  'production_day' | 'branch' | 'part' | 'order_number' | 'machine' | 'operator' | 'terminal'
>
const dayOf = (day: Day, unitKey: string) =>
  [day.production_day, day.branch, day.part, day.order_number, day.machine, day.operator, day.terminal, unitKey].join(
    '|',
  )

/** Days whose roll-up differs from what counts, by pieces or by recordings. */
function daysOff({ rows }: World, measureOf: (row: { pieces: number; recordings?: number }) => number): string[] {
  const counted = rows.recordings.filter((row) => row.counted === 1 && row.part !== 'recebimento')
  const recorded = Map.groupBy(counted, (row) => dayOf(row, row.unit_key ?? ''))
  const summed = Map.groupBy(rows.daily_production, (row) => dayOf(row, row.unit_key))
  return [...new Set([...recorded.keys(), ...summed.keys()])].filter(
    (key) => sumOf(recorded.get(key), measureOf) !== sumOf(summed.get(key), measureOf),
  )
}

/** Recordings that count, or do not, and whose lines of the ledger say otherwise. */
function ledgerOff({ rows }: World, isCounted: boolean) {
  const lines = Map.groupBy(rows.crimp_ledger, (line) => line.recording_id)
  return rows.recordings.filter(
    (row) =>
      (row.counted === 1) === isCounted &&
      sumOf(lines.get(row.id), ({ crimps }) => crimps) !== (isCounted && row.unit_key !== null ? row.pieces : 0),
  )
}

/** As though nobody had tried. */
const without = ({ changes }: World, action: AuditAction) => changes.filter((change) => change.action !== action)

const wearing: Check[] = [
  {
    name: 'counters differ from their ledger',
    find: ({ rows }) => {
      const lines = Map.groupBy(rows.crimp_ledger, (line) => `${line.unit_key} ${line.cycle}`)
      return rows.applicator_units.filter(
        (unit) => sumOf(lines.get(`${unit.name_key} ${unit.cycle}`), ({ crimps }) => crimps) !== unit.crimps,
      )
    },
    spoil: ({ rows }) => void first(rows.applicator_units).crimps++,
  },
  {
    name: 'lifetimes of tools differ from their ledger',
    find: ({ rows }) => {
      const lines = Map.groupBy(rows.crimp_ledger, (line) => line.unit_key)
      return rows.applicator_units.filter(
        (unit) => sumOf(lines.get(unit.name_key), ({ crimps }) => crimps) !== unit.lifetime_crimps,
      )
    },
    spoil: ({ rows }) => void first(rows.applicator_units).lifetime_crimps++,
  },
  {
    name: 'recordings that count are not once in the ledger',
    find: (world) => ledgerOff(world, true),
    spoil: ({ rows }) => {
      const counted = idsOf(rows.recordings.filter((row) => row.counted === 1))
      first(rows.crimp_ledger, (line) => counted.has(line.recording_id)).crimps++
    },
  },
  {
    name: 'recordings that do not count are still in the ledger',
    find: (world) => ledgerOff(world, false),
    spoil: ({ rows }) =>
      void Object.assign(
        first(rows.recordings, (row) => row.counted === 1 && row.unit_key !== null),
        { counted: 0 },
      ),
  },
  {
    name: 'lines of the ledger are doubled',
    find: ({ rows }) => doubled(rows.crimp_ledger, (line) => `${line.recording_id} ${line.reason}`),
    spoil: ({ rows }) => rows.crimp_ledger.push(first(rows.crimp_ledger)),
  },
  {
    name: 'lines of the ledger are of no recording and no scrap',
    find: ({ rows }) => {
      const here = idsOf([...rows.recordings, ...rows.scraps])
      return rows.crimp_ledger.filter((line) => !here.has(line.recording_id))
    },
    spoil: ({ rows }) => void Object.assign(first(rows.crimp_ledger), { recording_id: 'nothing' }),
  },
  {
    name: 'lines of the ledger are in a cycle that has not begun',
    find: ({ rows }) => {
      const cycles = new Map(rows.applicator_units.map((unit) => [unit.name_key, unit.cycle]))
      return rows.crimp_ledger.filter((line) => line.cycle > (cycles.get(line.unit_key) ?? 0))
    },
    spoil: ({ rows }) => void Object.assign(first(rows.crimp_ledger), { cycle: 1_000_000 }),
  },
  {
    name: 'days and machines have other pieces in the roll-up than were recorded',
    find: (world) => daysOff(world, ({ pieces }) => pieces),
    spoil: ({ rows }) => void first(rows.daily_production).pieces++,
  },
  {
    name: 'days and machines have another number of recordings in the roll-up',
    find: (world) => daysOff(world, ({ recordings = 1 }) => recordings),
    spoil: ({ rows }) => void first(rows.daily_production).recordings++,
  },
]

/** What maintenance does to tools. */
const maintaining: Check[] = [
  {
    name: 'tools bear another version than their changes make',
    find: ({ rows }) => {
      const changes = rows.crimp_history.filter(({ change }) => change !== 'task')
      const own = Map.groupBy(changes, (line) => line.unit_key)
      return rows.applicator_units.filter((unit) => unit.version !== 1 + (own.get(unit.name_key)?.length ?? 0))
    },
    spoil: ({ rows }) => void first(rows.applicator_units).version++,
  },
  {
    name: 'tools are in another cycle than their resets make',
    find: (world) => world.rows.applicator_units.filter((unit) => unit.cycle !== 1 + resets(world, unit.name_key)),
    spoil: ({ rows }) => void first(rows.applicator_units).cycle++,
  },
  {
    name: 'changes of tools are not in the trail as they were seen',
    find: (world) => changesAstray(world, ['limit_changed', 'maintenance_scheduled', 'counter_reset']),
    spoil: (world) => void Object.assign(world, { changes: without(world, 'counter_reset') }),
  },
  {
    name: 'changes of tools are in the trail and not in the history, or the reverse',
    find: ({ rows }) => {
      const written = rows.audit_entries.filter(({ action }) =>
        ['limit_changed', 'maintenance_scheduled', 'counter_reset'].includes(action),
      ).length
      const changed = rows.crimp_history.filter(({ change }) => change !== 'task').length
      return Array.from({ length: Math.abs(written - changed) })
    },
    spoil: ({ rows }) =>
      void rows.crimp_history.splice(
        rows.crimp_history.findIndex(({ change }) => change !== 'task'),
        1,
      ),
  },
  {
    name: 'runs of tasks are not in the trail as they were seen',
    find: (world) => changesAstray(world, ['task_run']),
    spoil: (world) => void Object.assign(world, { changes: without(world, 'task_run') }),
  },
  {
    name: 'runs of tasks are in the trail and not here, or the reverse',
    find: ({ rows }) => {
      const written = rows.audit_entries.filter(({ action }) => action === 'task_run').length
      return Array.from({ length: Math.abs(written - rows.task_runs.length) })
    },
    spoil: ({ rows }) => void rows.task_runs.pop(),
  },
  {
    name: 'runs of tasks are later in the life of a tool than it has come',
    find: ({ rows }) => {
      const lifetimes = new Map(rows.applicator_units.map((unit) => [unit.name_key, unit.lifetime_crimps]))
      // what is corrected or discarded since has left the lifetime
      const back = sumOf(
        rows.crimp_ledger.filter(({ crimps }) => crimps < 0),
        ({ crimps }) => -crimps,
      )
      return rows.task_runs.filter((run) => run.lifetime_at > (lifetimes.get(run.unit_key) ?? 0) + back)
    },
    spoil: ({ rows }) => void Object.assign(first(rows.task_runs), { lifetime_at: 1_000_000_000 }),
  },
  {
    name: 'parts are mounted and removed at once',
    find: ({ rows }) =>
      rows.wear_parts.filter(
        (part) => (part.open_key === null) !== (part.removed_at !== null && part.removal_reason !== null),
      ),
    spoil: ({ rows }) =>
      void Object.assign(
        first(rows.wear_parts, ({ removed_at: at }) => at !== null),
        { open_key: 'x' },
      ),
  },
  {
    name: 'parts are mounted where another is',
    find: ({ rows }) =>
      doubled(
        rows.wear_parts.filter(({ removed_at: at }) => at === null),
        (part) => `${part.unit_key} ${part.kind}`,
      ),
    spoil: ({ rows }) => rows.wear_parts.push(first(rows.wear_parts, ({ removed_at: at }) => at === null)),
  },
  {
    name: 'parts went and the trail does not say so, or the reverse',
    find: ({ rows }) => {
      const written = rows.audit_entries.filter(({ action }) => action === 'part_replaced').length
      const gone = rows.wear_parts.filter(({ removed_at: at }) => at !== null).length
      return Array.from({ length: Math.abs(written - gone) })
    },
    spoil: ({ rows }) =>
      void Object.assign(
        first(rows.wear_parts, ({ removed_at: at }) => at !== null),
        { removed_at: null },
      ),
  },
]

export const checksOfCounters = [...wearing, ...maintaining]
