import { deviceNow, lastAnswerAt } from './clock.ts'
import { logFailure } from './log.ts'
import { scriptUrl } from './script-urls.ts'
import { writeToTab } from './store.ts'

/** A new version of the panel reaches open pages by itself: its service worker takes over, then the page reloads once. */

const WORKER = '/sw.js'
const CHECK_MS = 30 * 60_000
const AGAIN_MS = 5000
export const ANNOUNCED_MS = 2000
const ANSWERED_MS = 500
const TOUCHED_MS = 3000
const LOOP_MS = 30_000
const RELOADED_AT = 'updateReloadedAt'

export function startUpdates(): void {
  const { serviceWorker } = navigator as Partial<Navigator>
  // Plain HTTP addresses have none.
  if (!serviceWorker) return
  watchHands()
  let isControlled = serviceWorker.controller !== null
  serviceWorker.addEventListener('controllerchange', () => {
    // The first worker on this device takes over a page of its own version.
    if (isControlled) reloadWhenQuiet()
    isControlled = true
  })
  serviceWorker.addEventListener('message', ({ data: message }: MessageEvent<{ type?: unknown } | null>) => {
    if (message?.type === 'UPDATE_AVAILABLE') setTimeout(reloadWhenQuiet, ANNOUNCED_MS)
  })
  // Until then its downloads would only hold up the page's own.
  if (document.readyState === 'complete') void register()
  else window.addEventListener('load', () => void register())
  setInterval(() => void lookForVersion(), CHECK_MS)
}

async function register(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.register(scriptUrl('service-worker', WORKER))
    if (!registration) return
    const { installing, waiting, active } = registration
    watchInstallation(installing)
    // it may have failed before anybody could watch it
    if (!installing && !waiting && !active) lookAgain()
  } catch (error) {
    logFailure('Service worker', error)
    lookAgain()
  }
}

/** A panel stays open for weeks. Whoever installs a new version stops the server, so its coming back is worth a look. */
export async function lookForVersion(): Promise<void> {
  clearTimeout(again)
  try {
    const registration = await navigator.serviceWorker?.getRegistration()
    // a browser forgets one whose first download was cut short
    if (!registration) return await register()
    await registration.update()
    watchInstallation(registration.installing)
  } catch {
    lookAgain()
  }
}

let again: ReturnType<typeof setTimeout> | undefined
let failures = 0

/** A download cut short, or files of two versions while a server is being updated, leaves the worker unusable. */
function watchInstallation(worker: ServiceWorker | null): void {
  worker?.addEventListener('statechange', () => {
    if (worker.state === 'redundant') lookAgain()
    if (worker.state === 'activated') failures = 0
  })
}

/** Sooner than by the clock, and less often with each failure in a row. */
function lookAgain(): void {
  again = setTimeout(() => void lookForVersion(), Math.min(CHECK_MS, AGAIN_MS * 2 ** failures++))
}

let lastTouchAt = Number.NEGATIVE_INFINITY

function watchHands(): void {
  const touched = () => {
    lastTouchAt = performance.now()
  }
  for (const event of ['keydown', 'pointerdown']) window.addEventListener(event, touched, { capture: true })
}

/** No dialog open (it keeps no draft), no answer awaited or just come, and nobody in the middle of typing. */
function isQuiet(): boolean {
  const now = performance.now()
  const isDialogOpen = document.querySelector('[role=dialog], [role=alertdialog]') !== null
  return !isDialogOpen && now - lastAnswerAt() >= ANSWERED_MS && now - lastTouchAt >= TOUCHED_MS
}

let isReloadDue = false

/** Reloads at a quiet moment. Typed forms survive: drafts are kept as they are typed. */
function reloadWhenQuiet(): void {
  if (isReloadDue || hasJustReloaded()) return
  isReloadDue = true
  const reload = () => {
    if (!isQuiet()) return
    clearInterval(timer)
    // a full storage costs the protection against circles, not the new version
    writeToTab(RELOADED_AT, deviceNow())
    window.location.reload()
  }
  const timer = setInterval(reload, 100)
  reload()
}

/** Two servers with different versions behind one address would else send a page round in circles. */
function hasJustReloaded(): boolean {
  const reloadedMsAgo = deviceNow() - Number(sessionStorage.getItem(RELOADED_AT))
  return reloadedMsAgo >= 0 && reloadedMsAgo < LOOP_MS
}
