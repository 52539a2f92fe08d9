import { hash } from 'node:crypto'
import type { ExpressionBuilder, RawBuilder } from 'kysely'
import type { ControlPlan, PlanContent, Tolerance } from '../../contract/control-plans.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { compareNames, keysOfName } from '../../domain/people/names.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import type { PlanPlace, Validity } from '../../domain/quality/control-plans.ts'
import { isVoid, placeKeyOf } from '../../domain/quality/plan-versions.ts'
import { compiled, type Place } from './db/compiled.ts'
import { changesOne, type Reader, type Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { slicesOf } from './slices.ts'

type Row = Omit<Tables['control_plans'], 'id'> & { id: number }

/** Author and instant (epoch ms) of a change. */
export type PlanActor = { by: string; userId: number | null; at: number }

/** Authors of a version's creation, approval and end; null: nobody yet, or unknown. */
type PlanActors = { created: PlanActor | null; approved: PlanActor | null; ended: PlanActor | null }

/** A version of a plan, with its validity in epoch milliseconds. */
export type StoredPlan = {
  plan: PlanContent
  id: number
  place: string
  version: number
  isWaiting: boolean
} & PlanActors &
  Validity

export const placeOf = (plan: PlanPlace): string => hash('sha256', placeKeyOf(plan), 'hex')

const toleranceOf = (nominal: number | null, menos: number | null, mais: number | null): Tolerance | undefined =>
  nominal === null || menos === null || mais === null ? undefined : { nominal, menos, mais }

const given = <Name extends keyof PlanContent>(name: Name, value: PlanContent[Name] | null | '') =>
  (value === null || value === undefined || value === '' ? {} : { [name]: value }) as Pick<Partial<PlanContent>, Name>

const contentOf = (row: Row): PlanContent => ({
  terminal: row.terminal,
  bitola: row.gauge_milli,
  ...given('miniaplicador', row.unit),
  ...given('maquina', row.machine),
  ...given('filial', row.branch),
  ...given('altura', toleranceOf(row.height_nominal_milli, row.height_minus_milli, row.height_plus_milli)),
  ...given('forcaMin', row.force_min_milli),
  ...given('largura', toleranceOf(row.width_nominal_milli, row.width_minus_milli, row.width_plus_milli)),
  ...given(
    'alturaIsolante',
    toleranceOf(row.insulation_nominal_milli, row.insulation_minus_milli, row.insulation_plus_milli),
  ),
  leiturasAltura: row.height_readings,
  leiturasForca: row.force_readings,
  ...given('aCadaPecas', row.every_pieces),
  ultimaPeca: row.last_piece === 1,
  ...given('instrumento', row.instrument),
  ...given('reacao', row.reaction),
  digitadoVale: row.typed_counts !== 0,
})

const actorOf = (by: string | null, userId: number | null, at: number | null): PlanActor | null =>
  by === null || at === null ? null : { by, userId, at }

const toStored = (row: Row): StoredPlan => ({
  plan: contentOf(row),
  id: row.id,
  place: row.place,
  version: row.version,
  from: row.valid_from,
  until: row.valid_until,
  isWaiting: row.awaits_approval === 1,
  created: actorOf(row.created_by, row.created_user_id, row.created_at),
  approved: actorOf(row.approved_by, row.approved_user_id, row.approved_at),
  ended: actorOf(row.ended_by, row.ended_user_id, row.ended_at),
})

export const replyOf = ({ plan, id, version, from, until }: StoredPlan): ControlPlan => ({
  ...plan,
  id,
  version,
  validoDe: toInstant(from),
  validoAte: until === null ? null : toInstant(until),
})

const instantOf = (actor: PlanActor | null) => actor && toInstant(actor.at)

/** As quality reads it; who only works by plans is told no names. */
export const historyOf = (stored: StoredPlan): ControlPlan => ({
  ...replyOf(stored),
  aguardaAprovacao: stored.isWaiting,
  criadoPor: stored.created?.by ?? '',
  criadoEm: instantOf(stored.created),
  aprovadoPor: stored.approved?.by ?? '',
  aprovadoEm: instantOf(stored.approved),
  encerradoPor: stored.ended?.by ?? '',
  encerradoEm: instantOf(stored.ended),
})

const byPlace = (one: StoredPlan, other: StoredPlan): number =>
  compareNames(one.plan.terminal, other.plan.terminal) ||
  one.plan.bitola - other.plan.bitola ||
  compareNames(one.plan.miniaplicador ?? '', other.plan.miniaplicador ?? '') ||
  compareNames(one.plan.maquina ?? '', other.plan.maquina ?? '') ||
  compareNames(one.plan.filial ?? '', other.plan.filial ?? '') ||
  other.version - one.version

/** In force at an instant or later, and not void. */
const isOpen = (e: ExpressionBuilder<Tables, 'control_plans'>, at: number | RawBuilder<number>) =>
  e.and([
    e.or([e('valid_until', 'is', null), e('valid_until', '>', at)]),
    e.or([e('valid_until', 'is', null), e('valid_until', '>', e.ref('valid_from'))]),
  ])

const openAtPlace = compiled((db, value: Place<{ branch: string; key: string; folded: string; at: number }>) =>
  db
    .selectFrom('control_plans')
    .selectAll()
    .where('branch', 'in', [value('branch'), ''])
    .where('terminal_key', 'in', [value('key'), value('folded')])
    .where((e) => isOpen(e, value('at'))),
)

/** Plans of a terminal in a plant, those for all plants too, that were not over by then, nor void. Each recording asks. */
export async function listOpenPlans(
  db: Reader,
  { branch, terminal, at }: { branch: string; terminal: string; at: number },
): Promise<StoredPlan[]> {
  const [key = '', folded = key] = keysOfName(terminal)
  return (await openAtPlace(db, { branch, key, folded, at })).map(toStored).sort(byPlace)
}

type Wanted = { branch?: string | undefined; terminal?: string | undefined; openAt?: number; withWaiting?: boolean }

/** `openAt`: only what is not over by then, nor void. Of a plant: also what holds for all of them. */
export async function listPlans(
  db: Reader,
  { branch, terminal, openAt, withWaiting = false }: Wanted,
): Promise<StoredPlan[]> {
  let query = db.selectFrom('control_plans').selectAll()
  if (branch !== undefined) query = query.where('branch', 'in', ['', branch])
  if (terminal !== undefined) query = query.where('terminal_key', 'in', keysOfName(terminal))
  if (openAt !== undefined) {
    query = query.where((e) =>
      withWaiting ? e.or([isOpen(e, openAt), e('awaits_approval', '=', 1)]) : isOpen(e, openAt),
    )
  }
  return (await query.execute()).map(toStored).sort(byPlace)
}

export async function findPlan(db: Reader, id: number): Promise<StoredPlan | null> {
  const row = await db.selectFrom('control_plans').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toStored(row) : null
}

/** By their ids, the plans that judged some measurements. */
export async function findPlansOf(
  db: Reader,
  rows: readonly { plan_id: number | null }[],
): Promise<Map<number, StoredPlan>> {
  const ids = [...new Set(rows.flatMap(({ plan_id }) => plan_id ?? []))]
  if (ids.length === 0) return new Map()
  const plans = await db.selectFrom('control_plans').selectAll().where('id', 'in', ids).execute()
  return new Map(plans.map((row) => [row.id, toStored(row)]))
}

const ROWS_AT_ONCE = 200

/**
 * Where a place stands: its newest version that is not void and the one before that, the one that waits for its approval, and the last
 * number given.
 */
type PlanLine = {
  newest: StoredPlan | null
  before: StoredPlan | null
  waiting: StoredPlan | null
  lastVersion: number
}

export const emptyLine: PlanLine = { newest: null, before: null, waiting: null, lastVersion: 0 }

/** By place; of one without a plan there is nothing. */
export async function listPlanLines(db: Reader, places: readonly string[]): Promise<Map<string, PlanLine>> {
  const lines = new Map<string, PlanLine>()
  for (const some of slicesOf(places, ROWS_AT_ONCE)) {
    const rows = await db
      .selectFrom('control_plans')
      .selectAll()
      .where('place', 'in', some)
      .orderBy('version')
      .execute()
    for (const stored of rows.map(toStored)) {
      const { newest, before, waiting } = lines.get(stored.place) ?? emptyLine
      const now = isVoid(stored) ? { newest, before } : { newest: stored, before: newest }
      lines.set(stored.place, { ...now, waiting: stored.isWaiting ? stored : waiting, lastVersion: stored.version })
    }
  }
  return lines
}

export const findPlanLine = async (db: Reader, place: string): Promise<PlanLine> =>
  (await listPlanLines(db, [place])).get(place) ?? emptyLine

const rowOf = ({ plan, version, from, isWaiting = false, created, approved }: NewPlan): Omit<Row, 'id'> => ({
  place: placeOf(plan),
  branch: plan.filial ?? '',
  terminal: plan.terminal,
  terminal_key: nameKey(plan.terminal),
  gauge_milli: plan.bitola,
  unit: plan.miniaplicador ?? '',
  machine: plan.maquina ?? '',
  version,
  height_nominal_milli: plan.altura?.nominal ?? null,
  height_minus_milli: plan.altura?.menos ?? null,
  height_plus_milli: plan.altura?.mais ?? null,
  force_min_milli: plan.forcaMin ?? null,
  width_nominal_milli: plan.largura?.nominal ?? null,
  width_minus_milli: plan.largura?.menos ?? null,
  width_plus_milli: plan.largura?.mais ?? null,
  insulation_nominal_milli: plan.alturaIsolante?.nominal ?? null,
  insulation_minus_milli: plan.alturaIsolante?.menos ?? null,
  insulation_plus_milli: plan.alturaIsolante?.mais ?? null,
  height_readings: plan.leiturasAltura,
  force_readings: plan.leiturasForca,
  every_pieces: plan.aCadaPecas ?? null,
  last_piece: plan.ultimaPeca ? 1 : 0,
  instrument: plan.instrumento ?? '',
  reaction: plan.reacao ?? '',
  valid_from: from,
  valid_until: isWaiting ? from : null,
  typed_counts: plan.digitadoVale === false ? 0 : 1,
  awaits_approval: isWaiting ? 1 : 0,
  ...{ created_by: created?.by ?? null, created_user_id: created?.userId ?? null, created_at: created?.at ?? null },
  ...{ approved_by: approved?.by ?? null, approved_user_id: approved?.userId ?? null },
  approved_at: approved?.at ?? null,
  ...{ ended_by: null, ended_user_id: null, ended_at: null },
})

export type NewPlan = {
  plan: PlanContent
  version: number
  from: number
  isWaiting?: boolean
  created?: PlanActor
  approved?: PlanActor
}

/** Throws a unique violation when somebody else has made the same version of one of them. */
export async function insertPlans(tx: Tx, plans: readonly NewPlan[]): Promise<void> {
  for (const some of slicesOf(plans, ROWS_AT_ONCE)) {
    await tx.insertInto('control_plans').values(some.map(rowOf)).execute()
  }
}

const endedBy = ({ by, userId, at }: PlanActor) => ({ ended_by: by, ended_user_id: userId, ended_at: at })

/** False when one of them is over by then, as somebody else has decided meanwhile. */
export async function endPlans(tx: Tx, ids: readonly number[], until: number, actor: PlanActor): Promise<boolean> {
  for (const some of slicesOf(ids, ROWS_AT_ONCE)) {
    const { numUpdatedRows } = await tx
      .updateTable('control_plans')
      .set({ valid_until: until, ...endedBy(actor) })
      .where('id', 'in', some)
      .where((e) => e.or([e('valid_until', 'is', null), e('valid_until', '>', until)]))
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) !== some.length) return false
  }
  return true
}

