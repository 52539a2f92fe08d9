import { hash } from 'node:crypto'
import type { containments, SubjectKind } from '../../contract/containments.ts'
import type { Input } from '../../contract/endpoint.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import {
  type Ends,
  endsProblem,
  isNarrower,
  namedSubject,
  readingSubject,
  TOOL_MS,
} from '../../domain/containments/subjects.ts'
import { dayStartMs } from '../../domain/plant/plant-time.ts'
import { judge, machineKey } from '../../domain/quality/control-plans.ts'
import { limitsOf, type Readings } from '../../domain/quality/sampling.ts'
import { type SuspectRecording, type SuspectWindow, widenedWindow } from '../../domain/quality/suspect-windows.ts'
import { requirePlant } from '../acts/erp-copies.ts'
import { Refused, refuseField } from '../http/refused.ts'
import type { Call } from '../panel.ts'
import type { NewContainment } from '../store/containments.ts'
import { findPlansOf } from '../store/control-plans.ts'
import type { Reader } from '../store/db/db.ts'
import { listCalibrations, listInstruments } from '../store/instruments.ts'
import { findAct, findTools } from '../store/measurements.ts'
import { readingOf, WindowTooLarge } from '../store/suspect-recordings.ts'
import { listSuspects, type Subject } from '../store/suspect-subjects.ts'
import { findWindow } from '../store/suspect-windows.ts'

type Asking = Pick<Call, 'config' | 'now'>

/** A reading, or what is named, as a query or a form says it. */
type Wanted = Input<typeof containments.preview>['query']

type SubjectColumns = Pick<
  NewContainment,
  | ('branch' | 'kind' | 'origin_key' | 'act_id' | 'characteristic' | 'subject' | 'part_group' | 'unit' | 'unit_key')
  | ('terminal' | 'terminal_key' | 'gauge_milli' | 'machine' | 'machine_key' | 'lot' | 'instrument')
  | ('start_at' | 'basis' | 'end_at' | 'is_open_ended')
>

/** A subject that may be contained, and what is stored of it. */
export type FoundSubject = {
  subject: Subject
  columns: SubjectColumns
  /** Somebody has chosen an end of what was measured. */
  isChosen: boolean
  /** With the ends chosen, fewer recordings may be found. */
  isNarrowed: boolean
}

export function requireEnds(ends: Ends, orderedAt: number, { now }: Pick<Asking, 'now'>): void {
  const problem = endsProblem(ends, { orderedAt, now: now() })
  if (problem) refuseField(problem.field, problem.message)
}

const instantOf = (iso: string | undefined) => (iso === undefined ? undefined : Date.parse(iso))

const endsOf = (window: SuspectWindow): Ends & { isOfOrder: boolean } => ({
  ...{ startAt: window.startAt, endAt: window.endAt, isOfOrder: window.basis === 'ordem' },
})

const blank = {
  ...{ origin_key: null, act_id: null, characteristic: null, part_group: '' as const },
  ...{ unit: '', unit_key: '', terminal: '', terminal_key: '', gauge_milli: null },
  ...{ machine: '', machine_key: '', lot: '', instrument: '' },
}

async function findReadingSubject(
  db: Reader,
  { medicao, caracteristica, inicio, fim }: Wanted,
  { config, now }: Asking,
): Promise<FoundSubject> {
  const act = await findAct(db, (medicao ?? '').toLowerCase())
  if (!act) throw new Refused('not_found')
  const row = act.rows.find(({ characteristic }) => characteristic === caracteristica)
  const reading = row ? readingOf(row) : null
  if (!row || !reading || row.verdict !== 'fora') throw new Refused('measurement_inside')
  if (row.invalid_at !== null || row.counted === 0) throw new Refused('measurement_not_counted')
  if (!config.plants.some(({ code }) => code === row.branch)) refuseField('medicao', 'Medição de outra filial')
  const measured = await findWindow(db, reading)
  const window = widenedWindow(measured, { startAt: instantOf(inicio), endAt: instantOf(fim) })
  requireEnds(window, reading.orderedAt, { now })
  const plan = (await findPlansOf(db, [row])).get(row.plan_id ?? 0)
  const readings = JSON.parse(row.readings_json) as Readings
  const limits = limitsOf(plan?.plan ?? null, row.characteristic, { forceMin: null })
  const worst = limits ? judge(limits, readings).worst : Math.min(...readings)
  const { startAt: start_at, basis, endAt: end_at } = window
  const columns: SubjectColumns = {
    ...{ ...blank, branch: row.branch, kind: 'medicao', act_id: row.act_id, characteristic: row.characteristic },
    origin_key: hash('sha256', `${row.act_id} ${row.characteristic}`, 'hex'),
    subject: readingSubject(row.characteristic, worst, config.erpSettings.forceUnit),
    part_group: reading.place.isJunction ? 'juncao' : 'crimpagem',
    ...{ unit: row.unit, unit_key: row.unit_key, terminal: row.terminal, terminal_key: row.terminal_key },
    ...{ gauge_milli: row.gauge_milli, machine: row.machine, machine_key: machineKey(row.machine) },
    ...{ start_at, basis, end_at, is_open_ended: end_at === null ? 1 : 0 },
  }
  return {
    ...{ subject: { kind: 'medicao', reading, window }, columns },
    ...{ isChosen: inicio !== undefined || fim !== undefined, isNarrowed: isNarrower(endsOf(measured), window) },
  }
}

