import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { serverIsThere } from '../acts/sender.ts'
import { STATUS_POLL_MS, statusQuery } from '../server/status.ts'

/** Asks as long as the page is in sight, whether or not it shows the answer: live changes and the queue hang on it. */
export function useServerStatus(): void {
  const { data, isError } = useQuery({
    ...statusQuery,
    refetchInterval: STATUS_POLL_MS,
    refetchOnWindowFocus: 'always',
  })
  const isThere = data !== undefined && !isError && data.database !== 'offline'
  const epoch = data?.epoch ?? null
  useEffect(() => {
    if (isThere) void serverIsThere(epoch)
  }, [isThere, epoch])
}
