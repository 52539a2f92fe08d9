const counts = new Intl.NumberFormat('pt-BR')

/** '97.000' */
export const countText = (count: number): string => counts.format(count)

export const countedText = (count: number, one: string, many: string): string =>
  `${countText(count)} ${count === 1 ? one : many}`

/** '1 peça', '1.200 peças' */
export const piecesText = (count: number): string => countedText(count, 'peça', 'peças')

/** A number with comma or dot; NaN for what is none. */
export const readNumber = (text: string): number =>
  /^\s*[-+]?(\d+[.,]?\d*|[.,]\d+)\s*$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN

/** A whole number from 0: points stand between groups of three ('1.000' is a thousand). NaN for anything else. */
export const readWhole = (text: string): number =>
  /^\s*(\d+|\d{1,3}(\.\d{3})+)\s*$/.test(text) ? Number(text.replaceAll('.', '')) : Number.NaN

/** A cell of decimals: its text as a box takes it, or why nobody can say which number it is. */
export type CellDecimal = { text: string } | { fault: string }

/**
 * A decimal number in a cell of a file. Files are written by programs that put points between thousands, boxes are not: a
 * gauge's '1.250' in a box is 1,250 (decision 024), in a file it may be either and is refused with both. What has one reading
 * is as a box takes it: '1.250,00' is '1250,00'.
 */
export function decimalInFile(cell: string): CellDecimal {
  const typed = cell.trim()
  const [, thousands = '', rest = ''] = /^([1-9]\d{0,2})\.(\d{3})$/.exec(typed) ?? []
  if (rest !== '') return { fault: `${typed}: escreva ${thousands}${rest} ou ${thousands},${rest}` }
  const isGrouped = /^[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/.test(typed)
  return { text: isGrouped ? typed.replaceAll('.', '') : typed }
}
