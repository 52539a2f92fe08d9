import type { Certainty, ContainmentState } from '../../contract/containments.ts'
import type { TraceLine } from '../../contract/traces.ts'
import { sheetFact, sheetStart, sheetTable } from '../reports/trace-sheets.ts'
import { type MomentText, traceColumns } from '../reports/traces.ts'
import { type CsvColumns, csvText } from '../text/csv.ts'
import { countText } from '../text/numbers.ts'
import { type Balance, containmentNumber, isDivergent, type Totals } from './balances.ts'
import { certaintyTexts } from './containment-texts.ts'

/** A row with its recording as traces tell it. */
export type ContainmentLine = { line: TraceLine; certainty: Certainty; balance: Balance }

export const stateTexts: Record<ContainmentState, string> = { aberta: 'Aberta', encerrada: 'Encerrada' }

const figures = [
  ['Suspeitas', 'suspect'],
  ['Em retrabalho', 'rework'],
  ['Liberadas', 'released'],
  ['Sucateadas', 'scrapped'],
] as const

const divergentText = (balance: Balance): string => (isDivergent(balance) ? 'Diverge do apontamento' : '')

/** 'pode conter · Suspeitas 20 · Liberadas 100' */
const standing = ({ certainty, balance }: ContainmentLine): string =>
  [
    certaintyTexts[certainty],
    ...figures.filter(([, pile]) => balance[pile] > 0).map(([name, pile]) => `${name} ${countText(balance[pile])}`),
    divergentText(balance),
  ]
    .filter(Boolean)
    .join(' · ')

/** Rows as lines of a trace's sheet; each says how its pieces stand here, and nothing of other containments. */
export const sheetRows = (number: string, rows: readonly ContainmentLine[]) =>
  rows.map((row) => ({
    at: Date.parse(row.line.registradoEm),
    id: row.line.id,
    line: { ...row.line, contencoes: [{ numero: number, situacao: standing(row) }] },
  }))

type ContainmentHead = {
  siteName: string
  number: string
  subject: string
  /** 'Aberta', 'Encerrada'. */
  state: string
  plant: string
  from: string
  until: string
  openedBy: string
  openedAt: string
  requestedBy: string
  moment: string
  totals: Totals
  forceUnit: string
}

/** Everything before the lines. */
export const containmentSheetHead = (
  head: ContainmentHead,
): string => `${sheetStart(`Contenção ${head.number}`, head.siteName)}<dl>
${[
  sheetFact('Motivo', head.subject),
  sheetFact('Situação', head.state),
  sheetFact('Filial', head.plant),
  sheetFact('Aberta por', `${head.openedBy}, ${head.openedAt}`),
  sheetFact('Desde', head.from),
  sheetFact('Até', head.until),
  sheetFact('Solicitada por', head.requestedBy),
  sheetFact('Data e hora', head.moment),
  ...figures.map(([name, pile]) => sheetFact(name, countText(head.totals[pile]))),
].join('\n')}
</dl>
${sheetTable(head.forceUnit)}`

/** `day` is the plant's, `YYYY-MM-DD`. */
export const containmentFileName = (number: number, day: string): string =>
  `contencao_${containmentNumber(number)}_${day}.csv`

export const containmentColumns = (momentText: MomentText): CsvColumns<ContainmentLine> => [
  ...traceColumns(momentText).map(([name, cell]) => [name, ({ line }: ContainmentLine) => cell(line)] as const),
  ['Certeza', ({ certainty }) => certaintyTexts[certainty]],
  ...figures.map(([name, pile]) => [name, ({ balance }: ContainmentLine) => String(balance[pile])] as const),
  ['Divergência', ({ balance }) => csvText(divergentText(balance))],
]
