import { PAGE_ID_META } from '../../contract/settings.ts'
import { readFromTab, writeToTab } from './store.ts'

/** Id of this very page; null in one that no build has named. */
export const findPageId = (): string | null =>
  document.querySelector<HTMLMetaElement>(`meta[name="${PAGE_ID_META}"]`)?.content ?? null

/** For how long the server is given to say that it has the page. */
const ANSWER_MS = 5000

/** Null: the server does not answer, or has none. */
const fetchPage = () =>
  fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) })
    .then((answer) => (answer.ok ? answer.text() : null))
    .catch(() => null)

/**
 * Resolves to false where there is nothing to reload yet: without a server the page that a reload leads to would be the
 * browser's own, which knows nothing of what waits here.
 */
export async function reloadOnceThere(): Promise<boolean> {
  // A service worker has it, whatever the server does.
  const isThere = Boolean(navigator.serviceWorker?.controller) || (await fetchPage()) !== null
  if (isThere) window.location.reload()
  return isThere
}

const pageIdIn = (page: string) => new RegExp(`<meta name="${PAGE_ID_META}" content="([^"]*)"`).exec(page)?.[1]

/** The page stays until the next one has come, and more of its scripts may fail meanwhile. */
let isReloading = false

/**
 * Reloads for the page of another version, which has its own files; what is typed is in drafts. Once for each failure: two
 * servers with different versions behind one address would else send a page round in circles.
 */
export async function reloadIfReplaced(failure: unknown): Promise<boolean> {
  const key = `reloadedFor: ${String(failure)}`
  if (readFromTab(key) !== null) return false
  const id = pageIdIn((await fetchPage()) ?? '')
  if (!id || id === findPageId()) return false
  writeToTab(key, true)
  if (!isReloading) window.location.reload()
  isReloading = true
  return true
}
