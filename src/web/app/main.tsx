import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { startSender } from '../acts/sender.ts'
import { watchCachedDocuments } from '../device/cached-documents.ts'
import { watchCachedSearches } from '../device/cached-searches.ts'
import { currentUser, subscribeToCredentials } from '../device/credentials.ts'
import { deferred } from '../device/deferred.ts'
import { logFailure } from '../device/log.ts'
import { nextTurn } from '../device/turns.ts'
import { lookForVersion, startUpdates } from '../device/updates.ts'
import { lockZoom } from '../device/zoom.ts'
import { startScanner } from '../parts/scanner/useScanner.ts'
import { ApiError } from '../server/api.ts'
import { startLive } from '../server/live.ts'
import { validate, watchSession } from '../server/session.ts'
import { links } from '../text/links.ts'
import { fetchFont } from './font.ts'
import { router } from './routes.tsx'
import { SettingsProvider } from './SettingsProvider.tsx'

/** Any reading may be the first to hear that the session is over; validating says so for good, and logs out. */
const onError = (error: Error) => {
  if (error instanceof ApiError && error.status === 401) void validate()
}

/** A session has three readings of the ERP at a time: what comes when all are taken has its turn soon. */
const TURN_MS = 2000
const TURNS_MAX = 10
const isTooMany = (turns: number, error: Error) =>
  error instanceof ApiError && error.code === 'too_many_searches' && turns < TURNS_MAX

const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  defaultOptions: {
    // The server is in the plant: whether the browser believes to be online says nothing about it.
    queries: { networkMode: 'always', retry: isTooMany, retryDelay: TURN_MS, refetchOnWindowFocus: false },
  },
})

let username = currentUser()?.username
subscribeToCredentials(() => {
  const user = currentUser()
  if (user?.username === username) return
  username = user?.username
  // A person's answers must not flash up for the next one. Without a session the screen is left first: it would ask for them again.
  if (user) void queries.resetQueries()
  else void router.navigate({ to: links.login, replace: true }).finally(() => queries.clear())
})

/** Nothing is lost from the page in its first moment. */
const focusKeeper = deferred(async () => (await import('./lost-focus.ts')).keepFocus, { warm: ['soon'] })

/** The panel, once it is known whose session this is. `keys`: pressed until then. */
export async function startApp(keys: readonly KeyboardEvent[]): Promise<void> {
  startUpdates()
  startScanner(keys)
  lockZoom()
  void focusKeeper.load().then(
    (keepFocus) => keepFocus(),
    () => undefined,
  )
  watchCachedDocuments()
  watchCachedSearches()
  watchSession()
  startSender(queries)
  startLive(queries, () => void lookForVersion())
  await nextTurn()
  // With the screen at hand it is drawn at once, in slices that let a tablet react in between.
  await router.load()
  await nextTurn()
  const onBroken = (error: unknown) => logFailure('Tela interrompida por um erro', error)
  const root = createRoot(document.getElementById('root')!, { onCaughtError: onBroken, onUncaughtError: onBroken })
  startTransition(() =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={queries}>
          <SettingsProvider>
            <RouterProvider router={router} />
          </SettingsProvider>
        </QueryClientProvider>
      </StrictMode>,
    ),
  )
  fetchFont()
}
