import type { SubjectKind } from '../../contract/containments.ts'
import type { Characteristic } from '../../contract/measurements.ts'
import { readingText, unitText } from '../quality/control-plans.ts'
import { characteristicTexts, unitOf } from '../reports/spc-names.ts'

const DAY_MS = 86_400_000
const BACK_DAYS_MAX = 400
/** A tool that nobody has maintained yet is suspect for so long. */
export const TOOL_MS = 7 * DAY_MS

/** 'Altura fora: 1,170 mm' */
export const readingSubject = (characteristic: Characteristic, milli: number, forceUnit: string): string =>
  `${characteristicTexts[characteristic]} fora: ${unitText(readingText(milli, characteristic), unitOf(characteristic, forceUnit))}`

const subjectKindTexts: Record<SubjectKind, string> = {
  ferramenta: 'Mini aplicador',
  lote: 'Lote',
  maquina: 'Máquina',
  instrumento: 'Instrumento',
}

/** 'Lote L-2231' */
export const namedSubject = (kind: SubjectKind, term: string): string => `${subjectKindTexts[kind]} ${term}`

/** Ends of a window; null: it has none there. */
export type Ends = { startAt: number | null; endAt: number | null }

type Problem = { field: 'inicio' | 'fim'; message: string }

/** Why nobody may choose such ends. `orderedAt`: instant of the bad reading, else now. */
export function endsProblem(
  { startAt, endAt }: Ends,
  { orderedAt, now }: { orderedAt: number; now: number },
): Problem | null {
  if (startAt !== null && startAt > now) return { field: 'inicio', message: 'O início não pode ser depois de agora.' }
  if (startAt !== null && startAt < orderedAt - BACK_DAYS_MAX * DAY_MS) {
    return { field: 'inicio', message: `No máximo ${BACK_DAYS_MAX} dias antes.` }
  }
  if (startAt !== null && endAt !== null && endAt <= startAt) {
    return { field: 'fim', message: 'O fim deve ser depois do início.' }
  }
  return null
}

/** Whether fewer recordings may be found by the new ends. Without a start only an order's are: any start takes in more. */
export function isNarrower(was: Ends & { isOfOrder: boolean }, is: Ends): boolean {
  const isLater = is.startAt !== null && (was.startAt === null ? !was.isOfOrder : is.startAt > was.startAt)
  const isEarlier = is.endAt !== null && (was.endAt === null || is.endAt < was.endAt)
  return isLater || isEarlier
}

/** What somebody did who has saved other ends. */
export function changedWindowText(was: Ends & { isOfOrder: boolean }, is: Ends & { isOfOrder: boolean }): string {
  if (!isNarrower(was, is)) return 'Janela ampliada.'
  return isNarrower(is, was) ? 'Janela alterada.' : 'Janela reduzida.'
}
