import { sql } from 'kysely'
import type { ErpItem } from '../../contract/items.ts'
import type { JunctionDetails } from '../../contract/junctions.ts'
import type { Capture } from '../../contract/recordings.ts'
import type { Trace, TraceKind, TraceLine } from '../../contract/traces.ts'
import { itemNumberOf, nameKey } from '../../domain/acts/recordings.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { measuredIn, reasonIn, requiredIn, shiftIn, usedIn } from '../../domain/reports/traces.ts'
import { spellingsThere, usualSpellings } from '../../domain/text/spellings.ts'
import { countsRows, type Reader } from './db/db.ts'
import type { RecordingState, Tables } from './db/tables.ts'
import { listMachineNames } from './equipment.ts'
import { rowsAt } from './items.ts'
import { rowKey } from './junctions.ts'
import { listMissed } from './recording-findings.ts'
import { listTraceContainments } from './trace-containments.ts'
import { listTraceMeasurements } from './trace-measurements.ts'
import { findTraceScraps } from './trace-scraps.ts'

/** The column values that a term of one kind matches; none of an instrument, which recordings do not name. */
export type Traced = {
  kind: TraceKind
  name: string
  column: 'lot' | 'barcode' | 'order_number' | 'unit_key' | 'machine'
  values: string[]
}

const columnOf = {
  lote: 'lot',
  barras: 'barcode',
  ordem: 'order_number',
  miniaplicador: 'unit_key',
  maquina: 'machine',
  // of no recording
  instrumento: 'lot',
} as const satisfies Record<TraceKind, Traced['column']>

/** An empty name marks a recording without such a thing. */
export async function findTraced(db: Reader, kind: TraceKind, term: string): Promise<Traced> {
  const name = term.trim()
  const column = columnOf[kind]
  const of = { kind, name, column }
  if (name === '' || kind === 'instrumento') return { ...of, values: [] }
  if (kind === 'miniaplicador') return { ...of, values: [nameKey(name)] }
  const spellingsOf = (text: string) => spellingsThere(text, (from) => firstFrom(db, column, from))
  const values = await spellingsOf(name)
  if (kind !== 'maquina') return { ...of, values }
  // it is recorded by its id alone, or by its id with a maker, and is one whichever of them was asked for
  const [id = name] = name.split(' - ')
  if (id !== name) values.push(...(await spellingsOf(id)))
  for (const spelling of usualSpellings(id)) values.push(...(await listMachineNames(db, `${spelling} - `)))
  return { ...of, values: [...new Set(values)] }
}

async function firstFrom(db: Reader, column: Traced['column'], text: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('recordings')
    .select(`${column} as name`)
    .where(column, '>=', text)
    .orderBy(column)
    .limit(1)
    .executeTakeFirst()
  return row?.name ?? undefined
}

const recordingsOf = (db: Reader, { column, values }: Pick<Traced, 'column' | 'values'>) =>
  db.selectFrom('recordings').where(column, 'in', values).where('counted', '=', 1)

export async function countRecordings(db: Reader, traced: Traced): Promise<number> {
  if (traced.values.length === 0) return 0
  return await recordingsOf(db, traced).$call(countsRows)
}

/** A number or name is one of its plant: the other plant's of the same name is another thing. */
const distinctOf = (column: 'barcode' | 'order_number') =>
  sql<number>`count(distinct case when ${sql.ref(column)} <> '' then concat(branch, '|', ${sql.ref(column)}) end)`

/** Read from the index alone, and once: a machine may have many thousands. */
export async function countTrace(db: Reader, traced: Traced): Promise<Trace['contagens']> {
  if (traced.values.length === 0) return { apontamentos: 0, itens: 0, ordens: 0, pecas: 0 }
  const row = await recordingsOf(db, traced)
    .select((e) => [e.fn.countAll<number>().as('recordings'), e.fn.sum<number | null>('pieces').as('pieces')])
    .select([distinctOf('barcode').as('items'), distinctOf('order_number').as('orders')])
    .executeTakeFirstOrThrow()
  return {
    apontamentos: Number(row.recordings),
    itens: Number(row.items),
    ordens: Number(row.orders),
    pecas: Number(row.pieces ?? 0),
  }
}

/** Where it was used. */
export async function listBranches(db: Reader, traced: Traced): Promise<string[]> {
  if (traced.values.length === 0) return []
  const rows = await recordingsOf(db, traced).select('branch').distinct().orderBy('branch').execute()
  return rows.map(({ branch }) => branch)
}

/** Place of the last line that was read. */
export type TracePlace = { recordedAt: number; id: string }

