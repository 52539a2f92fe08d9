import { isPaused, noRefusals, withRefusal } from '../../domain/people/login-pauses.ts'
import { DirectoryAway } from '../http/entrance.ts'

export type ServiceAccount = {
  /** Resolves once the account is in. Throws DirectoryAway, also without a try while tries are paused. */
  bind(attempt: () => Promise<void>): Promise<void>
  access(): 'ok' | 'refused' | 'unknown'
}

/** The directory counts wrong passwords of the service account too, and locks it after a few. */
export function openServiceAccount(now: () => number): ServiceAccount {
  let refusals = noRefusals
  let isKnown = false
  /** Others that come meanwhile wait for how it ends: a wrong password is tried once by all of them together. */
  let first: Promise<void> | null = null

  const admit = () => {
    if (isPaused(refusals, now())) throw new DirectoryAway('paused', 'the service account was refused a moment ago')
  }

  async function tried(attempt: () => Promise<void>): Promise<void> {
    try {
      await attempt()
      refusals = noRefusals
      isKnown = true
    } catch (error) {
      const isRefused = error instanceof DirectoryAway && error.fault === 'account'
      if (isRefused) {
        refusals = withRefusal(refusals, now())
        isKnown = true
      }
      throw error
    }
  }

  return {
    async bind(attempt) {
      if (first !== null) {
        await first
        return await tried(attempt)
      }
      admit()
      first = tried(attempt)
      try {
        await first
      } finally {
        first = null
      }
    },
    access() {
      if (!isKnown) return 'unknown'
      return refusals.count === 0 ? 'ok' : 'refused'
    },
  }
}
