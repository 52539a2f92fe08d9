import type { RecordingForms, SideForm, SidePart } from '../../../domain/acts/recording-form.ts'
import { settleMeasurements, typedMeasurement } from '../../../domain/acts/recording-form.ts'
import type { FormChange } from '../../acts/drafts.ts'
import { MeasuringRoom } from '../../forms/MeasuringRoom.tsx'
import type { MeasuredTexts } from '../../parts/measuring/Measuring.tsx'
import type { useItemPlan } from './item-plan.ts'
import type { Measured } from './scanning.ts'

const withMeasured = (before: SideForm, { force, height }: MeasuredTexts): SideForm =>
  settleMeasurements({
    ...before,
    ...(force === undefined ? {} : { force: typedMeasurement(force) }),
    ...(height === undefined ? {} : { height: typedMeasurement(height) }),
  })

type Props = {
  part: SidePart
  judged: NonNullable<ReturnType<ReturnType<typeof useItemPlan>>>
  forceUnit: string
  isDisabled: boolean
  change: FormChange<RecordingForms>
  measuring: Measured | null
  onMeasuring: (measured: Measured | null) => void
}

/** The line of a side's plan, and the way to measure by it. */
export const SideMeasuring = ({ part, judged, forceUnit, isDisabled, change, measuring, onMeasuring }: Props) => (
  <MeasuringRoom<SideForm>
    {...{ here: judged.here, work: judged.work, planHere: judged.planHere, forceUnit, isDisabled }}
    span="@sm:col-span-2 @sm:min-h-16"
    name={part === 'l1' ? 'lado 1' : 'lado 2'}
    opened={measuring?.part === part ? measuring : null}
    onOpen={(opened) => onMeasuring(opened && { part, ...opened })}
    change={(apply) => change(part, apply)}
    filled={withMeasured}
  />
)
