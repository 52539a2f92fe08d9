import type { ComponentProps } from 'react'
import { withoutSample, withSample } from '../../domain/forms/form-edits.ts'
import type { Sampled } from '../../domain/forms/recording-form.ts'
import { deferred } from '../device/deferred.ts'
import { lateExtra } from '../parts/Late.tsx'
import type { MeasuredTexts } from '../parts/measuring/Measuring.tsx'
import { PlanRoom } from '../parts/plan/PlanRoom.tsx'
import type { Judged } from './usePlan.ts'

const Measuring = lateExtra(
  deferred(async () => (await import('../parts/measuring/Measuring.tsx')).Measuring, { warm: ['soon'] }),
)

type Props<Form> = Pick<ComponentProps<typeof Measuring>, 'name' | 'forceUnit' | 'isDisabled' | 'opened' | 'onOpen'> & {
  /** Null: no plan could speak of it. */
  judged: Judged | null
  span: string
  change: (apply: (form: Form) => Form) => void
  /** The form with the values of a sample. */
  filled: (form: Form, texts: MeasuredTexts) => Form
}

/** The line of the plan and 'Medir': both come after the form, in a room that is there before them. */
export const MeasuringRoom = <Form extends Sampled>({ judged, span, change, filled, ...props }: Props<Form>) =>
  judged && (
    <PlanRoom span={span}>
      <Measuring
        {...props}
        {...{ here: judged.here, work: judged.work, planHere: judged.planHere }}
        onSample={(texts, sample) => change((before) => filled(withSample(before, sample), texts))}
        onNotTaken={(id) => change((before) => withoutSample(before, id))}
        onTwoWires={(hasTwoWires) => change((before) => ({ ...before, hasTwoWires }))}
      />
    </PlanRoom>
  )
