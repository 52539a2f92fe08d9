import { foldedName } from '../../contract/names.ts'
import { lostLettersText } from './spreadsheet-values.ts'

/**
 * What spreadsheets in the field make of a table, whatever it is about, and how it is read. One reader
 * for all imports:
 *
 * | shape                                                      | read as                                               |
 * | ---------------------------------------------------------- | ----------------------------------------------------- |
 * | UTF-8 with or without mark, UTF-16 with mark, CP1252       | its letters                                           |
 * | `sep=;`, in quotes, or behind it separators                | no line of the table; it tells the separator          |
 * | `;`, `,` or tabs between the columns                       | what the first line has between its names             |
 * | CRLF, LF or CR; a DOS end of file                          | line ends; nothing                                    |
 * | blank lines anywhere, of separators or empty quotes too    | nothing                                               |
 * | columns without name and content                           | nothing; with content that line is refused            |
 * | a line that ends early                                     | the rest of it is empty                               |
 * | two lines in a name of a column, or in a text              | one, with a blank                                     |
 * | two lines in any other cell                                | that cell is refused: nobody can say which is meant   |
 * | the break of a word processor, a database or a page        | a line break                                          |
 * | signs that are no letters                                  | that cell is refused; of a file that is no CSV, all   |
 */
const BYTE_ORDER_MARKS = /^\uFEFF+/
const DOS_END = '\u001A'

/** `TextDecoder`, which browser and server have. */
type Decoder = new (encoding: string, options?: { fatal?: boolean }) => { decode(bytes: Uint8Array): string }

