import { type FieldForm, textOf } from '../../domain/forms/form-fields.ts'
import { readMilli } from '../../domain/quality/control-plans.ts'
import { boxVerdict, type MeasuredHere } from '../../domain/quality/measuring.ts'
import { type FormValue, type FormValues, limitsOf } from '../../domain/quality/sampling.ts'
import { useWaiting } from '../acts/queue-db.ts'
import { serverNow } from '../device/clock.ts'
import type { Judgement } from '../parts/fields/fields.tsx'
import { type ContextProps, planHere, useMeasuringContext, type Work } from '../parts/measuring/work.ts'
import type { GateFacts } from '../parts/plan/PlanGate.tsx'
import { useAfterForm } from '../parts/plan/PlanRoom.tsx'
import { useSettings } from '../parts/settings.ts'

/** In thousandths; null: no number. A text that nobody could have filled in for the operator was measured. */
function formValueOf(value: FieldForm['force']): FormValue | null {
  const milli = readMilli(textOf(value))
  if (milli === null) return null
  return { milli, isMeasured: typeof value === 'object' && value !== null ? value.measured === true : true }
}

/** Values that the form marks as measured: a release is bound to them. */
const measuredOf = (values: FormValues): GateFacts['looked']['digitados'] =>
  (['altura', 'forca'] as const).flatMap((caracteristica) => {
    const value = values[caracteristica]
    return value?.isMeasured ? [{ caracteristica, valor: value.milli }] : []
  })

export type Judged = ReturnType<ReturnType<typeof usePlan>>

/** Judges work of a form by the control plan. The plan's context is read after the form is drawn; judging is a pure call. */
export function usePlan(props: ContextProps) {
  const isAfterForm = useAfterForm()
  const here = useMeasuringContext({ ...props, isDue: props.isDue && isAfterForm })
  const queue = useWaiting() ?? []
  const shiftPlan = useSettings()
  const { forceUnit } = shiftPlan
  /** `judgements` for the fields and `gate` for 'Registrar' are null where no plan speaks of it. */
  return (work: Work, { force, height }: FieldForm) => {
    const values = { altura: work.hasHeight ? formValueOf(height) : null, forca: formValueOf(force) }
    const judged = planHere(work, { context: here.context, queue, shiftPlan, nowMs: serverNow() }, values)
    const { plan, outside, due, missing, gauges, acts } = judged
    const looked = { atos: acts, digitados: measuredOf(values) }
    const judgementOf = (of: MeasuredHere, value: FieldForm['force'], unit: string): Judgement => {
      const limits = limitsOf(plan, of, work.limits)
      return { limits, verdict: boxVerdict(of, textOf(value), limits, unit) }
    }
    return {
      ...{ here, work, planHere: judged },
      judgements: plan && {
        force: judgementOf('forca', force, forceUnit),
        height: judgementOf('altura', height, 'mm'),
      },
      gate: plan && { plan: plan.id, outside, due, missing, gauges, looked },
    }
  }
}
