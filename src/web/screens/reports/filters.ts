import { useEffect, useState } from 'react'
import { type Grouping, groupings } from '../../../contract/production-reports.ts'
import { Day } from '../../../contract/values.ts'
import type { Period } from '../../../domain/plant/periods.ts'
import { plantDay } from '../../../domain/plant/plant-time.ts'
import { serverNow } from '../../device/clock.ts'
import { useSettings } from '../../parts/settings.ts'
import { useAddress } from '../../parts/useAddress.ts'

/** An empty plant stands for all of them. */
export type ReportFilters = { period: Period; grouping: Grouping; plant: string }

/** A step is undone by the back button. */
export type FilterChange = (changed: Partial<ReportFilters>, options?: { isStep: boolean }) => void

const TICK_MS = 30_000

/** The plant's day, also on a screen that is left open over midnight. */
export function useToday(): string {
  const { timeZone } = useSettings()
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((ticks) => ticks + 1), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return plantDay(serverNow(), timeZone)
}

export function usePlantName(plant: string): string {
  const { plants } = useSettings()
  return plant === '' ? 'Todas as filiais' : (plants.find(({ code }) => code === plant)?.label ?? plant)
}

const dayOr = (text: string | null, otherwise: string) =>
  text !== null && Day.safeParse(text).success ? text : otherwise

/** Filters of the report, kept in the address. Without any it is today's by machine: by day, one day is one line. */
export function useReportFilters(today: string): { filters: ReportFilters; change: FilterChange } {
  const { plants } = useSettings()
  const { params, push, replace } = useAddress()
  const filters: ReportFilters = {
    period: { start: dayOr(params.get('inicio'), today), end: dayOr(params.get('fim'), today) },
    grouping: groupings.find((grouping) => grouping === params.get('por')) ?? 'maquina',
    plant: plants.find(({ code }) => code === params.get('filial'))?.code ?? '',
  }
  const change: FilterChange = (changed, { isStep } = { isStep: true }) => {
    const { period, grouping, plant } = { ...filters, ...changed }
    const write = isStep ? push : replace
    write({ inicio: period.start, fim: period.end, por: grouping, filial: plant === '' ? null : plant })
  }
  return { filters, change }
}
