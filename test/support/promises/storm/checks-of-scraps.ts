import { lost, pressOf, saved } from './checks-of-acts.ts'
import { type Check, changesAstray, first, sumOf, type World } from './world.ts'

type Day = World['rows']['daily_scrap'][number]
const keyOf = (row: Omit<Day, 'id' | 'pieces' | 'wears'>) =>
  [
    ...[row.production_day, row.branch, row.part, row.order_number, row.machine, row.unit_key, row.terminal],
    ...[row.reason_code, row.is_rework, row.origin],
  ].join('|')

/** Days whose sums differ from the scraps that count. */
function daysOff({ rows }: World): string[] {
  const thrown = Map.groupBy(
    rows.scraps.filter(({ counted }) => counted === 1),
    keyOf,
  )
  const summed = Map.groupBy(rows.daily_scrap, keyOf)
  return [...new Set([...thrown.keys(), ...summed.keys()])].filter(
    (key) => sumOf(thrown.get(key), ({ pieces }) => pieces) !== sumOf(summed.get(key), ({ pieces }) => pieces),
  )
}

const isUndone = ({ undone_at: at }: World['rows']['scraps'][number]) => at !== null

export const checksOfScraps: Check[] = [
  {
    name: 'scraps were seen as saved and are not here',
    find: (world) => lost(world, ['scrap']),
    spoil: (world) => {
      const { id } = first(saved(world, 'scrap'))
      world.rows.scraps = world.rows.scraps.filter((row) => row.id !== id)
    },
  },
  {
    name: 'scraps say other pieces or another item than was pressed',
    find: (world) => {
      const pressed = pressOf(world)
      return world.rows.scraps.filter(({ id, pieces, barcode }) => {
        const press = pressed.get(id)
        return press?.pieces !== pieces || press.subject !== barcode
      })
    },
    spoil: ({ rows }) => void first(rows.scraps).pieces++,
  },
  {
    name: 'scraps do not count although their author has vouched for them, or count although they were undone',
    find: ({ rows }) => rows.scraps.filter((row) => (row.counted === 1) === isUndone(row)),
    spoil: ({ rows }) => void Object.assign(first(rows.scraps, isUndone), { counted: 1 }),
  },
  {
    name: 'scraps are not in the ledger as often as they count',
    find: ({ rows }) => {
      const lines = Map.groupBy(rows.crimp_ledger, (line) => line.recording_id)
      return rows.scraps.filter(
        ({ id, counted, pieces }) => sumOf(lines.get(id), ({ crimps }) => crimps) !== counted * pieces,
      )
    },
    spoil: ({ rows }) => void first(rows.crimp_ledger, ({ reason }) => reason === 'scrap').crimps++,
  },
  {
    name: 'days have other pieces in the sums of scrap than were thrown away',
    find: daysOff,
    spoil: ({ rows }) => void first(rows.daily_scrap).pieces++,
  },
  {
    name: 'scraps are not undone as the trail says and as it was seen',
    find: (world) => {
      const written = new Set(
        world.rows.audit_entries.filter(({ action }) => action === 'scrap_undone').map((row) => row.subject_id),
      )
      const unlike = world.rows.scraps.filter((row) => isUndone(row) !== written.has(row.id))
      return [...unlike, ...changesAstray(world, ['scrap_undone'])]
    },
    spoil: ({ rows }) => void Object.assign(first(rows.scraps, isUndone), { undone_at: null }),
  },
]
