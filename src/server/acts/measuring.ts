import type { PlanContent } from '../../contract/control-plans.ts'
import type { Characteristic, Measurement, MeasurementAction, Occasion } from '../../contract/measurements.ts'
import { isDatedBack } from '../../domain/acts/late-acts.ts'
import { nameKey, orderOf, sectionOf } from '../../domain/acts/recordings.ts'
import { machineTypeOf } from '../../domain/forms/form-lists.ts'
import { plantDay } from '../../domain/plant/plant-time.ts'
import { gaugeOf, machineKey, planFor, testedGaugeOf } from '../../domain/quality/control-plans.ts'
import { instrumentFindingsOf } from '../../domain/quality/instruments.ts'
import {
  expectedOf,
  formValues,
  isPlanned,
  junctionSpecOf,
  junctionTerminalOf,
  limitsOf,
  type NamedReadings,
  type OrderSpec,
  orderSpecOf,
  ownReadings,
  plausibility,
  type Readings,
  registeredUnit,
  shiftText,
  verdictOfReadings,
} from '../../domain/quality/sampling.ts'
import { typedOver } from '../../domain/quality/verdicts.ts'
import type { Config } from '../config.ts'
import { listTerminalKeys } from '../store/applicators.ts'
import { listOpenPlans } from '../store/control-plans.ts'
import type { Reader, Tx } from '../store/db/db.ts'
import { listInstruments } from '../store/instruments.ts'
import { findItem } from '../store/items.ts'
import { findJunction, findJunctionDetails } from '../store/junctions.ts'
import { changesOfAct, noteChanges } from '../store/live-changes.ts'
import { findMachines } from '../store/machines.ts'
import {
  type ActRow,
  confirmSamples,
  findBefore,
  insertMeasurements,
  linkSamples,
  listActRows,
  type NewMeasurement,
} from '../store/measurements.ts'
import type { Beginning, Recording } from '../store/recordings.ts'

/** The end of a wire, or a junction. */
export type MeasuredPlace = Pick<Recording, 'branch' | 'barcode' | 'orderNumber' | 'position'> & {
  part: Measurement['parte']
}

type MeasuredCopy = { orderNumber: string; terminal: string; gauge: number | null; spec: OrderSpec }

/** Terminal, gauge and limits of an end or a junction, from the copies; null where there is no copy. */
export async function findMeasured(db: Reader, place: MeasuredPlace): Promise<MeasuredCopy | null> {
  const { part, branch, barcode } = place
  if (part === 'juncao') {
    const [junction, copy] = [await findJunction(db, place), await findJunctionDetails(db, place)]
    const details = copy?.details ?? null
    if (!junction) return null
    return {
      orderNumber: place.orderNumber,
      terminal: junctionTerminalOf(junction.junction),
      gauge: details && testedGaugeOf(details),
      spec: junctionSpecOf(details),
    }
  }
  const copy = await findItem(db, branch, barcode)
  if (!copy) return null
  const { item } = copy
  return {
    orderNumber: orderOf(item),
    terminal: sectionOf(item, part).terminal ?? '',
    gauge: gaugeOf(item),
    spec: orderSpecOf(item, part),
  }
}

/** One act of measuring, before anything is judged. Texts are empty where there is nothing to say. */
type MeasuringAct = MeasuredPlace & {
  id: string
  contentHash: string
  /** Where a recording itself measured it. */
  recordingId: string | null
  terminal: string
  unit: string
  machine: string
  lot: string
  instrument: string
  occasion: Occasion
  /** The lot that it named was none. */
  isLotRemoved?: boolean
  hasTwoWires: boolean
  readings: { characteristic: Characteristic; values: Readings }[]
  /** Where a recording itself measured it, what its newest samples of it said. */
  named?: NamedReadings['newest']
  action: MeasurementAction | null
  operator: string
  userId: number
  measuredAt: number
  receivedAt: number
  isCounted: boolean
  isTrusted: boolean
  /** A tablet's queue brought it. */
  isSaved: boolean
  /** Where the copy has been read in the same commit. */
  copy?: MeasuredCopy | undefined
}

type Outside = { config: Pick<Config, 'shifts' | 'timeZone'> }

