/** For how long the server is given to say that it has the page. */
const ANSWER_MS = 5000

/** Without a server the page that a reload leads to would be the browser's own, which knows nothing of what waits here. */
export async function hasPage(): Promise<boolean> {
  // A service worker has it, whatever the server does.
  if (navigator.serviceWorker?.controller) return true
  const answer = await fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => null)
  return answer?.ok ?? false
}

/** Resolves to false where there is nothing to reload yet. */
export async function reloadOnceThere(): Promise<boolean> {
  const isThere = await hasPage()
  if (isThere) window.location.reload()
  return isThere
}
