const BYTE_ORDER_MARK = '\uFEFF'

/** A spreadsheet would take what begins so for a formula. */
const looksLikeFormula = /^[=+\-@\t]/

/**
 * One value as a cell of text: line breaks become blanks and `;` becomes `,`, so that each row is one line whatever
 * reads it; quotes are doubled inside quotes (RFC 4180).
 */
export function csvText(value: string): string {
  const line = value.replace(/\r\n|\r|\n/g, ' ').replaceAll(';', ',')
  const plain = looksLikeFormula.test(line) ? `'${line}` : line
  return plain.includes('"') ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** Rows of a file that has begun. The cells are written already, texts by `csvText`. */
export const csvRows = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.join(';')}\r\n`).join('')

/** A file that spreadsheets in Brazil open as it is. */
export const csvFile = (rows: readonly (readonly string[])[]): string => BYTE_ORDER_MARK + csvRows(rows)
