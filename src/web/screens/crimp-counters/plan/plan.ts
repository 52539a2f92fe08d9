import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { crimpCounters } from '../../../../contract/crimp-counters.ts'
import { maintenanceTasks } from '../../../../contract/maintenance-tasks.ts'
import { wearParts } from '../../../../contract/wear-parts.ts'
import { query } from '../../../server/query.ts'
import { useReading } from '../counters.ts'

/** One change to the parts of a tool; done when the lists show it. */
export const partChange = {
  changes: [wearParts.list, maintenanceTasks.plan, crimpCounters.list],
  isDoneWhenShown: true,
} as const

/** One change to a task, or that it was done. */
export const taskChange = { changes: [maintenanceTasks.list, maintenanceTasks.plan], isDoneWhenShown: true } as const

const nothing = { rows: [], totalCount: 0 }

/** Parts and tasks that come due on the tools whose name contains the filter. */
export function usePlan(filter: string) {
  const answered = useQuery({
    ...query(maintenanceTasks.plan, { query: filter === '' ? {} : { filter } }),
    placeholderData: keepPreviousData,
  })
  return { ...useReading(answered), plan: answered.data ?? nothing }
}
