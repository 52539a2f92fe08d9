const BYTE_ORDER_MARK = '\uFEFF'

/** A spreadsheet would take what begins so for a formula. */
const formulaStart = /^(?=\t|["\s]*[=+\-@])/

/**
 * Other spreadsheets and import dialogs find a formula after their own separators. After a blank only `=` and `@`,
 * which no sentence has there.
 */
const separatorBeforeFormula = /[,|\t](?=["\s]*[=+\-@])| (?=[=@])/g

const oneLine = (value: string) =>
  value
    .replace(/\r\n|\r|\n/g, ' ')
    .replaceAll(';', ',')
    .replace(separatorBeforeFormula, "$&'")
    .replace(formulaStart, "'")

/**
 * One value as a cell of text: line breaks become blanks and `;` becomes `,`, so that each row is one line whatever
 * reads it; what could be a formula is none; in quotes, which are doubled inside (RFC 4180).
 */
export const csvText = (value: string): string => (value === '' ? '' : `"${oneLine(value).replaceAll('"', '""')}"`)

/**
 * A name that begins with a digit, as the text that it is: a spreadsheet would make a number of 0101621401001000010007,
 * and a day of 12-11, and save them so. The `="..."` around it is the one way of saying so that they all understand.
 */
export function csvCode(value: string): string {
  if (!/^\d/.test(value)) return csvText(value)
  return `"=""${oneLine(value).replaceAll('"', '""""')}"""`
}

/** What stands over each column, and how a row fills its cell: texts by `csvText` or `csvCode`. */
export type CsvColumns<Row> = readonly (readonly [head: string, cell: (row: Row) => string])[]

const csvLine = (cells: readonly string[]) => `${cells.join(';')}\r\n`

/** A file that spreadsheets in Brazil open as it is. */
export const csvOf = <Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string =>
  BYTE_ORDER_MARK + csvLine(columns.map(([head]) => head)) + csvRows(columns, rows)

const csvRows = <Row>(columns: CsvColumns<Row>, rows: readonly Row[]) =>
  rows.map((row) => csvLine(columns.map(([, cell]) => cell(row)))).join('')

/** The same, written while its rows are read. */
export async function* csvPages<Row>(
  columns: CsvColumns<Row>,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield csvOf(columns, [])
  for await (const rows of pages) yield csvRows(columns, rows)
}

/** The line at which a file cannot be read, and why. */
export class UnreadableCsv extends Error {
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

const NAME_SHOWN_MAX = 60

/** What is no spreadsheet at all may be one name from its beginning to its end. */
export const unknownColumn = (name: string): string =>
  `Coluna desconhecida: '${name.length > NAME_SHOWN_MAX ? `${name.slice(0, NAME_SHOWN_MAX)}…` : name}'.`

export type CsvRow = { line: number; cells: string[] }

/** The name of a column, or a word of a few, whatever its case and accents. */
export const foldedHead = (word: string): string =>
  word
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .trim()
    .toLowerCase()

/** Rows of RFC 4180, blank ones left out. A line break in quotes is refused: nothing here has two lines. */
function readRows(content: string, separator: string): CsvRow[] {
  const quoted = `"(?:[^"\\r\\n]|"")*"`
  const plain = `[^"${separator}\\r\\n][^${separator}\\r\\n]*`
  const cell = new RegExp(`[ \\t]*(${quoted})[ \\t]*(?=${separator}|$)|(${plain})|(?=${separator}|$)`, 'y')
  const cellsOf = (row: string, line: number): string[] => {
    const cells: string[] = []
    for (let at = 0; ; at++) {
      cell.lastIndex = at
      const found = cell.exec(row)
      if (!found) throw new UnreadableCsv(line, 'Há aspas que não se fecham nesta linha.')
      const [, inQuotes, bare = ''] = found
      cells.push((inQuotes?.slice(1, -1).replaceAll('""', '"') ?? bare).trim())
      at = cell.lastIndex
      if (at >= row.length) return cells
    }
  }
  return content
    .split(/\r\n|\r|\n/)
    .map((row, at) => ({ row, line: at + 1 }))
    .filter(({ row }) => row.replaceAll(separator, '').trim() !== '')
    .map(({ row, line }) => ({ line, cells: cellsOf(row, line) }))
}

/**
 * A spreadsheet saved as CSV, with `;` or `,` between the columns, and what `readColumns` makes of its first line. Throws
 * `UnreadableCsv`.
 */
export function readCsv<Column>(
  content: string,
  readColumns: (head: CsvRow) => Column[],
): { columns: Column[]; rows: CsvRow[] } {
  const whole = content.replace(BYTE_ORDER_MARK, '')
  if (/[^\P{Cc}\t\r\n]/u.test(whole)) {
    throw new UnreadableCsv(1, 'Isto não é um CSV: grave a planilha como CSV (UTF-8).')
  }
  const [head, ...rows] = readRows(whole, /^\s*[^\r\n]*;/.test(whole) ? ';' : ',')
  if (!head) throw new UnreadableCsv(1, 'O arquivo está vazio.')
  const columns = readColumns(head)
  if (rows.length === 0) throw new UnreadableCsv(head.line, 'O arquivo só tem os nomes das colunas.')
  return { columns, rows }
}
