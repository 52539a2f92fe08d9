import { useMemo } from 'react'
import type { HistoryEntry } from '../../../contract/end-histories.ts'
import { momentTextOf } from '../../../domain/plant/plant-time.ts'
import { historyLinks } from '../../../domain/reports/end-histories.ts'
import { useSettings } from '../../parts/settings.ts'

/** Facts that all entries of a history are worded with. */
export function useShown(entries: readonly HistoryEntry[]) {
  const { timeZone, forceUnit } = useSettings()
  return useMemo(
    () => ({ momentText: momentTextOf(timeZone), forceUnit, links: historyLinks(entries) }),
    [entries, timeZone, forceUnit],
  )
}

export function usePlantLabel(branch: string): string {
  const { plants } = useSettings()
  return plants.find(({ code }) => code === branch)?.label ?? ''
}
