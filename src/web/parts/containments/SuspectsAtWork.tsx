import type { ComponentProps } from 'react'
import { deferred } from '../../device/deferred.ts'
import { lateExtra } from '../Late.tsx'
import { useAfterForm } from '../plan/PlanRoom.tsx'

export const SuspectBanner = lateExtra(
  deferred(async () => (await import('./SuspectBanner.tsx')).SuspectBanner, { warm: ['soon'] }),
)

/** The list is on this device before a dialog asks for it. */
export const KeepContained = lateExtra(deferred(async () => (await import('./SuspectBanner.tsx')).KeepContained))

/** The list comes after the form; few items have anything to say. */
export const SuspectsAtWork = (props: ComponentProps<typeof SuspectBanner>) =>
  useAfterForm() && <SuspectBanner {...props} />
