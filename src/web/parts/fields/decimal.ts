/** Keeps what may be part of a number typed with a comma: '1.2' and '1,2' are the same key on half the keypads. */
export function typedDecimal(typed: string, decimals: number): string {
  const [whole = '', ...rest] = typed.replace(/[^\d.,]/g, '').split(/[.,]/)
  if (rest.length === 0) return whole
  return `${whole},${rest.join('').slice(0, decimals)}`
}
