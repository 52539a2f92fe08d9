import type { ComponentProps } from 'react'
import { PlanRoom } from '../../parts/plan/PlanRoom.tsx'
import { useSettings } from '../../parts/settings.ts'
import { fetched } from '../../ui/fetched.ts'
import type { JunctionPlan } from './JunctionPlan.tsx'

type PlanProps = ComponentProps<typeof JunctionPlan>

const Fetched = fetched<PlanProps>(() => import('./JunctionPlan.tsx').then((file) => file.JunctionPlan))

export function JunctionRoom(props: Omit<PlanProps, 'forceUnit'>) {
  const { forceUnit } = useSettings()
  return (
    <PlanRoom span="@4xl:col-span-3 @4xl:min-h-16">
      <Fetched {...props} forceUnit={forceUnit} />
    </PlanRoom>
  )
}
