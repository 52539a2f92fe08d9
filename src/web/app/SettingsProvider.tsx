import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useUser } from '../device/credentials.ts'
import { readCachedSettings, SettingsContext, settingsQuery, unanswered } from '../parts/settings.ts'

/** Reads the settings for all of the page, and again as they change. */
export function SettingsProvider({ children }: { children: ReactNode }) {
  // a session that ends takes all readings with it, and the one that begins observes its own
  const user = useUser()
  const { data: answered } = useQuery({
    ...settingsQuery,
    enabled: user !== null,
    staleTime: 5 * 60_000,
    initialData: readCachedSettings,
    initialDataUpdatedAt: 0,
  })
  // a server of the version before leaves out what is new
  const now = useMemo(() => ({ ...unanswered, ...answered }), [answered])
  return <SettingsContext value={now}>{children}</SettingsContext>
}
