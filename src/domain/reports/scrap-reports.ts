import type { ScrapGrouping, ScrapLine, ScrapReport } from '../../contract/scrap-reports.ts'
import type { ScrapOrigin } from '../../contract/scraps.ts'
import { dayText } from '../plant/plant-time.ts'
import { type CsvColumns, csvCode, csvOf, csvText } from '../text/csv.ts'
import { countText, piecesText } from '../text/numbers.ts'

/** Pieces that count, of one reason, machine, day…; `key` orders lines of as many pieces. */
export type ScrapRow = { key: string; pieces: number; isRework: boolean; origin: ScrapOrigin }

export type ScrapSum = {
  key: string
  /** Thrown away. */
  pieces: number
  /** Of these beside the good pieces: those that a containment scraps are among them already. */
  beside: number
  rework: number
}

function addScrap(sum: Omit<ScrapSum, 'key'>, { pieces, isRework, origin }: Omit<ScrapRow, 'key'>): void {
  if (isRework) {
    sum.rework += pieces
    return
  }
  sum.pieces += pieces
  if (origin === 'operador') sum.beside += pieces
}

export function sumScraps(rows: readonly ScrapRow[]): ScrapSum[] {
  const sums = new Map<string, ScrapSum>()
  for (const { key, ...row } of rows) {
    const sum = sums.get(key) ?? { key, pieces: 0, beside: 0, rework: 0 }
    sums.set(key, sum)
    addScrap(sum, row)
  }
  return [...sums.values()]
}

/** Rounded half up; null where nothing was made. */
export const ppmOf = ({ pieces, beside }: Pick<ScrapSum, 'pieces' | 'beside'>, goods: number): number | null =>
  goods + beside === 0 ? null : Math.round((pieces * 1_000_000) / (goods + beside))

const permilleOf = (pieces: number, total: number) => (total === 0 ? 0 : Math.floor((pieces * 1000) / total))

const compareKeys = (one: ScrapSum, other: ScrapSum) => (one.key < other.key ? -1 : 1)

/** With the share of each and of all up to it, in the order given. */
function withShares<Sum extends ScrapSum>(
  sums: readonly Sum[],
): (Sum & { permille: number; cumulativePermille: number })[] {
  const total = sums.reduce((all, { pieces }) => all + pieces, 0)
  let soFar = 0
  return sums.map((sum) => {
    soFar += sum.pieces
    const permille = permilleOf(sum.pieces, total)
    return { ...sum, permille, cumulativePermille: permilleOf(soFar, total) }
  })
}

/** By pieces, equal ones by their key: the few lines that cost most stand first. */
export const pareto = <Sum extends ScrapSum>(sums: readonly Sum[]) =>
  withShares(sums.toSorted((one, other) => other.pieces - one.pieces || compareKeys(one, other)))

/** Days in their order. */
export const inDayOrder = <Sum extends ScrapSum>(sums: readonly Sum[]) => withShares(sums.toSorted(compareKeys))

export const scrapGroupingNames: Record<ScrapGrouping, string> = {
  motivo: 'Motivo',
  maquina: 'Máquina',
  miniaplicador: 'Mini aplicador',
  terminal: 'Terminal',
  ordem: 'Ordem',
  dia: 'Dia',
}

/** Shown name of a line. */
export const scrapLineName = (name: string, grouping: ScrapGrouping): string =>
  name.trim() === '' ? 'Não informado' : grouping === 'dia' ? dayText(name) : name

/** '61,9' */
const percentText = (permille: number): string =>
  (permille / 10).toLocaleString('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** '61,9%' */
export const permilleText = (permille: number): string => `${percentText(permille)}%`

export const ppmText = (ppm: number | null): string => (ppm === null ? '—' : countText(ppm))

/** 'Refugo 105 peças · 5.724 ppm · retrabalho 25' */
export const scrapTotalsText = ({ pecas, ppm, retrabalho }: ScrapReport['totais']): string =>
  [`Refugo ${piecesText(pecas)}`, `${ppmText(ppm)} ppm`, `retrabalho ${countText(retrabalho)}`].join(' · ')

/** Name of the files with this report. */
export const scrapFileName = (grouping: ScrapGrouping, { start, end }: { start: string; end: string }): string =>
  `relatorio_refugo_${grouping}_${start}_${end}.csv`

/** Scrap of the lines left out of the answer. */
function restOf({ linhas, totais, linhasTotal }: ScrapReport): ScrapLine[] {
  const count = linhasTotal - linhas.length
  if (count === 0) return []
  const sumOf = (field: 'pecas' | 'retrabalho') => linhas.reduce((sum, line) => sum + line[field], 0)
  const pecas = totais.pecas - sumOf('pecas')
  const nome = count === 1 ? 'Outra linha' : `Outras ${count} linhas`
  const shares = { permil: permilleOf(pecas, totais.pecas), acumulado: 1000, ppm: null }
  return [{ nome, pecas, ...shares, retrabalho: totais.retrabalho - sumOf('retrabalho') }]
}

/** The lines in the order given, what they leave out, and the totals last. */
export const scrapCsv = (grouping: ScrapGrouping, report: ScrapReport): string => {
  const nameCell = grouping === 'dia' || grouping === 'motivo' ? csvText : csvCode
  const lines = report.linhas.map((line) => ({ ...line, nome: nameCell(scrapLineName(line.nome, grouping)) }))
  const columns: CsvColumns<ScrapLine> = [
    [scrapGroupingNames[grouping], ({ nome }) => nome],
    ['Peças', ({ pecas }) => String(pecas)],
    ['%', ({ permil }) => percentText(permil)],
    ['Acumulado', ({ acumulado }) => percentText(acumulado)],
    ['ppm', ({ ppm }) => (ppm === null ? '' : String(ppm))],
    ['Retrabalho', ({ retrabalho }) => String(retrabalho)],
  ]
  const all = report.totais.pecas === 0 ? 0 : 1000
  return csvOf(columns, [...lines, ...restOf(report), { ...report.totais, nome: 'Total', permil: all, acumulado: all }])
}
