import type { Endpoint, Reply } from '../../contract/endpoint.ts'
import { makeStore } from '../device/store.ts'
import { ApiError, call } from '../server/api.ts'

type Answer = (isConfirmed: boolean) => void

const asked = makeStore<readonly Answer[]>([])

/** Whether a call waits for the password. */
export const useIsPasswordAsked = (): boolean => asked.use().length > 0

export function answerPasswordAsked(isConfirmed: boolean): void {
  const answers = asked.get()
  asked.set([])
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
    if (!(await new Promise<boolean>((resolve) => asked.set([...asked.get(), resolve])))) throw error
    return await call(endpoint, parts)
  }
}