/** Where a window begins and ends by itself, where nobody says it. */
async function usualEnds(db: Reader, kind: SubjectKind, term: string, { config, now }: Asking): Promise<Ends> {
  const open = { startAt: null, endAt: null }
  if (kind === 'ferramenta') {
    const tool = (await findTools(db, [nameKey(term)])).get(nameKey(term))
    return { ...open, startAt: tool?.maintainedAt ?? now() - TOOL_MS }
  }
  if (kind !== 'instrumento') return open
  const known = (await listInstruments(db)).find(({ codigo }) => nameKey(codigo) === nameKey(term))
  const [calibration] = known ? await listCalibrations(db, known.id) : []
  return { startAt: calibration ? dayStartMs(calibration.fromDay, config.timeZone) : null, endAt: now() }
}

function requireNeededEnds(kind: SubjectKind, { startAt, endAt }: Ends): void {
  if (kind === 'instrumento' && startAt === null) refuseField('inicio', 'Sem calibração registrada: informe o início.')
  if (kind !== 'maquina') return
  const missing = [startAt === null && 'inicio', endAt === null && 'fim'].filter((field) => field !== false)
  const details = missing.map((field) => ({ field, message: 'Informe início e fim.' }))
  if (details.length > 0) throw new Refused('input_invalid', { details })
}

async function findNamedSubject(
  db: Reader,
  { filial: branch = '', tipo: kind = 'lote', termo = '', inicio, fim }: Wanted,
  { config, now }: Asking,
): Promise<FoundSubject> {
  requirePlant(branch, { config })
  const term = termo.trim()
  if (term === '') refuseField('termo', 'Campo obrigatório')
  const usual = await usualEnds(db, kind, term, { config, now })
  const ends = { startAt: instantOf(inicio) ?? usual.startAt, endAt: instantOf(fim) ?? usual.endAt }
  requireNeededEnds(kind, ends)
  requireEnds(ends, now(), { now })
  const named = {
    ferramenta: { unit: term, unit_key: nameKey(term) },
    lote: { lot: term },
    maquina: { machine: term, machine_key: machineKey(term) },
    instrumento: { instrument: term },
  }
  const columns: SubjectColumns = {
    ...{ ...blank, branch, kind, subject: namedSubject(kind, term), ...named[kind] },
    ...{ start_at: ends.startAt, basis: 'mao', end_at: ends.endAt, is_open_ended: ends.endAt === null ? 1 : 0 },
  }
  return { subject: { kind, branch, term, ...ends }, columns, isChosen: false, isNarrowed: false }
}

/** Refuses what is no bad reading, a plant that is none, and ends that say nothing. */
export const findSubject = (db: Reader, wanted: Wanted, asking: Asking): Promise<FoundSubject> =>
  wanted.medicao === undefined ? findNamedSubject(db, wanted, asking) : findReadingSubject(db, wanted, asking)

/** Its recordings, as far as one containment takes them. */
export async function suspectsOf(db: Reader, subject: Subject): Promise<SuspectRecording[]> {
  try {
    return await listSuspects(db, subject)
  } catch (error) {
    if (error instanceof WindowTooLarge) throw new Refused('containment_too_large')
    throw error
  }
}
