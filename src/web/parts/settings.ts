import { useQuery } from '@tanstack/react-query'
import { settingsReading } from '../server/first-readings.ts'

/** What an installation says of itself when nothing was configured; shown until the server has answered. */
const unanswered = {
  siteName: 'Unidade 1',
  plants: [
    { code: '010101', label: 'Unidade 1' },
    { code: '020101', label: 'Unidade 2' },
  ],
  timeZone: 'America/Sao_Paulo',
  forceUnit: '',
  limitWarningPercent: 80,
  idleMinutes: 0,
  confirmsByQuantity: false,
}

export function useSettings() {
  const { data: answered } = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => settingsReading.take(signal),
    staleTime: 5 * 60_000,
  })
  return answered ?? unanswered
}
