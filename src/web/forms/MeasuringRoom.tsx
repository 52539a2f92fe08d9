import type { ComponentProps } from 'react'
import { type Sampled, withoutSample, withSample } from '../../domain/acts/recording-form.ts'
import type { MeasuredTexts, Measuring } from '../parts/measuring/Measuring.tsx'
import { PlanRoom } from '../parts/plan/PlanRoom.tsx'
import { fetched } from '../ui/fetched.ts'
import type { Judged } from './usePlan.ts'

type MeasuringProps = ComponentProps<typeof Measuring>

const Fetched = fetched<MeasuringProps>(() => import('../parts/measuring/Measuring.tsx').then((file) => file.Measuring))

type Props<Form> = Pick<MeasuringProps, 'name' | 'forceUnit' | 'isDisabled' | 'opened' | 'onOpen'> & {
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
      <Fetched
        {...props}
        {...{ here: judged.here, work: judged.work, planHere: judged.planHere }}
        onSample={(texts, sample) => change((before) => filled(withSample(before, sample), texts))}
        onNotTaken={(id) => change((before) => withoutSample(before, id))}
        onTwoWires={(hasTwoWires) => change((before) => ({ ...before, hasTwoWires }))}
      />
    </PlanRoom>
  )
