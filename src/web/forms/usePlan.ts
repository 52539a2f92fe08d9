import { milliText, readMilli, unitText, verdictOf } from '../../domain/quality/control-plans.ts'
import { type FormValue, type FormValues, limitsOf } from '../../domain/quality/sampling.ts'
import { useWaiting } from '../acts/queue-db.ts'
import { serverNow } from '../device/clock.ts'
import { type ContextProps, planHere, useMeasuringContext, type Work } from '../parts/measuring/work.ts'
import type { GateFacts } from '../parts/plan/PlanGate.tsx'
import { useAfterForm } from '../parts/plan/PlanRoom.tsx'
import { useSettings } from '../parts/settings.ts'

/** Force and height as their fields show them. */
type Typed = Record<'force' | 'height', { text: string; measured: boolean }>

/** In thousandths; null: no number. */
function valuesOf({ force, height }: Typed, { hasHeight }: Work): FormValues {
  const of = ({ text, measured }: Typed['force']): FormValue | null => {
    const milli = readMilli(text)
    return milli === null ? null : { milli, isMeasured: measured }
  }
  return { altura: hasHeight ? of(height) : null, forca: of(force) }
}

/** Values that the form marks as measured: a release is bound to them. */
const measuredOf = (values: FormValues): GateFacts['looked']['digitados'] =>
  (['altura', 'forca'] as const).flatMap((caracteristica) => {
    const value = values[caracteristica]
    return value?.isMeasured ? [{ caracteristica, valor: value.milli }] : []
  })

/** Judges work of a form by the control plan. The plan's context is read after the form is drawn; judging is a pure call. */
export function usePlan(props: ContextProps) {
  const isAfterForm = useAfterForm()
  const here = useMeasuringContext({ ...props, isDue: props.isDue && isAfterForm })
  const queue = useWaiting() ?? []
  const shiftPlan = useSettings()
  const { forceUnit } = shiftPlan
  /** `verdicts` for the fields and `gate` for 'Registrar' are null where no plan speaks of it. */
  const judge = (work: Work, typed: Typed) => {
    const values = valuesOf(typed, work)
    const judged = planHere(work, { context: here.context, queue, shiftPlan, nowMs: serverNow() }, values)
    const { plan, outside, due, missing, gauges, acts } = judged
    const looked = { atos: acts, digitados: measuredOf(values) }
    return {
      planHere: judged,
      verdicts: plan && {
        force: verdictOf(typed.force.text, limitsOf(plan, 'forca', work.limits), (milli) =>
          unitText(milliText(milli, 0), forceUnit),
        ),
        height: verdictOf(
          typed.height.text,
          limitsOf(plan, 'altura', work.limits),
          (milli) => `${milliText(milli, 3)} mm`,
        ),
      },
      gate: plan && { plan: plan.id, outside, due, missing, gauges, looked },
    }
  }
  return { here, judge }
}
