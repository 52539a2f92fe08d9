const counts = new Intl.NumberFormat('pt-BR')

/** '97.000' */
export const countText = (count: number): string => counts.format(count)

/** A number with comma or dot; NaN for what is none. */
export const readNumber = (text: string): number =>
  /^\s*[-+]?(\d+[.,]?\d*|[.,]\d+)\s*$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN

/** A whole number from 0: points stand between groups of three ('1.000' is a thousand). NaN for anything else. */
export const readWhole = (text: string): number =>
  /^\s*(\d+|\d{1,3}(\.\d{3})+)\s*$/.test(text) ? Number(text.replaceAll('.', '')) : Number.NaN
