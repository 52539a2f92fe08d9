import { NAME_LENGTH_MAX } from '../../contract/applicators.ts'
import {
  type ControlPlan,
  EVERY_PIECES_MAX,
  INSTRUMENT_LENGTH_MAX,
  type PlanContent,
  REACTION_LENGTH_MAX,
  READINGS_MAX,
  type Tolerance,
} from '../../contract/control-plans.ts'
import { issueText } from '../../contract/errors.ts'
import { foldedName, sayingName, writtenName } from '../../contract/names.ts'
import { NOTHING_REQUIRED, PLAN_LINES_MAX } from '../../contract/plan-changes.ts'
import { MACHINE_LENGTH_MAX } from '../../contract/recordings.ts'
import { BRANCH_LENGTH_MAX } from '../../contract/values.ts'
import { dayText, plantDay } from '../plant/plant-time.ts'
import { type CsvColumns, csvImportable, csvText, importedText } from '../text/csv.ts'
import { foldedHead, readTable, type TableFault, type TableKind, type TableRow } from '../text/csv-tables.ts'
import { type CellDecimal, countText, decimalInFile, readWhole } from '../text/numbers.ts'
import { isSpreadsheetValue } from '../text/spreadsheet-values.ts'
import { milliText, readMilli } from './control-plans.ts'
import { placeKeyOf } from './plan-versions.ts'

/** The fields of a plan as a person writes them: columns of a file, fields of the form. */
export const planColumns = {
  terminal: 'Terminal',
  bitola: 'Bitola',
  miniaplicador: 'Mini aplicador',
  maquina: 'Máquina',
  alturaNominal: 'Altura nominal',
  alturaMenos: 'Altura tol. -',
  alturaMais: 'Altura tol. +',
  forcaMin: 'Força mínima',
  larguraNominal: 'Largura nominal',
  larguraMenos: 'Largura tol. -',
  larguraMais: 'Largura tol. +',
  alturaIsolanteNominal: 'Altura isolante nominal',
  alturaIsolanteMenos: 'Altura isolante tol. -',
  alturaIsolanteMais: 'Altura isolante tol. +',
  leiturasAltura: 'Altura leituras',
  leiturasForca: 'Força leituras',
  aCadaPecas: 'A cada peças',
  ultimaPeca: 'Última peça',
  instrumento: 'Instrumento',
  reacao: 'Plano de reação',
  filial: 'Filial',
  digitadoVale: 'Valor digitado vale',
} as const
export type PlanColumn = keyof typeof planColumns
export type PlanTexts = Record<PlanColumn, string>

const columnNames = Object.keys(planColumns) as PlanColumn[]
const placeColumns: readonly PlanColumn[] = ['terminal', 'bitola', 'miniaplicador', 'maquina', 'filial']

export const emptyTexts = Object.fromEntries(columnNames.map((column) => [column, ''])) as PlanTexts

const toleranceTexts = <Name extends 'altura' | 'largura' | 'alturaIsolante'>(of: Name, given: Tolerance | undefined) =>
  Object.fromEntries(
    (['Nominal', 'Menos', 'Mais'] as const).map((part) => [
      `${of}${part}`,
      given ? milliText(given[part.toLowerCase() as keyof Tolerance], 3) : '',
    ]),
  ) as Record<`${Name}${'Nominal' | 'Menos' | 'Mais'}`, string>

export const planTexts = (plan: PlanContent): PlanTexts => ({
  terminal: plan.terminal,
  bitola: milliText(plan.bitola),
  miniaplicador: plan.miniaplicador ?? '',
  maquina: plan.maquina ?? '',
  ...toleranceTexts('altura', plan.altura),
  forcaMin: plan.forcaMin === undefined ? '' : milliText(plan.forcaMin, 0),
  ...toleranceTexts('largura', plan.largura),
  ...toleranceTexts('alturaIsolante', plan.alturaIsolante),
  leiturasAltura: String(plan.leiturasAltura),
  leiturasForca: String(plan.leiturasForca),
  aCadaPecas: plan.aCadaPecas === undefined ? '' : String(plan.aCadaPecas),
  ultimaPeca: plan.ultimaPeca ? 'S' : 'N',
  instrumento: plan.instrumento ?? '',
  reacao: plan.reacao ?? '',
  filial: plan.filial ?? '',
  digitadoVale: plan.digitadoVale === false ? 'N' : 'S',
})

/** Both plans ask for the same, wherever they apply. */
export function asksTheSame(one: PlanContent, other: PlanContent): boolean {
  const [texts, others] = [planTexts(one), planTexts(other)]
  return columnNames.every(
    (column) => placeColumns.includes(column) || foldedName(texts[column]) === foldedName(others[column]),
  )
}

