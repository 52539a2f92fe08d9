import { readFileSync } from 'node:fs'
import type { Characteristic, Verdict } from '../../src/contract/measurements.ts'
import { machineKey } from '../../src/domain/quality/control-plans.ts'
import { addProduction } from '../../src/server/store/daily-production.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import type { Tables } from '../../src/server/store/db/tables.ts'
import type { PlaceReading } from '../../src/server/store/suspect-windows.ts'
import { sampleOf } from './series-samples.ts'
import { BRANCH } from './store.ts'

type Spot = { unit: string; terminal: string; gauge: number; machine: string }

/** `at`: ISO. Of one instant the act that comes later in its list is the newer one. */
type PlantAct = Spot & {
  id: string
  at: string
  parts: Partial<Record<Characteristic, Verdict>>
  order?: string
  counted?: boolean
  invalid?: boolean
}
type PlantRecording = Spot & { id: string; at: string; order: string; pieces: number; counted?: boolean }
/** What was measured and recorded in a plant, as the golden data write it. */
export type Plant = { acts: PlantAct[]; recordings: PlantRecording[] }
export type BadReading = Spot & { at: string; characteristic: Characteristic; order: string }

type GoldenWindow = Plant & {
  name: string
  bad: BadReading
  widened?: object
  expected: {
    start: string | null
    basis: string
    end: string | null
    certain: string[]
    piecesAtBad: number
    pieces: number
  }
}

export const goldenWindows = (
  JSON.parse(readFileSync(new URL('golden/suspect-window.json', import.meta.url), 'utf8')) as {
    windows: GoldenWindow[]
  }
).windows

const isAt = (one: Spot, other: Spot) =>
  one.unit === other.unit &&
  one.terminal === other.terminal &&
  one.gauge === other.gauge &&
  machineKey(one.machine) === machineKey(other.machine)

const piecesOf = (all: readonly PlantRecording[]) => all.reduce((sum, { pieces }) => sum + pieces, 0)

/** The window of a bad reading and what is in it, one by one. `bad` names the act of `acts` that it stands in. */
export function bruteWindow({ acts, recordings }: Plant, bad: BadReading & { id: string }) {
  const badAt = Date.parse(bad.at)
  const badRow = acts.findIndex(({ id }) => id === bad.id)
  const good = acts
    .map((act, row) => ({ ...act, ms: Date.parse(act.at), row }))
    .filter((act) => act.parts[bad.characteristic] === 'dentro' && act.counted !== false && !act.invalid)
    .filter((act) => isAt(act, bad))
    .toSorted((one, other) => one.ms - other.ms || one.row - other.row)
  const isBefore = ({ ms, row }: { ms: number; row: number }) => ms < badAt || (ms === badAt && row < badRow)
  const start = good.findLast(isBefore) ?? null
  const end = good.find((one) => one.row !== badRow && !isBefore(one)) ?? null
  const certain = recordings.filter((one) => {
    const at = Date.parse(one.at)
    if (one.counted === false || !isAt(one, bad) || (end && at > end.ms)) return false
    return start ? at > start.ms : at > badAt || one.order === bad.order
  })
  return {
    window: {
      startAt: start?.ms ?? null,
      basis: start ? 'medicao' : 'ordem',
      endAt: end?.ms ?? null,
      endAct: end?.id ?? null,
    },
    certain: certain.map(({ id }) => id),
    piecesAtBad: piecesOf(certain.filter(({ at }) => Date.parse(at) <= badAt)),
    pieces: piecesOf(certain),
  }
}

const recordingRow = ({ at, order, unit, terminal, gauge, ...of }: PlantRecording): Tables['recordings'] => ({
  ...{ id: of.id, content_hash: 'x', state: 'delivered', promised: 1, counted: of.counted === false ? 0 : 1 },
  ...{ part: unit === '' ? 'juncao' : 'l1', branch: BRANCH, barcode: '', position: '', order_number: order },
  ...{ pieces: of.pieces, machine: of.machine, lot: '', terminal, unit_key: unit || null, payload_json: '{}' },
  ...{ capture_json: null, user_id: 1, operator: '', erp_message: null, superseded_by: null, gauge_milli: gauge },
  ...{ recorded_at: Date.parse(at), received_at: Date.parse(at), production_day: at.slice(0, 10) },
})

const actRows = ({ id, at, parts, order = '', unit, terminal, gauge, machine, ...of }: PlantAct) =>
  Object.entries(parts).map(([characteristic, verdict]) =>
    sampleOf([1000], {
      ...{ act_id: id, characteristic: characteristic as Characteristic, verdict, order_number: order },
      ...{ part: unit === '' ? 'juncao' : 'l1', unit, terminal, terminal_key: terminal, gauge_milli: gauge, machine },
      ...{ measured_at: Date.parse(at), counted: of.counted === false ? 0 : 1, charted: unit === '' ? 0 : 1 },
      ...(of.invalid ? { invalid_reason: 'x', invalid_by: 'x', invalid_at: 1 } : {}),
    }),
  )

export async function storePlant(db: Db, { acts, recordings }: Plant): Promise<void> {
  await db.transaction(async (tx) => {
    for (const act of acts) await tx.insertInto('measurements').values(actRows(act)).execute()
    if (recordings.length > 0) await tx.insertInto('recordings').values(recordings.map(recordingRow)).execute()
    for (const { part, machine, branch } of recordings.map(recordingRow)) {
      const day = {
        productionDay: '2026-11-23',
        branch,
        part,
        orderNumber: '',
        operator: '',
        unitKey: '',
        terminal: '',
      }
      await addProduction(tx, { ...day, machine }, { pieces: 1, recordings: 1 })
    }
  })
}

export const readingOf = (bad: BadReading & { id: string }): PlaceReading => ({
  place: {
    ...{ branch: BRANCH, isJunction: bad.unit === '', unitKey: bad.unit, terminalKey: bad.terminal },
    ...{ gauge: bad.gauge, machineKey: machineKey(bad.machine) },
  },
  ...{ characteristic: bad.characteristic, orderedAt: Date.parse(bad.at), actId: bad.id, orderNumber: bad.order },
})