/** The plan that was in force at a place. */
export async function findPlanAt(db: Reader, place: Parameters<typeof planFor>[1]) {
  if (place.terminal === '') return null
  const plans = await listOpenPlans(db, place)
  return planFor(
    plans.map(({ plan, ...version }) => ({ ...plan, ...version })),
    place,
  )
}

/**
 * Whether terminal or order differ from the item's, the tool is registered for other terminals alone, or the ERP's list
 * lacks the machine. A recording's own values are compared with the item alone: the rest would cost two more reads
 * each.
 */
async function isOfOther(tx: Reader, act: MeasuringAct, copy: MeasuredCopy): Promise<boolean> {
  const isItems = nameKey(act.terminal) === nameKey(copy.terminal) && act.orderNumber.trim() === copy.orderNumber.trim()
  if (!isItems || act.recordingId !== null) return !isItems
  const terminals = act.part === 'juncao' ? [] : await listTerminalKeys(tx, nameKey(act.unit))
  if (terminals.length > 0 && !terminals.includes(nameKey(act.terminal))) return true
  const { machines = [] } =
    (await findMachines(tx, act.branch, act.part === 'juncao' ? 'juncao' : machineTypeOf[act.part])) ?? {}
  return machines.length > 0 && !machines.some(({ id }) => machineKey(id) === machineKey(act.machine))
}

/** Rows of an act, a row a characteristic, and the plan that judged them. */
export type Measured = { rows: NewMeasurement[]; plan: PlanContent | null }

/** Judges an act by what was in force when it was done. Of one that is stored already nothing. */
async function judgedRows(tx: Tx, act: MeasuringAct, { config }: Outside): Promise<Measured> {
  const unit = act.part === 'juncao' ? '' : registeredUnit(act.unit)
  const { isStored, cycle } = await findBefore(tx, { id: act.id, unitKey: nameKey(unit), at: act.measuredAt })
  if (isStored) return { rows: [], plan: null }
  const copy = act.copy ?? (await findMeasured(tx, act))
  const gauge = copy?.gauge ?? null
  const spec = copy?.spec ?? { forceMin: null, height: null }
  const isOther = copy !== null && (await isOfOther(tx, act, copy))
  const isJudged = isPlanned({ ...act, gauge, unit })
  const plan = isJudged && gauge !== null ? await findPlanAt(tx, { ...act, gauge, unit, at: act.measuredAt }) : null
  const day = plantDay(act.measuredAt, config.timeZone)
  const isLate = isDatedBack({ ...act, doneAt: act.measuredAt })
  const instruments = act.instrument === '' ? [] : await listInstruments(tx)
  const shared = {
    act_id: act.id,
    content_hash: act.contentHash,
    recording_id: act.recordingId,
    branch: act.branch,
    order_number: act.orderNumber,
    barcode: act.barcode,
    position: act.position,
    part: act.part,
    terminal: act.terminal,
    terminal_key: nameKey(act.terminal),
    gauge_milli: gauge,
    unit,
    unit_key: nameKey(unit),
    unit_cycle: cycle,
    machine: act.machine,
    lot: act.lot,
    shift: shiftText(act.measuredAt, config),
    occasion: act.occasion,
    instrument: act.instrument,
    source: 'operador' as const,
    action: act.action,
    operator: act.operator,
    user_id: act.userId,
    measured_at: act.measuredAt,
    measured_day: day,
    received_at: act.receivedAt,
    counted: act.isCounted && act.isTrusted ? 1 : 0,
  }
  const rows = act.readings.map(({ characteristic, values }) => {
    const limits = isJudged ? limitsOf(plan, characteristic, spec) : null
    const ofPlan = limitsOf(plan, characteristic, { forceMin: null })
    const expected = isJudged ? expectedOf(plan, characteristic, spec) : null
    const isImplausible = expected !== null && plausibility(expected, values) === 'implausivel'
    // of what a recording itself measured nobody says with what: its values were typed
    const isAsked = act.recordingId === null && plan?.instrumento !== undefined && ofPlan !== null
    const used = { code: act.instrument, characteristic, readings: values }
    const ofGauge = instrumentFindingsOf(instruments, used, { day, isAsked })
    const ofAuthor = [!act.isTrusted && 'autor-nao-confirmado', isLate && 'registrado-depois']
    const ofItem = [isOther && 'nao-confere', act.isLotRemoved && 'lote-retirado']
    const findings = [isImplausible && 'implausivel', ...ofGauge, ...ofAuthor, ...ofItem]
    return {
      ...shared,
      characteristic,
      readings_json: JSON.stringify(values),
      n: values.length,
      sum_milli: values.reduce((sum, one) => sum + one, 0),
      min_milli: Math.min(...values),
      max_milli: Math.max(...values),
      plan_id: ofPlan && (plan?.id ?? null),
      verdict: typedOver(verdictOfReadings(limits, values), act.named?.[characteristic]?.verdict),
      findings: findings.filter(Boolean).join(' '),
      charted: isJudged && unit !== '' && act.terminal !== '' && !isImplausible && !isOther ? 1 : 0,
    }
  })
  return { rows, plan }
}