/** Columns that a line is made of. */
export const lineColumns = [
  ...(['id', 'state', 'part', 'branch', 'barcode', 'position', 'order_number', 'pieces', 'machine', 'lot'] as const),
  ...(['payload_json', 'capture_json', 'operator', 'recorded_at', 'gauge_milli'] as const),
] as const

type Row = Pick<Tables['recordings'], (typeof lineColumns)[number]>

const newestFirst = (one: Row, other: Row) =>
  other.recorded_at - one.recorded_at || (other.id < one.id ? -1 : other.id > one.id ? 1 : 0)

/** The lines that follow, newest first. */
export async function listTraceLines(
  db: Reader,
  { column, values }: Traced,
  after: TracePlace | null,
  countMax: number,
): Promise<TraceLine[]> {
  const rows: Row[] = []
  // one by one: of several values at once neither database reads the index in order
  for (const value of values) {
    let query = recordingsOf(db, { column, values: [value] }).select(lineColumns)
    if (after) {
      // the first half alone is what an index can be entered by
      query = query
        .where('recorded_at', '<=', after.recordedAt)
        .where((e) => e.or([e('recorded_at', '<', after.recordedAt), e('id', '<', after.id)]))
    }
    rows.push(...(await query.orderBy('recorded_at', 'desc').orderBy('id', 'desc').limit(countMax).execute()))
  }
  return await toLines(db, rows.sort(newestFirst).slice(0, countMax))
}

/** With what the copies of their orders ask, and their samples. */
export async function toLines(db: Reader, page: readonly Row[]): Promise<TraceLine[]> {
  const items = await listItems(db, page)
  const junctions = await listDetails(db, page)
  const ids = page.map(({ id }) => id)
  const measurements = await listTraceMeasurements(db, ids)
  const missed = await listMissed(db, ids)
  const scrapOf = await findTraceScraps(db, page)
  const containments = await listTraceContainments(db, ids)
  return page.map((row) => {
    const refugo = scrapOf(row)
    const faltouMedir = missed.get(row.id)
    const contencoes = containments.get(row.id)
    return {
      ...toLine(row, { item: items.get(itemKey(row)), junction: junctions.get(rowKey(row)) }),
      medicoes: measurements.get(row.id) ?? [],
      ...(faltouMedir && { faltouMedir }),
      ...(refugo && { refugo }),
      ...(contencoes && { contencoes }),
    }
  })
}

/** Details of the positions that have a copy. */
async function listDetails(db: Reader, page: readonly Row[]): Promise<Map<string, JunctionDetails>> {
  const joined = page.filter(({ position }) => position !== '')
  if (joined.length === 0) return new Map()
  const rows = await db
    .selectFrom('erp_junction_details')
    .select(['branch', 'order_number', 'position', 'details_json'])
    .where('branch', 'in', [...new Set(joined.map(({ branch }) => branch))])
    .where('order_number', 'in', [...new Set(joined.map(({ order_number }) => order_number))])
    .where('position', 'in', [...new Set(joined.map(({ position }) => position))])
    .execute()
  return new Map(rows.map((row) => [rowKey(row), JSON.parse(row.details_json) as JunctionDetails]))
}

type Place = { branch: string; barcode: string }
export const itemKey = ({ branch, barcode }: Place) => JSON.stringify([branch, barcode])

/** Items that have a copy. */
export async function listItems(db: Reader, places: readonly Place[]): Promise<Map<string, ErpItem>> {
  const named = places.filter(({ barcode }) => barcode !== '')
  if (named.length === 0) return new Map()
  const rows = await rowsAt(db, named).select(['branch', 'barcode', 'row_json']).execute()
  return new Map(rows.map((row) => [itemKey(row), JSON.parse(row.row_json) as ErpItem]))
}

const situationOf = (state: RecordingState): TraceLine['situacao'] =>
  state === 'waiting' ? 'aguardando' : state === 'delivered' ? 'entregue' : 'pendente'

function toLine(row: Row, copies: { item: ErpItem | undefined; junction: JunctionDetails | undefined }): TraceLine {
  const used = usedIn(row.part, JSON.parse(row.payload_json) as object)
  const capture = row.capture_json === null ? null : (JSON.parse(row.capture_json) as Capture)
  return {
    id: row.id,
    registradoEm: toInstant(row.recorded_at),
    etapa: row.part,
    situacao: situationOf(row.state),
    filial: row.branch,
    ordem: row.order_number,
    item: copies.item ? itemNumberOf(copies.item) : '',
    barras: row.barcode,
    posicao: row.position,
    pecas: row.pieces,
    lote: row.lot,
    maquina: row.machine,
    operador: row.operator,
    ...used,
    ...requiredIn(row.part, used, copies),
    ...measuredIn(used, capture),
    ...shiftIn(capture),
    ...reasonIn(capture),
    bitolaMilli: row.gauge_milli,
  }
}
