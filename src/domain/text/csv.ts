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

/** Excel takes no longer text in a formula, and no longer text for a number, a day or a logical word. */
const FORMULA_TEXT_MAX = 255

/** A text as the text that it is: the `="..."` around it is the one way of saying so that all spreadsheets understand. */
function asText(text: string): string {
  if (text === '') return ''
  const quoted = text.replaceAll('"', '""')
  return text.length > FORMULA_TEXT_MAX ? `"${quoted}"` : `"=""${quoted.replaceAll('"', '""')}"""`
}

/**
 * A name of something: a spreadsheet would make a number of 0101621401001000010007, a day of 12-11 and of MAR-01, a logical word
 * of FALSO, each in its own language, and save them so.
 */
export const csvCode = (value: string): string => asText(oneLine(value))

/** As `separatorBeforeFormula` and `formulaStart`, where apostrophes that were put change nothing: so they can be taken off again. */
const formulaWithin = /[,;|\t](?=['"\s]*[=+\-@])| (?='*[=@])/g
const formulaAtStart = /^['"\s]*[=+\-@]/
const isTakenForFormula = (text: string): boolean => formulaAtStart.test(text) || text.search(formulaWithin) >= 0

/**
 * A text of a file that is imported again: it comes back as it went (`importedText`), also out of a spreadsheet, which would make
 * a day of 'MAR-01' and a logical word of 'True'. So it is said to be a text as by `csvCode`, and keeps its `;`.
 */
export const csvImportable = (value: string): string =>
  asText(isTakenForFormula(value) ? `'${value.replace(formulaWithin, "$&'")}` : value)

/** The text that a cell of an import says: with neither what `csvImportable` put around it nor the apostrophes that it put. */
export function importedText(cell: string): string {
  const text = /^="(.*)"$/s.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell
  if (!text.startsWith("'") || !isTakenForFormula(text)) return text
  return text.slice(1).replace(/([,;|\t])'(?=['"\s]*[=+\-@])|( )'(?='*[=@])/g, '$1$2')
}

/** Each column's head, and the cell of a row: texts by `csvText` or `csvCode`. */
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
