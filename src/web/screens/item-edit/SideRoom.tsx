import type { ComponentProps } from 'react'
import type { Part } from '../../../contract/items.ts'
import type { RecordingForms, SidePart } from '../../../domain/acts/recording-form.ts'
import type { FormChange } from '../../acts/drafts.ts'
import { PlanRoom } from '../../parts/plan/PlanRoom.tsx'
import { fetched } from '../../ui/fetched.ts'
import type { SidePlan } from './SidePlan.tsx'

/** What is measured now, and with what; `instrument` is empty where none was read. */
export type Measured = { part: Part; instrument: string }

type PlanProps = ComponentProps<typeof SidePlan>

const Fetched = fetched<PlanProps>(() => import('./SidePlan.tsx').then((file) => file.SidePlan))

type Props = Omit<PlanProps, 'part' | 'change' | 'opened' | 'onOpen'> & {
  part: SidePart
  change: FormChange<RecordingForms>
  measuring: Measured | null
  onMeasuring: (measured: Measured | null) => void
}

export const SideRoom = ({ part, change, measuring, onMeasuring, ...props }: Props) => (
  <PlanRoom span="@sm:col-span-2 @sm:min-h-16">
    <Fetched
      {...props}
      part={part}
      change={(apply) => change(part, apply)}
      opened={measuring?.part === part ? measuring : null}
      onOpen={(opened) => onMeasuring(opened && { part, ...opened })}
    />
  </PlanRoom>
)
