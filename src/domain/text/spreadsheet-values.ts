const MONTHS = 'jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez'
const DAY = '(?:0?[1-9]|[12]\\d|3[01])'
const MONTH = '(?:0?[1-9]|1[0-2])'

/**
 * Texts that spreadsheets in pt-BR write once they have taken a name for something else. Only those: MAR-01 and 1E5 are
 * names, which a person may well give.
 */
const written: readonly RegExp[] = [
  // days: 12/nov, 12/nov/26, nov/26, 12/11/26, 12/11/2026 00:00
  new RegExp(`^${DAY}/(?:${MONTHS})\\.?(?:/\\d{2}(?:\\d{2})?)?$`),
  new RegExp(`^(?:${MONTHS})\\.?/\\d{2}(?:\\d{2})?$`),
  new RegExp(`^${DAY}/${MONTH}/\\d{2}(?:\\d{2})?(?: \\d{1,2}:\\d{2}(?::\\d{2})?)?$`),
  // a number of too many digits: 1,32603E+11
  /^-?\d(?:[,.]\d+)?E[+-]\d{2,3}$/,
  // errors: #REF!, #N/D, #NOME?, Err:508; a column that is too narrow: ####
  /^#(?:N\/[AD]|[\p{Lu}/0]+[!?]|\p{Lu}+_\p{Lu}+|#+)$/u,
  /^Err:\d{3}$/,
  // logical words
  /^(?:VERDADEIRO|FALSO|TRUE|FALSE)$/,
]

/** Two bytes of UTF-8 that were read as two letters of CP1252, and the sign of programs for a letter that they do not know. */
const lostLetters = /[ÂÃ][\u0080-\u009F\u00A1-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€|\uFFFD/u

/** Whether somebody may well not have written this. */
export const isSpreadsheetValue = (cell: string): boolean =>
  written.some((pattern) => pattern.test(cell)) || lostLetters.test(cell)

export const lostLettersText = (cell: string): string =>
  `As letras com acento se perderam? Aqui está '${cell}'. Grave o arquivo como CSV UTF-8 a partir da planilha de origem.`

export const spreadsheetValueText = (cell: string): string =>
  lostLetters.test(cell)
    ? lostLettersText(cell)
    : `O Excel trocou este nome? Aqui está '${cell}'. Formate a coluna como texto e escreva o nome de novo.`
