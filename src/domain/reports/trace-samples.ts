import type { Characteristic } from '../../contract/measurements.ts'
import type { TraceMeasurement } from '../../contract/traces.ts'
import { type Limits, milliText } from '../quality/control-plans.ts'
import { characteristicTexts } from './spc-names.ts'

/** 'Altura 1,100 / 1,102' */
export const samplesText = (characteristic: Characteristic, readings: readonly number[]): string =>
  `${characteristicTexts[characteristic]} ${readings.map((one) => milliText(one, characteristic === 'forca' ? 0 : 3)).join(' / ')}`

/** A sample of one characteristic and the plan that judged it, in words. */
export function traceSample(
  { characteristic, readings, isOut }: { characteristic: Characteristic; readings: readonly number[]; isOut: boolean },
  plan: { version: number; limits: Limits | null } | null,
): TraceMeasurement & { caracteristica: Characteristic } {
  const textOf = (milli: number) => milliText(milli, characteristic === 'forca' ? 0 : 3)
  const { low = null, high = null } = plan?.limits ?? {}
  const limits = low === null ? '' : high === null ? `mín. ${textOf(low)}` : `${textOf(low)} a ${textOf(high)}`
  return {
    medido: samplesText(characteristic, readings),
    exigido: limits && `${characteristicTexts[characteristic]} ${limits}`,
    plano: plan?.version ?? null,
    fora: isOut,
    caracteristica: characteristic,
  }
}
