import { type ComponentProps, type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import type { Part } from '../../../contract/items.ts'
import type { RecordingForms, SidePart } from '../../../domain/recording-form.ts'
import type { FormChange } from '../../recording/drafts.ts'
import type { SidePlan } from './SidePlan.tsx'

/** What is measured now, and with what; `instrument` is empty where none was read. */
export type Measured = { part: Part; instrument: string }

type PlanProps = ComponentProps<typeof SidePlan>

/** Where its script cannot be had, the form is what it is without a plan. */
const Fetched = lazy<ComponentType<PlanProps>>(() =>
  import('./SidePlan.tsx').then(
    (file) => ({ default: file.SidePlan }),
    () => ({ default: () => null }),
  ),
)

/** Its script and its question would else share the line, and the processor, with the form's own first drawing. */
const AFTER_FORM_MS = 600
let isFormOver = false

/** Once a page: whoever goes on to the next item has it at once. */
function useAfterForm(): boolean {
  const [isOver, setOver] = useState(isFormOver)
  useEffect(() => {
    const timer = setTimeout(() => {
      isFormOver = true
      setOver(true)
    }, AFTER_FORM_MS)
    return () => clearTimeout(timer)
  }, [])
  return isOver
}

type Props = Omit<PlanProps, 'part' | 'change' | 'opened' | 'onOpen'> & {
  part: SidePart
  change: FormChange<RecordingForms>
  measuring: Measured | null
  onMeasuring: (measured: Measured | null) => void
}

/** The plan comes after the form, and its room is there before it: nothing moves under a finger. */
export const PlanRoom = ({ part, change, measuring, onMeasuring, ...props }: Props) => {
  const isDue = useAfterForm()
  return (
    <div className="flex min-h-20 flex-col justify-center @sm:col-span-2 @sm:min-h-16">
      {isDue && (
        <Suspense>
          <Fetched
            {...props}
            part={part}
            change={(apply) => change(part, apply)}
            opened={measuring?.part === part ? measuring : null}
            onOpen={(opened) => onMeasuring(opened && { part, ...opened })}
          />
        </Suspense>
      )}
    </div>
  )
}
