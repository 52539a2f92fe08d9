import type { ScrapStage } from '../../contract/scrap-reasons.ts'
import { SCRAP_LINES_MAX, type ScrapGrouping, type ScrapLine, type ScrapReport } from '../../contract/scrap-reports.ts'
import { scrapParts } from '../../contract/scraps.ts'
import {
  inDayOrder,
  pareto,
  ppmOf,
  type ScrapRow,
  type ScrapSum,
  sumScraps,
} from '../../domain/reports/scrap-reports.ts'
import { partsOfStage } from '../../domain/tools/scraps.ts'
import { listProducedDays, productionIn } from './daily-production.ts'
import type { Reader } from './db/db.ts'
import { listReasons } from './scrap-reasons.ts'
import { columns } from './shift-reports.ts'
import { spellingOf } from './tool-names.ts'

export type ScrapRequest = {
  period: { from: string; to: string }
  by: ScrapGrouping
  branch: string | undefined
  stage: ScrapStage | undefined
  /** Pieces of set-ups and tests are in it. */
  hasProcess: boolean
}

const partsOf = (stage: ScrapStage | undefined) => (stage === undefined ? scrapParts : partsOfStage(stage))

/** By the one index of a day range; sums of few rows, so nobody waits long for it. */
async function listScrapRows(
  db: Reader,
  { period, by, branch, stage }: ScrapRequest,
  codes: readonly string[],
): Promise<ScrapRow[]> {
  const column = by === 'motivo' ? 'reason_code' : columns[by]
  let rows = db
    .selectFrom('daily_scrap')
    .select([`${column} as key`, 'is_rework', 'origin', (e) => e.fn.sum<number>('pieces').as('pieces')])
    .where('production_day', '>=', period.from)
    .where('production_day', '<=', period.to)
    .where('part', 'in', partsOf(stage))
    .where('reason_code', 'in', codes)
    .groupBy([column, 'is_rework', 'origin'])
  if (branch !== undefined) rows = rows.where('branch', '=', branch)
  const found = await rows.execute()
  // MariaDB says sums as text
  return found.map(({ key, is_rework, origin, pieces }) => ({
    ...{ key, isRework: is_rework === 1, origin, pieces: Number(pieces) },
  }))
}

/** Good pieces of the period under each name; by reason under '' alone, where all are one. */
async function sumGoods(db: Reader, { period, by, branch, stage }: ScrapRequest): Promise<Map<string, number>> {
  const goods = new Map<string, number>()
  for await (const day of listProducedDays(db, period)) {
    let ofDay = productionIn(db, { from: day, to: day }).where('part', 'in', partsOf(stage))
    if (branch !== undefined) ofDay = ofDay.where('branch', '=', branch)
    const sums = ofDay.select((e) => e.fn.sum<number | null>('pieces').as('pieces'))
    const rows =
      by === 'motivo'
        ? [{ key: '', ...(await sums.executeTakeFirstOrThrow()) }]
        : await sums.select(`${columns[by]} as key`).groupBy(columns[by]).execute()
    for (const { key, pieces } of rows) goods.set(key, (goods.get(key) ?? 0) + Number(pieces ?? 0))
  }
  return goods
}

type Line = ScrapSum & { permille: number; cumulativePermille: number }

export async function scrapReport(db: Reader, request: ScrapRequest): Promise<ScrapReport> {
  const { by, hasProcess } = request
  const reasons = await listReasons(db)
  const counting = reasons.filter(({ tipo }) => hasProcess || tipo === 'defeito')
  const rows = await listScrapRows(
    db,
    request,
    counting.map(({ codigo }) => codigo),
  )
  const written = await sumGoods(db, request)
  const spell = await spellingOf(db, by, [...rows.map(({ key }) => key), ...written.keys()])
  const goods = new Map<string, number>()
  for (const [name, pieces] of written) goods.set(spell(name), (goods.get(spell(name)) ?? 0) + pieces)
  const sums = sumScraps(rows.map((row) => ({ ...row, key: spell(row.key) }))).filter(
    ({ pieces, rework }) => pieces !== 0 || rework !== 0,
  )
  const totals = sums.reduce(
    (all, one) => ({
      pieces: all.pieces + one.pieces,
      beside: all.beside + one.beside,
      rework: all.rework + one.rework,
    }),
    { pieces: 0, beside: 0, rework: 0 },
  )
  const allGoods = [...goods.values()].reduce((all, pieces) => all + pieces, 0)
  const texts = new Map(reasons.map(({ codigo, texto }) => [codigo, texto]))
  const toLine = (line: Line): ScrapLine => ({
    nome: by === 'motivo' ? (texts.get(line.key) ?? line.key) : line.key,
    ...{ pecas: line.pieces, permil: line.permille, acumulado: line.cumulativePermille, retrabalho: line.rework },
    // each line against all that was made beside it: of reasons that is everything
    ppm:
      by === 'motivo'
        ? ppmOf({ pieces: line.pieces, beside: totals.beside }, allGoods)
        : ppmOf(line, goods.get(line.key) ?? 0),
  })
  const lines = (by === 'dia' ? inDayOrder(sums) : pareto(sums)).map(toLine)
  return {
    linhas: lines.slice(0, SCRAP_LINES_MAX),
    totais: { pecas: totals.pieces, ppm: ppmOf(totals, allGoods), retrabalho: totals.rework },
    linhasTotal: lines.length,
  }
}
