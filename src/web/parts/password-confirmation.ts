import { useSyncExternalStore } from 'react'
import type { Endpoint, Reply } from '../../contract/endpoint.ts'
import { ApiError, call } from '../server/api.ts'

type Answer = (isConfirmed: boolean) => void

let asked: readonly Answer[] = []
const listeners = new Set<() => void>()

const set = (next: readonly Answer[]) => {
  asked = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
/** Whether a call waits for the password. */
export const useIsPasswordAsked = (): boolean => useSyncExternalStore(subscribe, () => asked.length > 0)

export function answerPasswordAsked(isConfirmed: boolean): void {
  const answers = asked
  set([])
  for (const answer of answers) answer(isConfirmed)
}

/**
 * As `call`, where the server may ask for the password again: `PasswordConfirmation` asks for it, and the call is
 * repeated. Given up it fails with what the server said.
 */
export async function callConfirmed<E extends Endpoint>(
  endpoint: E,
  parts: Parameters<typeof call<E>>[1],
): Promise<Reply<E>> {
  try {
    return await call(endpoint, parts)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'password_needed')) throw error
    if (!(await new Promise<boolean>((resolve) => set([...asked, resolve])))) throw error
    return await call(endpoint, parts)
  }
}
