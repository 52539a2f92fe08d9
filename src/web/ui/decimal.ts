/** Keeps what may be part of a number typed with a comma: '1.2' and '1,2' are the same key on half the keypads. */
export function typedDecimal(typed: string, decimals: number): string {
  const [whole = '', ...rest] = typed.replace(/[^\d.,]/g, '').split(/[.,]/)
  if (decimals === 0 || rest.length === 0) return whole
  return `${whole},${rest.join('').slice(0, decimals)}`
}

/** The number that was typed, or null when there is none yet. */
export function parseDecimal(typed: string): number | null {
  if (!/\d/.test(typed)) return null
  return Number(typed.replace(',', '.'))
}

/** As a person here writes it; `decimalsMin` keeps trailing zeros. */
export function decimalText(value: number, decimalsMin = 0): string {
  const text = String(value)
  const [whole, fraction = ''] = text.split('.')
  const padded = fraction.padEnd(decimalsMin, '0')
  return padded ? `${whole},${padded}` : `${whole}`
}