/** Stores an act that is not stored yet, and resolves to its rows. */
export async function insertAct(tx: Tx, act: MeasuringAct, outside: Outside): Promise<Measured> {
  const measured = await judgedRows(tx, act, outside)
  if (measured.rows.length > 0) await insertMeasurements(tx, measured.rows)
  return measured
}

/** The samples named by a recording that are of its own order and terminal. */
function namedReadings(
  ids: readonly string[],
  rows: readonly ActRow[],
  { branch, orderNumber, terminal, orderSpec }: Recording,
): NamedReadings {
  const known = new Set(rows.map(({ act_id }) => act_id))
  const newest: NamedReadings['newest'] = {}
  for (const row of rows.toSorted((one, other) => other.ordered_at - one.ordered_at || other.id - one.id)) {
    const isOfWork = row.branch === branch && row.order_number === orderNumber && row.terminal_key === nameKey(terminal)
    if (!isOfWork || row.invalid_at !== null) continue
    newest[row.characteristic] ??= {
      values: JSON.parse(row.readings_json) as Readings,
      nominal: row.height_nominal_milli ?? orderSpec?.height ?? null,
      ...(row.counted === 1 ? { verdict: row.verdict } : {}),
    }
  }
  return { areAllKnown: ids.every((id) => known.has(id.toLowerCase())), newest }
}

const nothing: Measured = { rows: [], plan: null }

/**
 * Stores the measurements of a recording just stored: links the samples that it names, and inserts an act of its own
 * for values that were measured in the form or typed over those samples. Resolves to that act.
 */
export async function insertMeasured(
  tx: Tx,
  recording: Recording,
  { counted = true, samples }: Pick<Beginning, 'counted'> & { samples: readonly string[] },
  outside: Outside,
): Promise<Measured> {
  const { id, part, branch, barcode, orderNumber, position, terminal, machine, lot, capture } = recording
  const { orderSpec: spec, itemTerminal = terminal, gaugeMilli: gauge = null } = recording
  if (part === 'cabo' || part === 'recebimento') return nothing
  await linkSamples(tx, id, samples)
  const named = await listActRows(tx, samples)
  // whoever may record, or was taken for its author, has measured too
  const confirmed = await confirmSamples(tx, named, recording.userId)
  if (confirmed.length > 0) await noteChanges(tx, changesOfAct(confirmed), recording.receivedAt)
  const known = namedReadings(samples, named, recording)
  const readings = ownReadings(formValues(part, recording.payload, capture), known)
  if (readings.length === 0) return nothing
  const { contentHash, operator, userId, recordedAt: measuredAt, receivedAt } = recording
  const place = { branch, part, barcode, orderNumber, position }
  const made = { terminal, unit: recording.applicator ?? '', machine, lot: lot.trim(), instrument: '' }
  // the id may be that of a sample that somebody made up: what was worked is recorded all the same
  return await insertAct(
    tx,
    {
      ...place,
      ...made,
      ...{ id, contentHash, recordingId: id, occasion: 'avulsa', hasTwoWires: capture?.doisFios === true },
      ...{ readings, named: known.newest, action: null, operator, userId, measuredAt, receivedAt },
      ...{ isCounted: counted, isTrusted: true, isSaved: capture?.salvoNoDispositivo === true },
      copy: spec && { orderNumber, terminal: itemTerminal, gauge, spec },
    },
    outside,
  )
}
