import type { OutsideAct, OutsideReading } from '../../contract/outside-acts.ts'
import type { Treatment } from '../../contract/treatments.ts'
import { addDays, DAY_MS, toInstant } from '../../domain/plant/plant-time.ts'
import { machineKey } from '../../domain/quality/control-plans.ts'
import { situationOf } from '../../domain/quality/occurrences.ts'
import { type AnsweringCall, callAnswering, isUnanswered } from '../../domain/quality/outside-acts.ts'
import { limitsOf } from '../../domain/quality/sampling.ts'
import { findPlansOf, type StoredPlan } from './control-plans.ts'
import type { Reader } from './db/db.ts'
import { findNextGood, inGroups, listMeasuredAgain } from './measured-again.ts'
import { listTakenOutByAuthor } from './measurements.ts'
import { listOutside, type OutsideRow, type OutsideSpan } from './outside-acts.ts'
import { countPieces, readingOf } from './suspect-recordings.ts'
import type { PlaceReading } from './suspect-windows.ts'
import { listTreatments } from './treatments.ts'

/** Calls opened on a day or later, with every press. */
async function listAnsweringCalls(db: Reader, branches: readonly string[], fromDay: string): Promise<AnsweringCall[]> {
  const opened = db
    .selectFrom('maintenance_calls as c')
    .where('c.branch', 'in', branches)
    .where('c.opened_day', '>=', fromDay)
  const rows = await opened
    .select(['c.id', 'c.call_number', 'c.state', 'c.opened_at', 'c.branch', 'c.team', 'c.machine', 'c.unit_key'])
    .select('c.act_id')
    .execute()
  const joins = await opened
    .innerJoin('maintenance_call_joins as j', 'j.call_id', 'c.id')
    .select(['j.call_id', 'j.joined_at', 'j.act_id'])
    .execute()
  const joined = new Map<string, { at: number; act: string | null }[]>()
  for (const { call_id, joined_at: at, act_id: act } of joins) {
    joined.set(call_id, [...(joined.get(call_id) ?? []), { at, act }])
  }
  return rows.map((row) => ({
    ...{ number: row.call_number, state: row.state, openedAt: row.opened_at, branch: row.branch },
    isForMaintenance: row.team === 'manutencao',
    ...{ machineKey: machineKey(row.machine), unitKey: row.unit_key },
    presses: [{ at: row.opened_at, act: row.act_id }, ...(joined.get(row.id) ?? [])],
  }))
}

/** Releasing person by sample act and by recording, for findings since `since`. */
async function listReleasers(db: Reader, since: number): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('recording_findings as f')
    .innerJoin('releases as l', 'l.id', 'f.release_id')
    .leftJoin('recording_measurements as m', 'm.recording_id', 'f.recording_id')
    .select(['f.recording_id', 'l.given_by', 'm.act_id'])
    .where('f.at', '>=', since)
    .execute()
  return new Map(
    rows.flatMap(({ recording_id, act_id, given_by }) => [
      [recording_id, given_by],
      [act_id ?? recording_id, given_by],
    ]),
  )
}

/** An act that is outside, and what is known of it without looking at its place more closely. */
export type OutsideStanding = {
  id: string
  receivedAt: number
  readings: { row: OutsideRow; at: PlaceReading | null; isMeasured: boolean }[]
  call: AnsweringCall | null
  treatments: Treatment[]
  releasedBy: string
  takenOut: OutsideAct['tirada']
  situation: OutsideAct['situacao']
  isUnanswered: boolean
}

const takenOutOf = (row: OutsideRow, byAuthor: ReadonlySet<string>): OutsideAct['tirada'] =>
  row.invalid_at === null
    ? null
    : { por: row.invalid_by ?? '', motivo: row.invalid_reason ?? '', porQuemMediu: byAuthor.has(row.act_id) }

