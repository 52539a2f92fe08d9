import { type AskedShift, askedShifts, type Grouping, groupings } from '../../../contract/production-reports.ts'
import { type ScrapStage, scrapStages } from '../../../contract/scrap-reasons.ts'
import { type ScrapGrouping, scrapGroupings } from '../../../contract/scrap-reports.ts'
import { Day } from '../../../contract/values.ts'
import type { Period } from '../../../domain/plant/periods.ts'
import { addDays, plantDay } from '../../../domain/plant/plant-time.ts'
import { serverNow } from '../../device/clock.ts'
import { useSettings } from '../../parts/settings.ts'
import { useAddress } from '../../parts/useAddress.ts'
import { useNow } from '../../parts/useNow.ts'

/** Filters that all reports have in common. An empty plant stands for all of them. */
type PeriodAndPlant = { period: Period; plant: string }

/** A shift stands in place of the period. */
export type ReportFilters = PeriodAndPlant & { grouping: Grouping; shift: AskedShift | null }

/** A step is undone by the back button. */
export type FilterChange<Filters> = (changed: Partial<Filters>, options?: { isStep: boolean }) => void

/** The plant's day, also on a screen that is left open over midnight. */
export function useToday(): string {
  const { timeZone } = useSettings()
  // draws it anew by and by; the clock may have been set since
  useNow()
  return plantDay(serverNow(), timeZone)
}

export function usePlantName(plant: string): string {
  const { plants } = useSettings()
  return plant === '' ? 'Todas as filiais' : (plants.find(({ code }) => code === plant)?.label ?? plant)
}

const dayOr = (text: string | null, otherwise: string) =>
  text !== null && Day.safeParse(text).success ? text : otherwise

/** In the address, beside what one report alone writes there. */
function usePeriodAndPlant(today: string) {
  const { plants } = useSettings()
  const { params, push, replace } = useAddress()
  return {
    params,
    period: { start: dayOr(params.get('inicio'), today), end: dayOr(params.get('fim'), today) },
    plant: plants.find(({ code }) => code === params.get('filial'))?.code ?? '',
    write: ({ period, plant }: PeriodAndPlant, own: Record<string, string | null>, { isStep } = { isStep: true }) =>
      (isStep ? push : replace)({ inicio: period.start, fim: period.end, filial: plant || null, ...own }),
  }
}

/** Filters of the report, kept in the address. Without any it is today's by machine: by day, one day is one line. */
export function useReportFilters(today: string) {
  const { params, period, plant, write } = usePeriodAndPlant(today)
  const filters: ReportFilters = {
    ...{ period, plant },
    grouping: groupings.find((grouping) => grouping === params.get('por')) ?? 'maquina',
    shift: askedShifts.find((shift) => shift === params.get('turno')) ?? null,
  }
  const change: FilterChange<ReportFilters> = (changed, options) => {
    // a period that is chosen takes the place of a shift
    const now = { ...filters, ...(changed.period && { shift: null }), ...changed }
    write(now, { por: now.grouping, turno: now.shift }, options)
  }
  return { filters, change }
}

/** `hasProcess`: with the pieces of set-ups and tests. */
export type ScrapFilters = PeriodAndPlant & { grouping: ScrapGrouping; stage: ScrapStage | ''; hasProcess: boolean }

/** Days that are shown until somebody chooses others. */
const SHOWN_DAYS = 30

const periodOr = (today: string, has: boolean, period: Period): Period =>
  has ? period : { start: addDays(today, 1 - SHOWN_DAYS), end: today }

/** As `useReportFilters`, of scrap: its reasons are seen over thirty days. */
export function useScrapFilters(today: string) {
  const { params, period, plant, write } = usePeriodAndPlant(today)
  const filters: ScrapFilters = {
    period: periodOr(today, params.has('inicio'), period),
    plant,
    grouping: scrapGroupings.find((grouping) => grouping === params.get('por')) ?? 'motivo',
    stage: scrapStages.find((stage) => stage === params.get('etapa')) ?? '',
    hasProcess: params.get('processo') === 'sim',
  }
  const change: FilterChange<ScrapFilters> = (changed, options) => {
    const now = { ...filters, ...changed }
    write(now, { por: now.grouping, etapa: now.stage || null, processo: now.hasProcess ? 'sim' : null }, options)
  }
  return { filters, change }
}

/** As `useReportFilters`, of containments. `period`: in which the closed ones were closed. */
export function useContainmentFilters(today: string) {
  const { params, period, plant, write } = usePeriodAndPlant(today)
  const filters = { period: periodOr(today, params.has('inicio'), period), plant }
  const change: FilterChange<PeriodAndPlant> = (changed, options) => write({ ...filters, ...changed }, {}, options)
  return { filters, change }
}
