import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ProductionReport, productionReports } from '../../../contract/production-reports.ts'
import { isReversed } from '../../../domain/periods.ts'
import { toInstant } from '../../../domain/plant-time.ts'
import { serverNow } from '../../device/clock.ts'
import { call } from '../../server/api.ts'
import { query } from '../../server/query.ts'
import type { ReportFilters } from './filters.ts'

/** With what it was asked for: the last one stays on screen until the next has come. */
export type ShownReport = { filters: ReportFilters; report: ProductionReport; readAt: string }

const REREAD_MS = 60_000

function reportQuery(filters: ReportFilters) {
  const { period, grouping, plant } = filters
  const asked = { inicio: period.start, fim: period.end, por: grouping, ...(plant === '' ? {} : { filial: plant }) }
  const read = async (signal: AbortSignal): Promise<ShownReport> => {
    const report = await call(productionReports.get, { query: asked }, { signal })
    return { filters, report, readAt: toInstant(serverNow()) }
  }
  return query(productionReports.get, { query: asked }, { read })
}

/** A period that is not over yet is read again by itself. */
export const useReport = (filters: ReportFilters, today: string) =>
  useQuery({
    ...reportQuery(filters),
    placeholderData: keepPreviousData,
    enabled: !isReversed(filters.period),
    refetchInterval: filters.period.end >= today ? REREAD_MS : false,
  })