/**
 * Withdraws versions that wait for their approval, as another takes their place or somebody takes them back. False as
 * above.
 */
export async function withdrawPlans(tx: Tx, ids: readonly number[], actor: PlanActor): Promise<boolean> {
  for (const some of slicesOf(ids, ROWS_AT_ONCE)) {
    const { numUpdatedRows } = await tx
      .updateTable('control_plans')
      .set({ awaits_approval: 0, ...endedBy(actor) })
      .where('id', 'in', some)
      .where('awaits_approval', '=', 1)
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) !== some.length) return false
  }
  return true
}

/** From then on it holds. False when it does not wait any more. */
export const approvePlan = (tx: Tx, id: number, from: number, { by, userId, at }: PlanActor): Promise<boolean> =>
  tx
    .updateTable('control_plans')
    .set({ awaits_approval: 0, valid_from: from, valid_until: null })
    .set({ approved_by: by, approved_user_id: userId, approved_at: at })
    .where((e) => e.and({ id, awaits_approval: 1 }))
    .$call(changesOne)

/** The version that was to end it was taken back. False when it does not end there any more. */
export const reopenPlan = (tx: Tx, { id }: StoredPlan, until: number): Promise<boolean> =>
  tx
    .updateTable('control_plans')
    .set({ valid_until: null, ended_by: null, ended_user_id: null, ended_at: null })
    .where((e) => e.and({ id, valid_until: until }))
    .$call(changesOne)
