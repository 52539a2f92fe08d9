/** Three spreadsheet programs as they open a CSV in Brazil and save it again: what they make of cells, and how they write. */

/** RFC 4180 by hand: the reader of the product must not check itself. */
function cellsOf(file: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  const text = file.replace(/^\uFEFF/, '')
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (isQuoted && sign === '"' && text[at + 1] === '"') {
      cell += '"'
      at++
    } else if (sign === '"') isQuoted = !isQuoted
    else if (!isQuoted && (sign === ';' || sign === '\n')) {
      rows.at(-1)?.push(cell)
      cell = ''
      if (sign === '\n') rows.push([])
    } else if (isQuoted || sign !== '\r') cell += sign
  }
  return rows.filter((row) => row.length > 0)
}

const months = ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez']
const two = (part: string | number) => String(part).padStart(2, '0')
const isDay = (day: string, month: string) =>
  Number(day) >= 1 && Number(day) <= 31 && Number(month) >= 1 && Number(month) <= 12

/** What is in the cell after the program has read it: a formula, a logical word, a number, a day, or the text. */
function shown(cell: string): string {
  const formula = /^="(.*)"$/s.exec(cell)?.[1]
  if (formula !== undefined) return formula.replaceAll('""', '"')
  if (/^\s*[=+@]|^\s*-\D/.test(cell)) return '#NOME?'
  if (/^(true|verdadeiro)$/i.test(cell)) return 'VERDADEIRO'
  if (/^(false|falso)$/i.test(cell)) return 'FALSO'
  const [, month = '', year = ''] = /^([a-z]{3})[-/ ](\d{2})$/i.exec(cell) ?? []
  if (months.includes(month.toLowerCase())) return `${month.toLowerCase()}/${year}`
  const [, day = '', inMonth = '', ofYear] = /^(\d{1,2})[-/](\d{1,2})(?:[-/](\d{4}))?$/.exec(cell) ?? []
  if (isDay(day, inMonth))
    return ofYear ? `${two(day)}/${two(inMonth)}/${ofYear}` : `${two(day)}/${months[Number(inMonth) - 1]}`
  if (/^-?\d{12,}$/.test(cell) || /^\d+(,\d+)?E[+-]?\d+$/i.test(cell))
    return Number(cell.replace(',', '.')).toExponential(5).replace('.', ',').replace('e', 'E')
  if (/^-?\d{1,3}(\.\d{3})*(,\d+)?$|^-?\d+(,\d+)?$/.test(cell))
    return String(Number(cell.replaceAll('.', '').replace(',', '.'))).replace('.', ',')
  return cell
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const written = (rows: string[][], separator: string, end: string, needsQuotes: (cell: string) => boolean) =>
  rows.map((row) => row.map((cell) => (needsQuotes(cell) ? quoted(cell) : cell)).join(separator)).join(end)
const isCp1252 = (text: string) => /^[\0-\u00FF]*$/.test(text)

/** The cells of a file as all of them show it. */
export const openedFile = (file: string): string[][] => cellsOf(file).map((row) => row.map(shown))

/** What each of them saves of these. */
export const spreadsheetPrograms: Record<string, (cells: string[][]) => Buffer> = {
  /** Quotes where they must be; the old CSV of Windows, but where a letter needs UTF-8. Empty rows and columns stay. */
  Excel: (cells) => {
    const rows = cells.map((row) => [...row, '', ''])
    const text = `${written([...rows, ['', '']], ';', '\r\n', (cell) => /[";\n]/.test(cell))}\r\n`
    return isCp1252(text) ? Buffer.from(text, 'latin1') : Buffer.from(`\uFEFF${text}`)
  },
  /** Quotes around every text, and what was opened stays: `;`, UTF-8. */
  LibreOffice: (cells) => Buffer.from(`${written(cells, ';', '\n', (cell) => !/^[\d,]*$/.test(cell))}\n`),
  /** Commas, and so quotes around decimals. */
  'Google Planilhas': (cells) => Buffer.from(written(cells, ',', '\r\n', (cell) => /[",\n]/.test(cell))),
}
