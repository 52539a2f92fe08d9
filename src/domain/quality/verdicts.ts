import type { PlanContent } from '../../contract/control-plans.ts'
import type { Characteristic, Verdict } from '../../contract/measurements.ts'
import { nameKey } from '../acts/recordings.ts'
import { machineKey } from './control-plans.ts'
import type { PartSample, Sample } from './sampling.ts'

// Verdicts put together. `verdictOfReadings` (`sampling.ts`) judges one sample, `verdictOf` (`control-plans.ts`) a text typed in a form.

/** One characteristic of an act of measuring that counts and is valid. */
export type JudgedSample = PartSample & { verdict: Verdict }

export type Verdicts = Partial<Record<Characteristic, Verdict>>

/** Characteristics whose readings outside speak against a recording, in the order in which they are named. */
export function limitedBy(plan: PlanContent): Characteristic[] {
  return [
    ...(plan.altura ? (['altura'] as const) : []),
    ...(plan.forcaMin === undefined ? [] : (['forca'] as const)),
    ...(plan.largura ? (['largura'] as const) : []),
    ...(plan.alturaIsolante ? (['altura-isolante'] as const) : []),
  ]
}

/** Limited characteristics that are asked for when measuring is due; the others are measured in a laboratory, if at all. */
export const requiredBy = (plan: PlanContent, hasHeight: boolean): Characteristic[] =>
  limitedBy(plan).filter((one) => one === 'forca' || (one === 'altura' && hasHeight))

/**
 * The newest verdict of each characteristic, for an order at a press and tool; of equal instants the one that comes
 * first. A reading that nothing judged says nothing about the one before it.
 */
export function newestVerdicts(
  samples: readonly JudgedSample[],
  at: Pick<Sample, 'order' | 'machine' | 'unit'>,
): Verdicts {
  const isHere = ({ order, machine, unit }: JudgedSample) =>
    order === at.order && nameKey(unit) === nameKey(at.unit) && machineKey(machine) === machineKey(at.machine)
  const newest: Verdicts = {}
  for (const one of samples.toSorted((before, after) => after.measuredAt - before.measuredAt)) {
    if (one.verdict !== 'sem-plano' && isHere(one)) newest[one.characteristic] ??= one.verdict
  }
  return newest
}

/** Limited characteristics that are outside once a recording adds its `own` values to the earlier samples. */
export const outsideOf = (limited: readonly Characteristic[], newest: Verdicts, own: Verdicts): Characteristic[] =>
  limited.filter((one) => (own[one] ?? newest[one]) === 'fora')

/** One fact of two sources: outside before inside before unjudged. */
export const worseOf = (one: Verdict, other: Verdict | undefined): Verdict =>
  (['fora', 'dentro'] as const).find((verdict) => verdict === one || verdict === other) ?? 'sem-plano'

/**
 * Verdict on a value that a recording measured itself, beside the sample that it types over: a good value clears
 * nothing, since it is no later reading of those pieces, and the sample outside stays the newest that was judged.
 */
export const typedOver = (own: Verdict, sample: Verdict | undefined): Verdict =>
  own === 'dentro' && sample === 'fora' ? 'sem-plano' : own

/** Named where others of a first piece were measured; where none was, the first piece itself is missing. */
export const partMissing = (wanted: readonly Characteristic[], missing: readonly Characteristic[]): Characteristic[] =>
  missing.length < wanted.length ? [...missing] : []

/** A recording's own values, as far as its plan counts typed values as samples: one outside always counts. */
export const ownFor = ({ digitadoVale }: Pick<PlanContent, 'digitadoVale'>, own: Verdicts): Verdicts =>
  digitadoVale === false ? Object.fromEntries(Object.entries(own).filter(([, verdict]) => verdict === 'fora')) : own
