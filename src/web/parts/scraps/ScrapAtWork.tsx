import type { ComponentProps } from 'react'
import { deferred } from '../../device/deferred.ts'
import { lateExtra } from '../Late.tsx'
import { useAfterForm } from '../plan/PlanRoom.tsx'

const ScrapHere = lateExtra(deferred(async () => (await import('./ScrapHere.tsx')).ScrapHere, { warm: ['soon'] }))

/** Scrap at the foot of a section: it comes after the form, and its room is there before it. */
export const ScrapAtWork = (props: ComponentProps<typeof ScrapHere>) => (
  <div className="mt-1 min-h-11">{useAfterForm() && <ScrapHere {...props} />}</div>
)
