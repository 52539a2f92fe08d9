import type { Characteristic } from '../../contract/measurements.ts'
import type { TraceMeasurement } from '../../contract/traces.ts'
import { beyondLimits, type Limits, milliText } from '../quality/control-plans.ts'
import { characteristicTexts } from './spc-names.ts'

const readingText = (characteristic: Characteristic, milli: number): string =>
  milliText(milli, characteristic === 'forca' ? 0 : 3)

/** 'Altura 1,100 / 1,102' */
export const samplesText = (characteristic: Characteristic, readings: readonly number[]): string =>
  `${characteristicTexts[characteristic]} ${readings.map((one) => readingText(characteristic, one)).join(' / ')}`

/** 'Altura 1,100 / 1,170 (fora)': where not all of them are outside, those that are say so. */
function markedText(characteristic: Characteristic, readings: readonly number[], limits: Limits): string {
  const isOutside = readings.map((one) => beyondLimits(limits, one) !== 0)
  if (isOutside.every((one) => one)) return samplesText(characteristic, readings)
  const texts = readings.map((one, nth) => `${readingText(characteristic, one)}${isOutside[nth] ? ' (fora)' : ''}`)
  return `${characteristicTexts[characteristic]} ${texts.join(' / ')}`
}

/** A sample of one characteristic and the plan that judged it, in words. */
export function traceSample(
  { characteristic, readings, isOut }: { characteristic: Characteristic; readings: readonly number[]; isOut: boolean },
  plan: { version: number; limits: Limits | null } | null,
): TraceMeasurement & { caracteristica: Characteristic } {
  const textOf = (milli: number) => readingText(characteristic, milli)
  const { low = null, high = null } = plan?.limits ?? {}
  const limits = low === null ? '' : high === null ? `mín. ${textOf(low)}` : `${textOf(low)} a ${textOf(high)}`
  return {
    medido: plan?.limits ? markedText(characteristic, readings, plan.limits) : samplesText(characteristic, readings),
    exigido: limits && `${characteristicTexts[characteristic]} ${limits}`,
    plano: plan?.version ?? null,
    fora: isOut,
    caracteristica: characteristic,
  }
}
