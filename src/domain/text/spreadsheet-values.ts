const MONTHS = 'jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez'
const DAY = '(?:0?[1-9]|[12]\\d|3[01])'
const MONTH = '(?:0?[1-9]|1[0-2])'

/**
 * Texts that spreadsheets in pt-BR write once they have taken a name for something else. Only those: MAR-01 and 1E5 are
 * names, which a person may well give.
 */
const written: readonly RegExp[] = [
  // days: 12/nov, nov/26, 12/11/26, 12/11/2026 00:00
  new RegExp(`^${DAY}/(?:${MONTHS})\\.?$`),
  new RegExp(`^(?:${MONTHS})\\.?/\\d{2}(?:\\d{2})?$`),
  new RegExp(`^${DAY}/${MONTH}/\\d{2}(?:\\d{2})?(?: \\d{1,2}:\\d{2}(?::\\d{2})?)?$`),
  // a number of too many digits: 1,32603E+11
  /^-?\d(?:[,.]\d+)?E[+-]\d{2,3}$/,
  // errors: #REF!, #N/D, #NOME?, Err:508; a column that is too narrow: ####
  /^#(?:N\/[AD]|[\p{Lu}/0]+[!?]|#+)$/u,
  /^Err:\d{3}$/,
  // logical words
  /^(?:VERDADEIRO|FALSO|TRUE|FALSE)$/,
]

export const isSpreadsheetValue = (cell: string): boolean => written.some((pattern) => pattern.test(cell))

export const spreadsheetValueText = (cell: string): string =>
  `O Excel trocou este nome? Aqui está '${cell}'. Formate a coluna como texto e escreva o nome de novo.`
