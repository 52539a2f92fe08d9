import { useSyncExternalStore } from 'react'
import { LEFT_COOKIE } from '../../contract/endpoint.ts'
import type { Session } from '../../contract/sessions.ts'
import { noteTouch } from './marks.ts'
import { dropFromDevice, makeListeners, readFromDevice, readJson, writeToDevice } from './store.ts'

const TOKEN = 'token'
const USER = 'user'
const BASIC = 'basicAuth'
const RETURN_URL = 'ltm-return-url'
const keys = [TOKEN, USER, BASIC, RETURN_URL]

const { tell: announce, subscribe } = makeListeners()

export function subscribeToCredentials(listener: () => void): () => void {
  const leave = subscribe(listener)
  const fromOtherTab = ({ key }: StorageEvent) => (key === null || key === TOKEN || key === USER) && listener()
  window.addEventListener('storage', fromOtherTab)
  return () => {
    leave()
    window.removeEventListener('storage', fromOtherTab)
  }
}

let parsed: { raw: string; user: Session | null } = { raw: '', user: null }

/**
 * The session on this device; null unless token and user are both there. Says nothing about expiry. Kept in local
 * storage, so that every tab sees the same one.
 */
export function currentUser(): Session | null {
  const raw = localStorage.getItem(USER)
  if (!raw || !localStorage.getItem(TOKEN)) return null
  if (raw !== parsed.raw) parsed = { raw, user: parseUser(raw) }
  return parsed.user
}

function parseUser(raw: string): Session | null {
  const user = readJson(raw) as Partial<Session> | null
  return typeof user?.username === 'string' && typeof user.expiresAt === 'string' ? (user as Session) : null
}

export const useUser = (): Session | null => useSyncExternalStore(subscribeToCredentials, currentUser)

export const currentToken = (): string | null => localStorage.getItem(TOKEN)
export const currentBasic = (): string | null => localStorage.getItem(BASIC)

/** `btoa` knows Latin-1 only; names here carry more than that. */
export const basicOf = (username: string, token: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(`${username}:${token}`)))

/** Keeps a session but for `wrongPins`, which is told once. */
export function keepCredentials({ wrongPins: _, ...user }: Session): void {
  markAsLeft(false)
  // whoever logs in is there
  if (!currentUser()) noteTouch()
  localStorage.setItem(TOKEN, user.token)
  localStorage.setItem(BASIC, basicOf(user.username, user.token))
  localStorage.setItem(USER, JSON.stringify(user))
  announce()
}

/** Nothing else in local storage is touched: recordings that wait for delivery must outlive a log-out. */
export function forgetCredentials({ comeBack }: { comeBack: boolean }): void {
  for (const key of keys) localStorage.removeItem(key)
  if (comeBack) keepReturnUrl(window.location.pathname + window.location.search)
  announce()
}

/** As above, where a person or an untouched device ends the session: the server hears of it as soon as it can. */
export function leaveSession({ comeBack }: { comeBack: boolean }): void {
  const secret = currentUser()?.logoutSecret
  // a session of a version before has none
  if (secret) storeLogouts([...untoldLogouts(), secret])
  markAsLeft(true)
  forgetCredentials({ comeBack })
}

export const keepReturnUrl = (url: string): void => localStorage.setItem(RETURN_URL, url)

export function takeReturnUrl(): string | null {
  const url = localStorage.getItem(RETURN_URL)
  localStorage.removeItem(RETURN_URL)
  return url
}

/** Forgets what a session has left on this device: at log-out, when it is revoked or over, and when somebody else logs in. */
export function forgetWithSession(forget: () => Promise<void>): void {
  let username = currentUser()?.username
  if (username === undefined) void forget()
  subscribeToCredentials(() => {
    if (currentUser()?.username === username) return
    username = currentUser()?.username
    void forget()
  })
}

const LOGOUTS = 'saidas'

/**
 * Log-outs that no server has heard yet: the session's cookie is out of this page's reach. What is stored of each can end its session
 * and nothing else.
 */
export function untoldLogouts(): readonly string[] {
  const stored = readJson(readFromDevice(LOGOUTS))
  return Array.isArray(stored) ? stored.filter((secret) => typeof secret === 'string') : []
}

function storeLogouts(secrets: readonly string[]): void {
  if (secrets.length === 0) dropFromDevice(LOGOUTS)
  else writeToDevice(LOGOUTS, JSON.stringify(secrets))
}

export const dropLogout = (secret: string): void => storeLogouts(untoldLogouts().filter((one) => one !== secret))

const YEAR_S = 31_536_000

/** With this mark the server takes no call of this browser by the session's cookie alone. */
function markAsLeft(hasLeft: boolean): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the newer way needs HTTPS, which a plant's network may lack
  document.cookie = `${LEFT_COOKIE}=1; Path=/; SameSite=Strict; Max-Age=${hasLeft ? YEAR_S : 0}`
}