/** As spreadsheets write it. CP1252 says so by nothing but being no UTF-8. */
export function csvTextOf(bytes: Uint8Array, Reader: Decoder): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new Reader('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new Reader('utf-16be').decode(bytes)
  try {
    return new Reader('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new Reader('windows-1252').decode(bytes)
  }
}

/** The line at which a file cannot be read, and why. */
class UnreadableCsv extends Error {
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

/** The name of a column, or a word of a few, whatever its case, accents and blanks. */
export const foldedHead = (word: string): string =>
  foldedName(word)
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .trim()
    .replace(/[\s\u0085]+/g, ' ')
    .toLowerCase()

const NAME_SHOWN_MAX = 60

/** A file that is no spreadsheet at all may be one name from its beginning to its end. */
const unknownColumn = (name: string): string =>
  `Coluna desconhecida: '${name.length > NAME_SHOWN_MAX ? `${name.slice(0, NAME_SHOWN_MAX)}…` : name}'.`

const OPEN_QUOTES = 'Há aspas que não se fecham nesta linha.'

type Row = { line: number; cells: string[] }

/** Rows of RFC 4180, blank ones left out; a cell in quotes may have several lines. */
function readRows(content: string, separator: string): Row[] {
  const blanks = separator === '\t' ? '[^\\S\\r\\n\\t]*' : '[^\\S\\r\\n]*'
  const quoted = `${blanks}"([^"]*(?:""[^"]*)*)"${blanks}`
  const plain = `((?!${blanks}")[^${separator}\\r\\n]*)`
  const cell = new RegExp(`(?:${quoted}|${plain})([${separator}]|\\r\\n|\\r|\\n|$)`, 'y')
  const rows: Row[] = []
  let row: Row = { line: 1, cells: [] }
  for (let line = 1, end = ''; cell.lastIndex < content.length || end === separator; ) {
    const found = cell.exec(content)
    if (!found) throw new UnreadableCsv(line, OPEN_QUOTES)
    const [whole, inQuotes, bare = ''] = found
    end = found[3] ?? ''
    row.cells.push((inQuotes?.replaceAll('""', '"') ?? bare).trim())
    line += whole.match(/\r\n|\r|\n/g)?.length ?? 0
    if (end === separator) continue
    rows.push(row)
    row = { line, cells: [] }
    if (end === '') break
  }
  return rows.filter(({ cells }) => cells.some((text) => text !== ''))
}

/** A first line that only tells the separator; behind it stand those of the program that saved the file last. */
const SEPARATOR_LINE = /^\s*"*sep="*([;,|\t]?)"*([;,|\t]*)[^\S\t]*$/i

/** The table without a first line that tells its separator, and that separator. */
function separated(content: string): { table: string; separator: string } {
  const [first = ''] = content.trimStart().split(/[\r\n]/, 1)
  const [, named = '', behind = ''] = SEPARATOR_LINE.exec(first) ?? []
  // a blank line stays, so that lines keep their numbers
  const table = SEPARATOR_LINE.test(first) ? content.replace(first, '') : content
  const names = table
    .replace(/"[^"]*"/g, 'x')
    .split(/[\r\n]/)
    .find((line) => /[^\s;,|]/.test(line))
  const seen = [';', '\t'].find((one) => (names ?? table).includes(one)) ?? ','
  return { table, separator: behind.at(-1) ?? (named || seen) }
}

/** The kind of table an import expects. */
export type TableKind<Column extends string> = {
  /** By its folded name: null where the column is known and not read; undefined where it is not known. */
  columnOf: (head: string) => Column | null | undefined
  nameOf: (column: Column) => string
  required: readonly Column[]
  /** Texts in which a second line goes on with the first. */
  texts: readonly Column[]
  /** Behind what is said of a column that is missing or not known. */
  hint: string
  linesMax: { count: number; message: string }
}

/** Where something is wrong; without a column the whole line or file. */
export type TableFault<Column extends string> = { line: number; column: Column | null; message: string }
export type TableRow<Column extends string> = { line: number; cells: Partial<Record<Column, string>> }

function readHeads<Column extends string>({ line, cells }: Row, kind: TableKind<Column>): (Column | null)[] {
  const refuse = (message: string) => new UnreadableCsv(line, `${message} ${kind.hint}`.trim())
  const columns = cells.map((head) => {
    const column = head === '' ? null : kind.columnOf(foldedHead(head))
    if (column === undefined) throw refuse(unknownColumn(head))
    return column
  })
  const missing = kind.required.find((column) => !columns.includes(column))
  if (missing) throw refuse(`Falta a coluna ${kind.nameOf(missing)}.`)
  const read = columns.filter((column) => column !== null)
  if (new Set(read).size < read.length) throw new UnreadableCsv(line, 'A mesma coluna está duas vezes.')
  return columns
}

/** VT, FF, NEL and the separators of Unicode too, which other programs put between two lines of a cell. */
const BREAK = '[\\n\\v\\f\\r\\u0085\\u2028\\u2029]'
const aBreak = new RegExp(BREAK)
const lineBreaks = new RegExp(`\\s*${BREAK}\\s*`, 'g')

/** What no letter is: of the second range, which programs write for one that their encoding lacks. */
const controls = /[^\P{Cc}\t]/u
const controlsOfLetters = /[\u0080-\u009F]/

function unreadableText(cell: string): string | null {
  const line = cell.replace(lineBreaks, ' ')
  if (controlsOfLetters.test(line)) return lostLettersText(line)
  return controls.test(line) ? 'Caracteres de controle não são aceitos' : null
}

/** DOS ends a file by Ctrl+Z, and fills a block up with more of it. */
function withoutDosEnd(content: string): string {
  const end = content.indexOf(DOS_END)
  return end >= 0 && /^[\p{Cc}\s]*$/u.test(content.slice(end)) ? content.slice(0, end) : content
}

/** A quote that nobody closed takes in whole lines until the next one. */
const takesInLines = (cell: string, separator: string, columns: number): boolean =>
  cell.split(/\r\n|\r|\n/).some((line, _, lines) => lines.length > 1 && line.split(separator).length >= columns)

export type Table<Column extends string> = { lines: number; rows: TableRow<Column>[]; faults: TableFault<Column>[] }

function readTableOrThrow<Column extends string>(content: string, kind: TableKind<Column>): Table<Column> {
  const whole = withoutDosEnd(content.replace(BYTE_ORDER_MARKS, ''))
  const { table, separator } = separated(whole)
  const [firstLine = ''] = table.trimStart().split(/[\r\n]/, 1)
  if (whole.includes('\0') || unreadableText(firstLine) !== null) {
    throw new UnreadableCsv(1, 'Isto não é um CSV: grave a planilha como CSV (UTF-8).')
  }
  const [head, ...lines] = readRows(table, separator)
  if (!head) throw new UnreadableCsv(1, 'O arquivo está vazio.')
  const columns = readHeads(head, kind)
  const beyond = lines[kind.linesMax.count]
  if (beyond) throw new UnreadableCsv(beyond.line, kind.linesMax.message)
  if (lines.length === 0) throw new UnreadableCsv(head.line, 'O arquivo só tem os nomes das colunas.')
  const faults: TableFault<Column>[] = []
  const rows = lines.flatMap(({ line, cells }): TableRow<Column>[] => {
    if (cells.some((cell) => takesInLines(cell, separator, columns.length))) throw new UnreadableCsv(line, OPEN_QUOTES)
    const before = faults.length
    const note = (message: string, column: Column | null = null) => faults.push({ line, column, message })
    if (cells.slice(columns.length).some((cell) => cell !== ''))
      note(`São esperadas ${columns.length} colunas, e aqui há ${cells.length}.`)
    const nameless = columns.findIndex((_, at) => head.cells[at] === '' && (cells[at] ?? '') !== '')
    if (nameless >= 0) note(`A coluna ${nameless + 1} tem texto aqui e não tem nome na primeira linha.`)
    const given = columns.flatMap((column, at): [Column, string][] => {
      const cell = cells[at] ?? ''
      if (column === null) return []
      const isText = kind.texts.includes(column)
      const unreadable = unreadableText(cell)
      if (unreadable !== null) note(unreadable, column)
      else if (!isText && aBreak.test(cell)) note('Esta célula tem duas linhas.', column)
      return [[column, cell.replace(lineBreaks, ' ')]]
    })
    return faults.length > before ? [] : [{ line, cells: Object.fromEntries(given) as TableRow<Column>['cells'] }]
  })
  return { lines: lines.length, rows, faults }
}

/** A table that a spreadsheet saved as CSV, whose first line names its columns. */
export function readTable<Column extends string>(content: string, kind: TableKind<Column>): Table<Column> {
  try {
    return readTableOrThrow(content, kind)
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) throw error
    return { lines: 0, rows: [], faults: [{ line: error.line, column: null, message: error.message }] }
  }
}
