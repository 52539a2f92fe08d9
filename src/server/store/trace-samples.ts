import { sql } from 'kysely'
import type { TraceSample } from '../../contract/traces.ts'
import { delayMinutes } from '../../domain/acts/late-acts.ts'
import { itemNumberOf } from '../../domain/acts/recordings.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { spellingsThere, usualSpellings } from '../../domain/text/spellings.ts'
import { findPlansOf, type StoredPlan } from './control-plans.ts'
import type { Reader } from './db/db.ts'
import { wordsOf } from './measurements.ts'
import { subjectKeys } from './sample-subjects.ts'
import { toMeasurement } from './trace-measurements.ts'
import { itemKey, listItems, type Traced, type TracePlace } from './traces.ts'

type Act = { id: string; at: number }

/** Which samples follow, the newest first; by order and item of the plants, each by an index. */
async function listActs(
  db: Reader,
  { kind, name }: Traced,
  { branches, after, countMax }: { branches: readonly string[]; after: TracePlace | null; countMax: number },
): Promise<Act[]> {
  if (name === '') return []
  if (kind === 'ordem' || kind === 'barras') {
    let query = db
      .selectFrom('measurements')
      .select(['act_id as id', 'ordered_at as at'])
      .distinct()
      .where('branch', 'in', branches)
      .where(kind === 'ordem' ? 'order_number' : 'barcode', 'in', usualSpellings(name))
      .where('recording_id', 'is', null)
    if (after) query = query.where(isAfter(after, 'ordered_at'))
    const rows = await query.orderBy('ordered_at', 'desc').orderBy('act_id', 'desc').limit(countMax).execute()
    return rows.map(({ id, at }) => ({ id, at: Number(at) }))
  }
  const subject = subjectKeys[kind](name)
  const subjects = kind === 'lote' ? await spellingsThere(subject, (text) => firstLotFrom(db, text)) : [subject]
  const acts: Act[] = []
  // one by one: of several values at once neither database reads the index in order
  for (const one of subjects) {
    let query = db
      .selectFrom('sample_subjects')
      .select(['act_id as id', 'at'])
      .where((e) => e.and({ kind, subject: one }))
    if (after) query = query.where('at', '<=', after.recordedAt).where(isAfter(after, 'at'))
    acts.push(...(await query.orderBy('at', 'desc').orderBy('act_id', 'desc').limit(countMax).execute()))
  }
  return acts.sort(newestFirst).slice(0, countMax)
}

const newestFirst = (one: Act, other: Act) => other.at - one.at || (other.id < one.id ? -1 : 1)

async function firstLotFrom(db: Reader, text: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('sample_subjects')
    .select('subject')
    .where('kind', '=', 'lote')
    .where('subject', '>=', text)
    .orderBy('subject')
    .limit(1)
    .executeTakeFirst()
  return row?.subject
}

const isAfter = ({ recordedAt, id }: TracePlace, at: 'at' | 'ordered_at') =>
  sql<boolean>`(${sql.ref(at)} < ${recordedAt} or (${sql.ref(at)} = ${recordedAt} and act_id < ${id}))`

type Row = Awaited<ReturnType<typeof listRows>>[number]

const listRows = (db: Reader, acts: readonly string[]) =>
  db.selectFrom('measurements').selectAll().where('act_id', 'in', acts).orderBy('id').execute()

/** A recording that names a sample is of its item, or of its order. No index knows links by their sample. */
async function listNamed(db: Reader, rows: readonly Row[]): Promise<Set<string>> {
  const named = (column: 'barcode' | 'order_number', values: readonly string[]) =>
    values.length === 0
      ? []
      : db
          .selectFrom('recordings as r')
          .innerJoin('recording_measurements as l', 'l.recording_id', 'r.id')
          .select('l.act_id')
          .where('r.branch', 'in', [...new Set(rows.map(({ branch }) => branch))])
          .where(`r.${column}`, 'in', [...new Set(values)])
          .execute()
  const ofItems = await named('barcode', rows.map(({ barcode }) => barcode).filter(Boolean))
  const joined = rows.filter(({ part }) => part === 'juncao')
  const ofOrders = await named(
    'order_number',
    joined.map(({ order_number }) => order_number),
  )
  return new Set([...ofItems, ...ofOrders].map(({ act_id }) => act_id))
}

function toSample(
  rows: readonly [Row, ...Row[]],
  of: { plans: ReadonlyMap<number, StoredPlan>; item: string; isNamed: boolean },
): TraceSample {
  const [first] = rows
  return {
    id: first.act_id,
    medidoEm: toInstant(first.measured_at),
    recebidoEm: toInstant(first.received_at),
    demoraMinutos: delayMinutes(first.measured_at, first.received_at),
    parte: first.part,
    filial: first.branch,
    ordem: first.order_number,
    item: of.item,
    barras: first.barcode,
    posicao: first.position,
    terminal: first.terminal,
    bitolaMilli: first.gauge_milli,
    lote: first.lot,
    miniaplicador: first.unit,
    maquina: first.machine,
    instrumento: first.instrument,
    operador: first.operator,
    acao: first.action,
    achados: [...new Set(rows.flatMap(({ findings }) => wordsOf(findings)))],
    medicoes: rows.map((row) => toMeasurement(row, of.plans)),
    situacao: first.invalid_at !== null ? 'invalida' : first.counted === 1 ? 'vale' : 'nao-conta',
    motivo: first.invalid_at === null ? '' : `${first.invalid_reason ?? ''} (${first.invalid_by ?? ''})`,
    nomeada: of.isNamed,
  }
}

/** Whether there is one at all. */
export const hasSamples = async (db: Reader, traced: Traced, branches: readonly string[]): Promise<boolean> =>
  (await listActs(db, traced, { branches, after: null, countMax: 1 })).length > 0

/** The samples that follow, the newest first, whether they count or not. */
export async function listTraceSamples(
  db: Reader,
  traced: Traced,
  page: { branches: readonly string[]; after: TracePlace | null; countMax: number },
): Promise<TraceSample[]> {
  const acts = (await listActs(db, traced, page)).map(({ id }) => id)
  if (acts.length === 0) return []
  const rows = await listRows(db, acts)
  const byAct = Map.groupBy(rows, ({ act_id }) => act_id)
  const plans = await findPlansOf(db, rows)
  const items = await listItems(db, rows)
  const named = await listNamed(db, rows)
  return acts.flatMap((id) => {
    const [first, ...others] = byAct.get(id) ?? []
    if (!first) return []
    const item = items.get(itemKey(first))
    return [toSample([first, ...others], { plans, item: item ? itemNumberOf(item) : '', isNamed: named.has(id) })]
  })
}
