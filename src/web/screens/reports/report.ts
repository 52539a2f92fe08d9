import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Grouping, productionReports } from '../../../contract/production-reports.ts'
import { call } from '../../api.ts'

/** Days of the plant; an empty plant stands for all of them. */
export type ReportFilters = { start: string; end: string; grouping: Grouping; plant: string }

export const useReport = ({ start, end, grouping, plant }: ReportFilters) =>
  useQuery({
    queryKey: ['production-reports', start, end, grouping, plant],
    queryFn: ({ signal }) => {
      const query = { inicio: start, fim: end, por: grouping, ...(plant === '' ? {} : { filial: plant }) }
      return call(productionReports.get, { query }, { signal })
    },
    placeholderData: keepPreviousData,
  })
