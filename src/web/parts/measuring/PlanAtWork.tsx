import { useEffect, useEffectEvent } from 'react'
import type { MeasuringContext } from '../../../contract/measurements.ts'
import { type Sampled, withoutSample, withSample } from '../../../domain/acts/recording-form.ts'
import { milliText, readMilli, unitText, verdictOf } from '../../../domain/quality/control-plans.ts'
import { type FormValue, type FormValues, limitsOf } from '../../../domain/quality/sampling.ts'
import type { SearchPlace } from '../../device/cached-searches.ts'
import type { Reading } from '../../server/query.ts'
import type { Verdict } from '../fields/fields.tsx'
import type { GateFacts } from '../plan/PlanGate.tsx'
import { type MeasuredTexts, Measuring, type Opened } from './Measuring.tsx'
import { useMeasuringContext, usePlanHere, type Work } from './work.ts'

export type Verdicts = { force: Verdict | null; height: Verdict | null }

/** What a form says that it measured. */
type Typed = Record<'force' | 'height', { text: string; measured: boolean }>

/** As the form shows them, in thousandths; null: no number. */
function valuesOf({ force, height }: Typed, { hasHeight }: Work): FormValues {
  const of = ({ text, measured }: Typed['force']): FormValue | null => {
    const milli = readMilli(text)
    return milli === null ? null : { milli, isMeasured: measured }
  }
  return { altura: hasHeight ? of(height) : null, forca: of(force) }
}

/** What stands there as measured: whoever releases it has seen it. */
const typedOf = (values: FormValues): GateFacts['looked']['digitados'] =>
  (['altura', 'forca'] as const).flatMap((caracteristica) => {
    const value = values[caracteristica]
    return value?.isMeasured ? [{ caracteristica, valor: value.milli }] : []
  })

/** What the form of something that is measured gives its plan, whatever it is. */
export type PlanProps = {
  forceUnit: string
  isDisabled: boolean
  /** Said at the fields. */
  onVerdicts: (verdicts: Verdicts) => void
  /** The dialog, as the form has it. */
  opened: Opened | null
  onOpen: (opened: Opened | null) => void
}

type Props<Form> = PlanProps & {
  /** What the plan is kept under on this device. */
  place: Omit<SearchPlace, 'kind'>
  reading: Reading<MeasuringContext>
  work: Work
  typed: Typed
  /** 'lado 1': tells its button from others of the screen. */
  name: string
  change: (apply: (form: Form) => Form) => void
  /** What a sample gives the form. */
  filled: (form: Form, texts: MeasuredTexts) => Form
  /** Asked at 'Registrar'; null: no plan speaks of this. */
  onGate: (facts: GateFacts | null) => void
}

/** The plan of some work, what it says of what is typed, and the way to measure. */
export function PlanAtWork<Form extends Sampled>({ work, forceUnit, typed, ...props }: Props<Form>) {
  const { change, filled, onGate, onVerdicts } = props
  const here = useMeasuringContext(props.place, props.reading)
  const values = valuesOf(typed, work)
  const planHere = usePlanHere(work, here.context, values)
  const { plan } = planHere
  const verdicts = {
    force: verdictOf(typed.force.text, limitsOf(plan, 'forca', work.limits), (milli) =>
      unitText(milliText(milli, 0), forceUnit),
    ),
    height: verdictOf(typed.height.text, limitsOf(plan, 'altura', work.limits), (milli) => `${milliText(milli, 3)} mm`),
  }
  const shown = plan ? verdicts : { force: null, height: null }
  const say = useEffectEvent(() => onVerdicts(shown))
  // biome-ignore lint/correctness/useExhaustiveDependencies: said anew when it is another
  useEffect(say, [shown.force?.text, shown.height?.text])
  const { outside, due, missing, gauges, acts } = planHere
  const looked = { atos: acts, digitados: typedOf(values) }
  const facts: GateFacts | null = plan && { plan: plan.id, outside, due, missing, gauges, looked }
  const gate = useEffectEvent(() => onGate(facts))
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(gate, [facts?.plan, outside.join(), due.join(), missing.join(), gauges.join(), JSON.stringify(looked)])
  return (
    <Measuring
      {...{ work, here, planHere, forceUnit }}
      name={props.name}
      isDisabled={props.isDisabled}
      opened={props.opened}
      onOpen={props.onOpen}
      onSample={(texts, sample) => change((before) => filled(withSample(before, sample), texts))}
      onNotTaken={(id) => change((before) => withoutSample(before, id))}
      onTwoWires={(hasTwoWires) => change((before) => ({ ...before, hasTwoWires }))}
    />
  )
}
