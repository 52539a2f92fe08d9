import type { Input } from '../../contract/endpoint.ts'
import { firstAccess } from '../../contract/first-access.ts'
import { type Session, sessions } from '../../contract/sessions.ts'
import { serverNow } from '../device/clock.ts'
import {
  currentToken,
  currentUser,
  forgetCredentials,
  keepCredentials,
  leaveSession,
  subscribeToCredentials,
} from '../device/credentials.ts'
import { alone } from '../device/locks.ts'
import { preferences } from '../device/preferences.ts'
import { keepStorage } from '../device/store.ts'
import { call, isEndOfSession, tellLogouts } from './api.ts'

export const EXPIRING_SOON_MS = 30 * 60_000
const RETRY_MS = 60_000

export async function login(username: string, password: string): Promise<Session> {
  const session = await call(sessions.login, {
    body: { username, password, deviceName: preferences().deviceName },
  })
  keepCredentials(session)
  void keepStorage()
  return session
}

/** Creates the first administrator, who is logged in then. */
export async function beginFirstAccess(
  typed: Omit<Input<typeof firstAccess.begin>['body'], 'deviceName'>,
): Promise<void> {
  keepCredentials(await call(firstAccess.begin, { body: { ...typed, deviceName: preferences().deviceName } }))
  void keepStorage()
}

/** `comeBack`: whoever logs in next begins where this one was. */
export function logout({ comeBack = false } = {}): void {
  // The call takes its header with it before the credentials go; that it may fail must not keep anybody in.
  if (!currentUser()?.logoutSecret) call(sessions.logout, { body: {} }).catch(() => undefined)
  leaveSession({ comeBack })
  void sayLogouts()
}

const SAY_EVERY_MS = 5000

/** A log-out that no server has heard is told before anything else, also where nothing else is asked. */
const sayLogouts = (): Promise<void> => tellLogouts().catch(() => undefined)

function watchLogouts(): void {
  const say = () => void sayLogouts()
  window.addEventListener('online', say)
  setInterval(say, SAY_EVERY_MS)
}

/** Asks the server whether the session still holds. A 401 ends it (see `call`); no answer changes nothing. */
export async function validate(): Promise<void> {
  const before = currentUser()
  if (!before) return
  try {
    const { valid: _, ...known } = await call(sessions.validate, { body: {} })
    const now = currentUser()
    // Another tab may have changed the session while this call was under way.
    if (now?.token === before.token) keepCredentials({ ...now, ...known })
  } catch {
    // Ended above, or unknown: a server that is away logs nobody out.
  }
}

const msLeft = () => {
  const user = currentUser()
  return user ? Date.parse(user.expiresAt) - serverNow() : Number.POSITIVE_INFINITY
}

/**
 * Before the first screen. A session that looks expired is only believed so once the server has told the time: the
 * clock of a tablet may be days ahead.
 */
export async function restoreSession(): Promise<void> {
  const user = currentUser()
  if (!user) {
    if (currentToken()) forgetCredentials({ comeBack: false })
    return
  }
  const validation = validate()
  if (msLeft() <= 0) await validation
}

/** One tab at a time, where the browser can say so; the server bears with two. */
async function refresh(): Promise<void> {
  await alone('session-refresh', async () => {
    const before = currentUser()
    if (!before || msLeft() > EXPIRING_SOON_MS) return
    try {
      const renewed = await call(sessions.refresh, { body: {} })
      if (currentUser()?.token === before.token) keepCredentials(renewed)
    } catch (error) {
      if (isEndOfSession(error) && currentUser()?.token === before.token) forgetCredentials({ comeBack: true })
    }
  })
}

/** Keeps the session alive while the page is open: validates on focus, refreshes when under 30 minutes remain. */
export function watchSession(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let nextTryAt = 0
  const schedule = () => {
    clearTimeout(timer)
    if (!currentUser()) return
    const waitMs = Math.max(nextTryAt - performance.now(), msLeft() - EXPIRING_SOON_MS)
    // A longer wait than 2^31 ms would fire at once.
    timer = setTimeout(() => void renewWhenDue(), Math.min(waitMs, 2 ** 31 - 1))
  }
  const renewWhenDue = async () => {
    nextTryAt = performance.now() + RETRY_MS
    await refresh()
    schedule()
  }
  subscribeToCredentials(schedule)
  window.addEventListener('focus', () => void validate())
  schedule()
  watchLogouts()
}
