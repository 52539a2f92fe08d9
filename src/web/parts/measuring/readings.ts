import type { ControlPlan } from '../../../contract/control-plans.ts'
import { readingStart } from '../../../domain/quality/control-plans.ts'
import {
  emptyReadings,
  type MeasuredHere,
  measuredHere,
  outsideText,
  readingsOf,
  type TypedReadings,
  typedIn,
} from '../../../domain/quality/measuring.ts'
import { checkCommaText, expectedOf, limitsOf, plausibility } from '../../../domain/quality/sampling.ts'
import { useTyped } from '../fields/useTyped.ts'
import type { Work } from './work.ts'

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string')
const isReadings = (value: unknown): value is TypedReadings =>
  typeof value === 'object' &&
  value !== null &&
  measuredHere.every((of) => of in value && isTexts(value[of as keyof typeof value]))

const none: TypedReadings = { altura: [], forca: [] }
const isNone = (typed: TypedReadings) => measuredHere.every((of) => typed[of].every((text) => text === ''))

/** The readings that are typed, kept for a reload, and what their limits say of them. */
export function useTypedReadings(work: Work, plan: ControlPlan | null, forceUnit: string) {
  const { branch, order, barcode, junction, part, hasHeight } = work
  const key = ['medicao', branch, order, barcode || junction, part].join(':')
  const [texts, type, replace] = useTyped<TypedReadings>(key, none, isReadings)
  const typed = typedIn(texts, emptyReadings(plan, hasHeight))
  const groups = measuredHere
    .map((characteristic: MeasuredHere) => {
      const limits = limitsOf(plan, characteristic, work.limits)
      return {
        characteristic,
        texts: typed[characteristic],
        unit: characteristic === 'altura' ? 'mm' : forceUnit,
        limits,
        /** An empty box that the cursor comes into begins with it. */
        start: readingStart(limits),
        /** A lost comma is found by comparison with these. */
        expected: expectedOf(plan, characteristic, work.limits),
      }
    })
    .filter(({ texts }) => texts.length > 0)
  const read = readingsOf(typed)
  const judged = groups.flatMap((group) => {
    const readings = read?.[group.characteristic]
    return readings ? [{ ...group, readings }] : []
  })
  return {
    typed,
    setTyped: (next: TypedReadings) => type(isNone(next) ? none : next),
    /** On disk. False: they have been changed since then, and stay. */
    clear: () => replace(texts, none),
    /** Refused after that. False: others have been typed since then. */
    giveBack: () => replace(none, texts),
    groups,
    /** Null while a box is wrong, or nothing is there. */
    read,
    outside: judged.flatMap(
      ({ characteristic, limits, readings, unit }) => outsideText(characteristic, limits, readings, unit) ?? [],
    ),
    /** Not to be believed. */
    doubtful: judged.flatMap(({ expected, readings, unit }) =>
      expected && plausibility(expected, readings) === 'implausivel' ? [checkCommaText(expected, unit)] : [],
    ),
  }
}

export type Group = ReturnType<typeof useTypedReadings>['groups'][number]