/** The newest first. */
export async function listStandings(db: Reader, span: OutsideSpan, now: number): Promise<OutsideStanding[]> {
  const rows = await listOutside(db, span)
  if (rows.length === 0) return []
  const places = rows.map(readingOf)
  const measured = await listMeasuredAgain(db, places)
  const acts = new Map<string, OutsideStanding['readings']>()
  for (const [nth, row] of rows.entries()) {
    const reading = { row, at: places[nth] ?? null, isMeasured: measured[nth] === true }
    // as they were measured
    acts.set(row.act_id, [reading, ...(acts.get(row.act_id) ?? [])])
  }
  const firstAt = Math.min(...rows.map(({ measured_at }) => measured_at))
  // days of the plant are at most a day apart from those of the world's clock
  const firstDay = addDays(toInstant(firstAt).slice(0, 10), -1)
  const calls = await listAnsweringCalls(db, span.branches, firstDay)
  const treated = await listTreatments(db, 'medicao', [...acts.keys()])
  const takenOutIds = rows.flatMap(({ act_id, invalid_at: at }) => (at === null ? [] : [act_id]))
  const byAuthor = await listTakenOutByAuthor(db, takenOutIds)
  const releasers = await listReleasers(db, span.from - DAY_MS)
  return [...acts].flatMap(([id, readings]) => {
    const row = readings[0]?.row
    if (!row) return []
    const { branch, unit_key: unitKey, machine, action, measured_at: measuredAt, received_at: receivedAt } = row
    const call = callAnswering({ id, branch, unitKey, machineKey: machineKey(machine), action, measuredAt }, calls)
    const treatments = treated.get(id) ?? []
    const takenOut = takenOutOf(row, byAuthor)
    const known = { isTreated: treatments.length > 0, isMeasured: readings.every(({ isMeasured }) => isMeasured) }
    return {
      ...{ id, receivedAt, readings, call, treatments, releasedBy: releasers.get(id) ?? '' },
      ...{ takenOut, situation: situationOf(known) },
      isUnanswered: takenOut === null && isUnanswered({ ...known, isCalled: call !== null, receivedAt }, now),
    }
  })
}

async function readingFor(
  db: Reader,
  { row, at, isMeasured }: OutsideStanding['readings'][number],
  call: AnsweringCall | null,
): Promise<Omit<OutsideReading, 'minimo' | 'maximo'>> {
  const end = at && isMeasured ? await findNextGood(db, at, row.id) : null
  const since = at && { after: at.orderedAt, until: null, orderNumber: null }
  return {
    caracteristica: row.characteristic,
    valores: JSON.parse(row.readings_json) as number[],
    medida: end && { id: end.act, em: toInstant(end.at) },
    chamado: call && { numero: call.number, situacao: call.state, abertoEm: toInstant(call.openedAt) },
    apontadas: since && end === null ? await countPieces(db, at.place, [since]) : 0,
  }
}

/** As a page shows them. */
export async function describeStandings(db: Reader, standings: readonly OutsideStanding[]): Promise<OutsideAct[]> {
  const rows = standings.flatMap(({ readings }) => readings.map(({ row }) => row))
  const plans = await findPlansOf(db, rows)
  return (await inGroups(standings, (one) => describeOne(db, one, plans))).flat()
}

/** Empty for an act without a reading. */
async function describeOne(
  db: Reader,
  { id, readings, call, treatments, ...standing }: OutsideStanding,
  plans: ReadonlyMap<number, StoredPlan>,
): Promise<OutsideAct[]> {
  const row = readings[0]?.row
  if (!row) return []
  const leituras: OutsideReading[] = []
  for (const reading of readings) {
    const plan = plans.get(reading.row.plan_id ?? 0)?.plan ?? null
    const limits = limitsOf(plan, reading.row.characteristic, { forceMin: null })
    const bounds = { minimo: limits?.low ?? null, maximo: limits?.high ?? null }
    leituras.push({ ...(await readingFor(db, reading, call)), ...bounds })
  }
  return [
    {
      ...{ id, filial: row.branch, ordem: row.order_number, codigoBarras: row.barcode, posicao: row.position },
      ...{
        parte: row.part,
        terminal: row.terminal,
        maquina: row.machine,
        miniaplicador: row.unit,
        bitola: row.gauge_milli,
      },
      ...{ acao: row.action, operador: row.operator, liberadoPor: standing.releasedBy },
      ...{ medidoEm: toInstant(row.measured_at), recebidoEm: toInstant(row.received_at) },
      ...{
        leituras,
        situacao: standing.situation,
        tratamentos: treatments,
        tirada: standing.takenOut,
        semResposta: standing.isUnanswered,
      },
    },
  ]
}

/** How many acts nobody has answered. */
export const countUnanswered = async (db: Reader, span: OutsideSpan, now: number): Promise<number> =>
  (await listStandings(db, span, now)).filter((one) => one.isUnanswered).length
