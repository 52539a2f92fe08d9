import {
  LIMIT_CRIMPS_DEFAULT,
  LIMIT_CRIMPS_MAX,
  type RemovalReason,
  type WearPart,
} from '../../../../contract/crimp-counters.ts'
import { readWhole } from '../../../../domain/text/numbers.ts'
import { formatCount } from '../../../text/format.ts'
import { readLimit } from '../limit-edits.ts'

/** A part that is to be mounted, as it is typed. */
export type PartForm = { code: string; limit: string; usedBefore: string; reason: RemovalReason }
export type PartProblems = Partial<Record<keyof PartForm, string>>

export const emptyPart: PartForm = {
  code: '',
  limit: String(LIMIT_CRIMPS_DEFAULT),
  usedBefore: '0',
  reason: 'gasta',
}

/** Form of a new part, which usually wears as the old one did. */
export const replacementOf = ({ limitOfCrimps }: Pick<WearPart, 'limitOfCrimps'>): PartForm => ({
  ...emptyPart,
  limit: String(limitOfCrimps),
})

/** The fault of a typed part, or the part to send. */
export function readPart(form: PartForm) {
  const limit = readLimit(form.limit)
  const usedBefore = readWhole(form.usedBefore.trim() === '' ? '0' : form.usedBefore)
  const problems: PartProblems = {
    ...(form.code.trim() === '' ? { code: 'Informe o código da peça.' } : {}),
    ...(limit.kind === 'limit' ? {} : { limit: limit.kind === 'wrong' ? limit.problem : 'Informe o limite.' }),
    ...(usedBefore <= LIMIT_CRIMPS_MAX ? {} : { usedBefore: `Um número de 0 a ${formatCount(LIMIT_CRIMPS_MAX)}.` }),
  }
  if (limit.kind !== 'limit' || Object.keys(problems).length > 0) return { problems }
  return { part: { code: form.code.trim(), limitOfCrimps: limit.limit, usedBefore } }
}
