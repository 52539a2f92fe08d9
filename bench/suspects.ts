// Bad readings of the made-up history (history.ts), for what it costs to look at their suspect pieces.

import type { Insertable } from 'kysely'
import { containments } from '../src/contract/containments.ts'
import { nameKey } from '../src/domain/acts/recordings.ts'
import type { Config } from '../src/server/config.ts'
import { openDb } from '../src/server/store/db/db.ts'
import type { Tables } from '../src/server/store/db/tables.ts'
import { BRANCH, measured } from './history.ts'

const DAY_MS = 86_400_000
const BAD_AT = Date.parse(measured.period.to)

const places = {
  crimp: {
    part: 'l1',
    unit: measured.tool,
    terminal: measured.terminal,
    machine: measured.machine,
    characteristic: 'altura',
  },
  /** All junctions are made at one machine. */
  junction: { part: 'juncao', unit: '', terminal: 'T0000000', machine: 'US0002 - Telsonic', characteristic: 'forca' },
  /** Never measured before: all that its tool ever made is looked through. */
  unmeasured: {
    part: 'l1',
    unit: 'MA-0000',
    terminal: 'T0000000',
    machine: 'CR0000 - Crimpagem',
    characteristic: 'altura',
  },
} as const

export type SuspectPlace = keyof typeof places

const idOf = (place: SuspectPlace, verdict: 'dentro' | 'fora') =>
  `${Object.keys(places).indexOf(place)}${verdict === 'fora' ? 1 : 0}000000-0000-4000-8000-00000000beef`

/** The preview of a place's bad reading, whose window begins a year before it and is open. */
export const previewPath = (place: SuspectPlace): string =>
  `${containments.preview.path}?${new URLSearchParams({ medicao: idOf(place, 'fora'), caracteristica: places[place].characteristic })}`

/** A good reading a year before a bad one, where there was one. */
export async function insertBadReadings(database: Config['database']): Promise<void> {
  const db = openDb(database)
  const rows = (Object.keys(places) as SuspectPlace[]).flatMap((name): Insertable<Tables['measurements']>[] => {
    const { part, unit, terminal, machine, characteristic } = places[name]
    return (['dentro', 'fora'] as const).map((verdict) => {
      const at = verdict === 'fora' ? BAD_AT : BAD_AT - 365 * DAY_MS
      return {
        ...{ act_id: idOf(name, verdict), characteristic, content_hash: 'x', recording_id: null, branch: BRANCH },
        ...{ order_number: measured.order, barcode: '', position: '', part, terminal, terminal_key: nameKey(terminal) },
        ...{
          gauge_milli: 500,
          unit,
          unit_key: nameKey(unit),
          unit_cycle: 1,
          machine,
          lot: '',
          shift: '',
          plan_id: null,
        },
        ...{ occasion: 'avulsa', instrument: '', readings_json: '[1000]', n: 1, sum_milli: 1000, min_milli: 1000 },
        ...{ max_milli: 1000, source: 'operador', verdict, action: null, findings: '', operator: 'Ana', user_id: 1 },
        ...{ measured_at: at, measured_day: '2026-01-01', received_at: at, counted: 1, charted: unit === '' ? 0 : 1 },
        ...{ invalid_reason: null, invalid_by: null, invalid_at: null, cause: null, cause_note: null },
        ...{ cause_by: null, cause_at: null },
      }
    })
  })
  const stored = rows.filter(({ act_id }) => act_id !== idOf('unmeasured', 'dentro'))
  await db.transaction((tx) => tx.insertInto('measurements').values(stored).execute())
  await db.close()
}
