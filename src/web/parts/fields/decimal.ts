/**
 * Keeps what may be part of a number typed with a comma: '1.2' and '1,2' are the same key on half the keypads. Behind `start`,
 * which the box began with, a number that brings a comma of its own is typed as a whole, and takes its place.
 */
export function typedDecimal(typed: string, decimals: number, start = ''): string {
  const behind = start !== '' && typed.startsWith(start) ? typed.slice(start.length) : ''
  const [whole = '', ...rest] = (/^\d+[.,]/.test(behind) ? behind : typed).replace(/[^\d.,]/g, '').split(/[.,]/)
  if (rest.length === 0) return whole
  return `${whole},${rest.join('').slice(0, decimals)}`
}
