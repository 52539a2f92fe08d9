import type { Call } from './http.ts'
import { findUserByPassword } from './login.ts'
import { Refused } from './refused.ts'
import { getPasswordAt, updatePasswordAt } from './store/password-confirmations.ts'

/** So long a session may do, after its password was typed, what a stranger at an open tablet must not. */
export const CONFIRMED_MS = 5 * 60_000

/** Refuses where the password was typed too long ago. Where it came with the call itself there is no session. */
export async function requireConfirmation({ caller, db, now }: Pick<Call, 'caller' | 'db' | 'now'>): Promise<void> {
  if (caller.sessionId === null) return
  const sinceMs = now() - (await getPasswordAt(db.read, caller.sessionId))
  // a clock that was put back proves nothing
  if (Math.abs(sinceMs) > CONFIRMED_MS) throw new Refused('password_needed')
}

/** Takes its turn with the tries of the entrance, and is counted with them. */
export async function confirmPassword(password: string, call: Call): Promise<void> {
  const { username, sessionId } = call.caller
  const user = await findUserByPassword({ username, password }, call.request, call)
  if (!user) throw new Refused('current_password_wrong')
  if (sessionId !== null) await call.db.transaction((tx) => updatePasswordAt(tx, sessionId, call.now()))
}
