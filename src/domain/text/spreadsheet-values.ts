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

/** As they are read where an encoding was taken for another one; none of them is what a person writes. */
const lost: readonly RegExp[] = [
  // UTF-8 as CP1252: two letters for one
  /[ÂÃ][\u0080-\u009F\u00A1-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€/,
  // MS-DOS and Macintosh as CP1252: a sign within a word
  /\p{L}(?:[‚ƒˆ¡¢]|[‡€‹›]\p{L})|\p{Ll}[ÆŽ]/u,
  // a program's sign for a letter that it does not know
  /\uFFFD/,
]

const hasLostLetters = (cell: string): boolean => lost.some((pattern) => pattern.test(cell))

/** Whether somebody may well not have written this. */
export const isSpreadsheetValue = (cell: string): boolean =>
  written.some((pattern) => pattern.test(cell)) || hasLostLetters(cell)

export const lostLettersText = (cell: string): string =>
  `As letras com acento se perderam? Aqui está '${cell}'. Grave o arquivo como CSV UTF-8 a partir da planilha de origem.`

export const spreadsheetValueText = (cell: string): string =>
  hasLostLetters(cell)
    ? lostLettersText(cell)
    : `O Excel trocou este nome? Aqui está '${cell}'. Formate a coluna como texto e escreva o nome de novo.`
