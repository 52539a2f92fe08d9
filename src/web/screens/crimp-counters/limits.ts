import { LIMIT_CRIMPS_DEFAULT, LIMIT_CRIMPS_MAX, UNLIMITED } from '../../../contract/crimp-counters.ts'
import { readWhole } from '../../../domain/numbers.ts'
import { formatCount } from '../../format.ts'

const WRONG = 'O limite deve ser um número inteiro a partir de 1, ou -1 para ilimitado'

export type TypedLimit = { kind: 'empty' } | { kind: 'limit'; limit: number } | { kind: 'wrong'; problem: string }

const numberIn = (typed: string): number | null => {
  const text = typed.trim()
  if (/^(ilimitado|∞)$/i.test(text)) return UNLIMITED
  const isNegative = text.startsWith('-')
  const value = readWhole(isNegative ? text.slice(1) : text)
  if (Number.isNaN(value)) return null
  return isNegative ? -value : value
}

export function readLimit(typed: string): TypedLimit {
  if (typed.trim() === '') return { kind: 'empty' }
  const limit = numberIn(typed)
  if (limit === null || limit < UNLIMITED || limit === 0) return { kind: 'wrong', problem: WRONG }
  if (limit > LIMIT_CRIMPS_MAX) return { kind: 'wrong', problem: `O limite vai até ${formatCount(LIMIT_CRIMPS_MAX)}` }
  return { kind: 'limit', limit }
}

/** As `readLimit`, but what is no number at all stands for the usual limit. */
export const readNewLimit = (typed: string): Exclude<TypedLimit, { kind: 'empty' }> => {
  const read = readLimit(typed)
  const isNumber = read.kind !== 'empty' && numberIn(typed) !== null
  return isNumber ? read : { kind: 'limit', limit: LIMIT_CRIMPS_DEFAULT }
}

export const limitText = (limit: number): string => (limit === UNLIMITED ? 'Ilimitado' : formatCount(limit))