const textColumns: readonly PlanColumn[] = [
  ...placeColumns.filter((column) => column !== 'bitola'),
  ...(['instrumento', 'reacao'] as const),
]

export const planCsvColumns: CsvColumns<PlanContent> = columnNames.map((column) => [
  planColumns[column],
  (plan) => {
    const cell = planTexts(plan)[column]
    return textColumns.includes(column) ? csvImportable(cell) : cell
  },
])

/** Behind what a plan says stands who made it so; a file that is imported says nothing by it. */
function peopleColumns(timeZone: string): CsvColumns<ControlPlan> {
  const day = (instant: string | null | undefined) => (instant ? dayText(plantDay(Date.parse(instant), timeZone)) : '')
  return [
    ['Versão', ({ version }) => String(version)],
    ['Criado por', ({ criadoPor = '' }) => csvText(criadoPor)],
    ['Criado em', ({ criadoEm }) => day(criadoEm)],
    ['Aprovado por', ({ aprovadoPor = '' }) => csvText(aprovadoPor)],
    ['Aprovado em', ({ aprovadoEm }) => day(aprovadoEm)],
    ['Encerrado por', ({ encerradoPor = '' }) => csvText(encerradoPor)],
    ['Encerrado em', ({ encerradoEm }) => day(encerradoEm)],
  ]
}

const peopleHeads = peopleColumns('UTC').map(([head]) => head)

export const planFileColumns = (timeZone: string): CsvColumns<ControlPlan> => [
  ...planCsvColumns,
  ...peopleColumns(timeZone),
]

type PlanFault = { column: PlanColumn; message: string }

const DECIMAL_EXPECTED = 'Esperado um número com até 3 casas, por exemplo 0,50'
const REQUIRED = 'Campo obrigatório'

/** How the decimals of a plan are read: in the boxes of a form as they stand there. */
const decimalInBox = (text: string): CellDecimal => ({ text })

/** Reads the texts of a plan one by one, and notes what is wrong with which. */
class PlanReader {
  readonly faults: PlanFault[] = []
  readonly texts: PlanTexts
  readonly decimalOf: typeof decimalInBox
  constructor(texts: PlanTexts, decimalOf: typeof decimalInBox) {
    this.texts = texts
    this.decimalOf = decimalOf
  }

  textOf(column: PlanColumn): string {
    return foldedName(this.texts[column])
  }

  note(column: PlanColumn, message: string): undefined {
    this.faults.push({ column, message })
  }

  name(column: PlanColumn, schema: ReturnType<typeof writtenName>): string | undefined {
    if (this.textOf(column) === '') return undefined
    const { data, error } = schema.safeParse(this.texts[column])
    return error?.issues[0] ? this.note(column, issueText(error.issues[0])) : data
  }

  /** `least`: in thousandths. */
  milli(column: PlanColumn, least: number): number | undefined {
    const decimal = this.decimalOf(this.textOf(column))
    if ('fault' in decimal) return this.note(column, decimal.fault)
    const milli = readMilli(decimal.text)
    return milli === null || milli < least ? this.note(column, DECIMAL_EXPECTED) : milli
  }

  whole(column: PlanColumn, max: number): number | undefined {
    if (this.textOf(column) === '') return undefined
    const count = readWhole(this.textOf(column))
    return count >= 1 && count <= max ? count : this.note(column, `Esperado um número de 1 a ${countText(max)}`)
  }

  tolerance(of: 'altura' | 'largura' | 'alturaIsolante'): Tolerance | undefined {
    const columns = [`${of}Nominal`, `${of}Menos`, `${of}Mais`] as const
    if (columns.every((column) => this.textOf(column) === '')) return undefined
    const missing = columns.find((column) => this.textOf(column) === '')
    if (missing) return this.note(missing, 'Preencha nominal e as duas tolerâncias, ou nenhuma')
    const [nominal, menos, mais] = [this.milli(columns[0], 1), this.milli(columns[1], 0), this.milli(columns[2], 0)]
    if (nominal === undefined || menos === undefined || mais === undefined) return undefined
    if (menos >= nominal) return this.note(columns[1], 'A tolerância é maior que o nominal')
    return { nominal, menos, mais }
  }

  flag(column: PlanColumn): boolean | undefined {
    const word = foldedHead(this.textOf(column))
    if (!['', 's', 'sim', 'n', 'nao'].includes(word)) this.note(column, 'Esperado S ou N')
    return word === '' ? undefined : word.startsWith('s')
  }
}

const without = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Fields]?: Exclude<Fields[Key], undefined>
  }

