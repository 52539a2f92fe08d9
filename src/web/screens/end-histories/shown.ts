import { useMemo } from 'react'
import type { EndHistory } from '../../../contract/end-histories.ts'
import { historyLinks } from '../../../domain/histories/end-history-links.ts'
import { momentTextOf } from '../../../domain/plant/plant-time.ts'
import { useSettings } from '../../parts/settings.ts'

/** Facts that all entries of a history are worded with. */
export function useShown({ extremo, entradas }: EndHistory) {
  const { timeZone, forceUnit } = useSettings()
  return useMemo(
    () => ({
      ...{ part: extremo.parte, forceUnit },
      ...{ momentText: momentTextOf(timeZone), links: historyLinks(entradas) },
    }),
    [extremo, entradas, timeZone, forceUnit],
  )
}

export function usePlantLabel(branch: string): string {
  const { plants } = useSettings()
  return plants.find(({ code }) => code === branch)?.label ?? ''
}
