import {
  HISTORY_ROWS_MAX,
  type HistoryEnd,
  type HistoryRecording,
  type HistoryRelease,
  type LookedReading,
} from '../../contract/end-histories.ts'
import type { Characteristic } from '../../contract/measurements.ts'
import type { RecordedPart } from '../../contract/recordings.ts'
import type { TraceLine } from '../../contract/traces.ts'
import { delayMinutes } from '../../domain/acts/late-acts.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { CLOCK_SLACK_MS } from '../../domain/quality/plan-gate.ts'
import { traceSample } from '../../domain/reports/trace-samples.ts'
import type { Reader } from './db/db.ts'
import { ofEnd, type Placed, readActs, readings, wordReadings } from './end-history-rows.ts'
import { listFindingsOf } from './recording-findings.ts'
import { type Looked, releaseSubject } from './releases.ts'
import { placeOf } from './suspect-windows.ts'
import { lineColumns, toLines } from './traces.ts'

/** Parts of the history of an end: its wire's cut before it and its receipt after it belong there too. */
const partsOf = ({ parte }: HistoryEnd): RecordedPart[] =>
  parte === 'juncao' ? ['juncao'] : ['cabo', parte, 'recebimento']

/** The newest first, those that count. */
export const listRecordings = (db: Reader, end: HistoryEnd) =>
  db
    .selectFrom('recordings')
    .select(lineColumns)
    .select(['received_at', 'terminal', 'unit_key'])
    .where((e) => e.and({ ...ofEnd(end), counted: 1 }))
    .where('part', 'in', partsOf(end))
    .orderBy('recorded_at', 'desc')
    .orderBy('id', 'desc')
    .limit(HISTORY_ROWS_MAX + 1)
    .execute()

type RecordedRow = Awaited<ReturnType<typeof listRecordings>>[number]

const doneAt = ({ recorded_at, received_at }: RecordedRow) => Math.min(recorded_at, received_at)

/** A recording that was outside in a characteristic of which neither it nor a sample that it names shows a value. */
type Unshown = { row: RecordedRow; characteristics: readonly Characteristic[] }

/** The newest readings outside at the place of each recording: of whatever item of its order, as its gate has looked. */
async function findUnshown(db: Reader, end: HistoryEnd, unshown: readonly Unshown[]) {
  const found = new Map<string, LookedReading[]>()
  if (unshown.length === 0) return found
  const orders = new Set(unshown.map(({ row }) => row.order_number))
  const outside = await readings(db)
    .where('branch', '=', end.filial)
    .where('order_number', 'in', [...orders])
    .where((e) => e.and({ verdict: 'fora', counted: 1 }))
    .execute()
  const keyOf = (of: Parameters<typeof placeOf>[0]) => JSON.stringify(placeOf(of))
  const newestFirst = outside.toSorted((one, other) => other.ordered_at - one.ordered_at)
  const chosen = unshown.flatMap(({ row, characteristics }) =>
    characteristics.flatMap((characteristic) => {
      const place = keyOf({ ...row, unit_key: row.unit_key ?? '', terminal_key: nameKey(row.terminal) })
      const reading = newestFirst.find(
        (one) =>
          one.characteristic === characteristic &&
          keyOf(one) === place &&
          one.ordered_at <= doneAt(row) + CLOCK_SLACK_MS,
      )
      return reading ? [{ id: row.id, reading }] : []
    }),
  )
  const worded = await wordReadings(db, [...new Set(chosen.map(({ reading }) => reading))])
  for (const { id, reading } of chosen) {
    const said = worded.get(reading)
    if (said) found.set(id, [...(found.get(id) ?? []), said])
  }
  return found
}

const isShownIn = ({ medicoes = [] }: TraceLine, characteristic: Characteristic): boolean =>
  medicoes.some(({ caracteristica, fora }) => fora && caracteristica === characteristic)