/** The plan that was written, or everything that is wrong with it. */
export function readPlan(
  texts: PlanTexts,
  decimalOf = decimalInBox,
): { plan: PlanContent; faults: [] } | { plan: null; faults: PlanFault[] } {
  const reader = new PlanReader(texts, decimalOf)
  const { faults } = reader
  for (const column of ['terminal', 'bitola'] as const) if (reader.textOf(column) === '') reader.note(column, REQUIRED)
  const terminal = reader.name('terminal', writtenName(NAME_LENGTH_MAX))
  const bitola = reader.textOf('bitola') === '' ? undefined : reader.milli('bitola', 1)
  const optional = without({
    miniaplicador: reader.name('miniaplicador', writtenName(NAME_LENGTH_MAX)),
    maquina: reader.name('maquina', writtenName(MACHINE_LENGTH_MAX)),
    altura: reader.tolerance('altura'),
    forcaMin: reader.textOf('forcaMin') === '' ? undefined : reader.milli('forcaMin', 1),
    largura: reader.tolerance('largura'),
    alturaIsolante: reader.tolerance('alturaIsolante'),
    aCadaPecas: reader.whole('aCadaPecas', EVERY_PIECES_MAX),
    instrumento: reader.name('instrumento', sayingName(INSTRUMENT_LENGTH_MAX)),
    reacao: reader.name('reacao', sayingName(REACTION_LENGTH_MAX)),
    filial: reader.name('filial', writtenName(BRANCH_LENGTH_MAX)),
    digitadoVale: reader.flag('digitadoVale'),
  })
  const counts = {
    leiturasAltura: reader.whole('leiturasAltura', READINGS_MAX) ?? 3,
    leiturasForca: reader.whole('leiturasForca', READINGS_MAX) ?? 3,
    ultimaPeca: reader.flag('ultimaPeca') ?? false,
  }
  const asks: readonly PlanColumn[] = ['alturaNominal', 'alturaMenos', 'alturaMais', 'forcaMin']
  if (asks.every((column) => reader.textOf(column) === '')) reader.note('alturaNominal', NOTHING_REQUIRED)
  if (faults.length > 0 || terminal === undefined || bitola === undefined) return { plan: null, faults }
  return { plan: { terminal, bitola, ...optional, ...counts }, faults: [] }
}

export type ImportedPlan = { line: number; plan: PlanContent }
export type ImportFault = TableFault<PlanColumn>

/** A cell that a spreadsheet may have made of another name: a fault where nobody knows what stands there. */
type SuspectCell = { line: number; column: PlanColumn; text: string }

const suspectsOf = ({ line, cells }: TableRow<PlanColumn>): SuspectCell[] =>
  textColumns.flatMap((column) => {
    const text = importedText(cells[column] ?? '')
    return isSpreadsheetValue(text) ? [{ line, column, text }] : []
  })

const columnOfHead = new Map<string, PlanColumn | null>([
  ...peopleHeads.map((head) => [foldedHead(head), null] as const),
  ...columnNames.map((column) => [foldedHead(planColumns[column]), column] as const),
])

const planTable: TableKind<PlanColumn> = {
  columnOf: (head) => columnOfHead.get(head),
  nameOf: (column) => planColumns[column],
  required: ['terminal', 'bitola'],
  texts: ['reacao'],
  hint: '',
  linesMax: { count: PLAN_LINES_MAX, message: `São no máximo ${countText(PLAN_LINES_MAX)} linhas por arquivo.` },
}

function readRow({ line, cells }: TableRow<PlanColumn>): ImportedPlan | ImportFault[] {
  const given = Object.entries(cells).map(([column, cell]) => [column, importedText(cell)])
  const { plan, faults } = readPlan({ ...emptyTexts, ...Object.fromEntries(given) }, decimalInFile)
  return plan ? { line, plan } : faults.map((fault) => ({ line, ...fault }))
}

/** Whose place stands on two lines is refused at the second. */
const findDoubled = (plans: readonly ImportedPlan[]): ImportFault[] =>
  [...Map.groupBy(plans, ({ plan }) => placeKeyOf(plan)).values()].flatMap(([first, ...again]) =>
    again.map(({ line }) => ({
      line,
      column: 'terminal',
      message: `O mesmo plano já está na linha ${first?.line}.`,
    })),
  )

type PlanImportRead = { lines: number; plans: ImportedPlan[]; faults: ImportFault[]; suspects: SuspectCell[] }

/** Plans of a spreadsheet saved as CSV, whose first line names the columns. */
export function readPlanImport(content: string): PlanImportRead {
  const { lines, rows, faults } = readTable(content, planTable)
  const read = rows.map(readRow)
  const plans = read.flatMap((one) => (Array.isArray(one) ? [] : [one]))
  const all = [...faults, ...read.flatMap((one) => (Array.isArray(one) ? one : [])), ...findDoubled(plans)]
  return {
    ...{ lines, plans, suspects: rows.flatMap(suspectsOf) },
    faults: all.sort((one, other) => one.line - other.line),
  }
}
