import { deviceNow } from './clock.ts'
import { logFailure } from './log.ts'
import { makeStore, writeToDevice } from './store.ts'

/** Becoming an app of this device, where the browser offers it. */

const DISMISSED_AT = 'installBannerDismissed'
export const BANNER_AFTER_MS = 3000
const SNOOZE_MS = 7 * 24 * 60 * 60_000

/** The browser's event of an installation offer; the platform's own types do not know it yet. It can be used once. */
type InstallPrompt = Event & { prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }> }

type Offer = { canInstall: boolean; isBannerDue: boolean }
const none: Offer = { canInstall: false, isBannerDue: false }

let prompt: InstallPrompt | null = null
const offer = makeStore(none)
let timer: ReturnType<typeof setTimeout> | undefined

export const isInstalled = (): boolean =>
  window.matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: unknown }).standalone === true

/** How long a banner that was dismissed at this time is still unwanted. A time that has not come yet is a clock set back. */
export function snoozeLeftMs(dismissedAt: string | null, now: number): number {
  const since = now - Number.parseInt(dismissedAt ?? '', 10)
  return since >= 0 && since < SNOOZE_MS ? SNOOZE_MS - since : 0
}

function showBannerLater(): void {
  clearTimeout(timer)
  const snoozedMs = snoozeLeftMs(localStorage.getItem(DISMISSED_AT), deviceNow())
  timer = setTimeout(
    () => {
      if (!isInstalled()) offer.set({ ...offer.get(), isBannerDue: true })
    },
    Math.max(BANNER_AFTER_MS, snoozedMs),
  )
}

function withdraw(): void {
  clearTimeout(timer)
  prompt = null
  offer.set(none)
}

/** The browser may offer it before the first screen is there, and says so once. */
export function watchInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    // Else the browser puts up a banner of its own.
    event.preventDefault()
    if (isInstalled()) return
    prompt = event as InstallPrompt
    offer.set({ ...offer.get(), canInstall: true })
    showBannerLater()
  })
  window.addEventListener('appinstalled', () => {
    withdraw()
    notify().catch((error) => logFailure('Instalação', error))
  })
}

export async function install(): Promise<void> {
  const offered = prompt
  withdraw()
  try {
    const answer = await offered?.prompt()
    if (answer?.outcome === 'dismissed') noteDismissal()
  } catch (error) {
    logFailure('Instalação', error)
  }
}

export function dismissBanner(): void {
  offer.set({ ...offer.get(), isBannerDue: false })
  if (noteDismissal()) showBannerLater()
}

/** False where it could not be kept: the banner stays away until the page is loaded again. */
const noteDismissal = (): boolean => writeToDevice(DISMISSED_AT, String(deviceNow()))

async function notify(): Promise<void> {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  // Not by `new Notification`, which Android does not know.
  const worker = await navigator.serviceWorker?.ready
  await worker?.showNotification('Painel Industrial instalado', {
    body: 'O aplicativo já pode ser aberto pelo ícone.',
    icon: '/icons/icon-192.png',
    lang: 'pt-BR',
    tag: 'instalado',
  })
}

/** `canInstall`: `install` would ask. */
export const useInstallOffer = (): Offer => offer.use()