/** Recordings with what was noted of them, and the releases that were given by who recorded. */
export async function toRecordings(
  db: Reader,
  end: HistoryEnd,
  rows: readonly RecordedRow[],
): Promise<{ recordings: Placed<HistoryRecording>[]; ownReleases: Set<string> }> {
  const ids = rows.map(({ id }) => id)
  const stated = await listFindingsOf(db, ids)
  const findings = Map.groupBy(stated, ({ apontamento }) => apontamento)
  const lines = new Map((await toLines(db, rows)).map((line) => [line.id, line]))
  const unshown = rows.flatMap((row): Unshown[] => {
    const line = lines.get(row.id)
    const outside = new Set((findings.get(row.id) ?? []).flatMap((one) => one.outside))
    const characteristics = [...outside].filter((one) => line && !isShownIn(line, one))
    return characteristics.length > 0 ? [{ row, characteristics }] : []
  })
  const readingsOf = await findUnshown(db, end, unshown)
  const recordings = rows.flatMap((row) => {
    const linha = lines.get(row.id)
    if (!linha) return []
    const entry: HistoryRecording = {
      tipo: 'apontamento',
      id: row.id,
      em: toInstant(row.recorded_at),
      recebidoEm: toInstant(row.received_at),
      demoraMinutos: delayMinutes(row.recorded_at, row.received_at),
      linha,
      achados: (findings.get(row.id) ?? []).map(toFinding),
      fora: readingsOf.get(row.id) ?? [],
    }
    return [{ at: doneAt(row), entry }]
  })
  const ownReleases = stated.flatMap(({ liberadoPorQuemApontou, release }) =>
    liberadoPorQuemApontou && release ? [release.id] : [],
  )
  return { recordings, ownReleases: new Set(ownReleases) }
}

type Stated = Awaited<ReturnType<typeof listFindingsOf>>[number]

const toFinding = (one: Stated): HistoryRecording['achados'][number] => ({
  achado: one.achado,
  modo: one.modo,
  motivo: one.motivo,
  caracteristicas: one.caracteristicas ?? [],
  liberadoPor: one.liberadoPor,
  motivoDaLiberacao: one.release?.reason ?? '',
  liberadoPorQuemApontou: one.liberadoPorQuemApontou,
  liberadoSemAmostras: one.liberadoSemAmostras,
  situacao: one.situacao,
  medidaEm: one.closedAt === null ? null : toInstant(one.closedAt),
  tratamentos: one.tratamentos,
})

const toTyped = ({ characteristic, milli }: Looked['typed'][number]): LookedReading => ({
  ...traceSample({ characteristic, readings: [milli], isOut: false }, null),
  ...{ ato: null, em: null },
})

/** Those given at an end, also the ones that nobody has used. */
export async function listReleases(
  db: Reader,
  end: HistoryEnd,
  ownReleases: ReadonlySet<string>,
): Promise<Placed<HistoryRelease>[]> {
  const { filial, parte, ordem, codigoBarras, posicao } = end
  const subject = releaseSubject({ barcode: codigoBarras, orderNumber: ordem, position: posicao, part: parte })
  const rows = await db
    .selectFrom('releases')
    .selectAll()
    .where((e) => e.and({ branch: filial, subject }))
    .execute()
  const lookedAt = new Map(
    rows.map(({ id, looked_json }) => [id, looked_json === null ? null : (JSON.parse(looked_json) as Looked)]),
  )
  const acts = [...new Set([...lookedAt.values()].flatMap((looked) => looked?.acts ?? []))]
  const byAct = await readActs(db, acts)
  const olhadasOf = (looked: Looked): LookedReading[] => [
    ...looked.acts.flatMap((act) => byAct.get(act) ?? []),
    ...looked.typed.map(toTyped),
  ]
  return rows.map((row) => {
    const looked = lookedAt.get(row.id) ?? null
    return {
      at: row.at,
      entry: {
        tipo: 'liberacao',
        id: row.id,
        em: toInstant(row.at),
        por: row.given_by,
        motivo: row.reason,
        apontamento: row.recording_id,
        pecas: row.pieces,
        olhadas: looked && olhadasOf(looked),
        propria: ownReleases.has(row.id),
      },
    }
  })
}
