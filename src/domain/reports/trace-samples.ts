import type { Characteristic } from '../../contract/measurements.ts'
import type { TraceMeasurement } from '../../contract/traces.ts'
import { beyondLimits, type Limits, limitsText, readingText } from '../quality/control-plans.ts'
import { characteristicTexts } from './spc-names.ts'

/** 'Altura 1,100 / 1,102' */
export const samplesText = (characteristic: Characteristic, readings: readonly number[]): string =>
  `${characteristicTexts[characteristic]} ${readings.map((one) => readingText(one, characteristic)).join(' / ')}`

/** 'Altura 1,100 / 1,170 (fora)': where not all of them are outside, those that are say so. */
function markedText(characteristic: Characteristic, readings: readonly number[], limits: Limits): string {
  const isOutside = readings.map((one) => beyondLimits(limits, one) !== 0)
  if (isOutside.every((one) => one)) return samplesText(characteristic, readings)
  const texts = readings.map((one, nth) => `${readingText(one, characteristic)}${isOutside[nth] ? ' (fora)' : ''}`)
  return `${characteristicTexts[characteristic]} ${texts.join(' / ')}`
}

/** A sample of one characteristic and the plan that judged it, in words. */
export function traceSample(
  { characteristic, readings, isOut }: { characteristic: Characteristic; readings: readonly number[]; isOut: boolean },
  plan: { version: number; limits: Limits | null } | null,
): TraceMeasurement & { caracteristica: Characteristic } {
  const limits = plan?.limits ? limitsText(plan.limits) : ''
  return {
    medido: plan?.limits ? markedText(characteristic, readings, plan.limits) : samplesText(characteristic, readings),
    exigido: limits && `${characteristicTexts[characteristic]} ${limits}`,
    plano: plan?.version ?? null,
    fora: isOut,
    caracteristica: characteristic,
  }
}
