import { refusals } from '../../../contract/errors.ts'
import { stations } from '../../../contract/stations.ts'
import { badgeWithin } from '../../../domain/text/badge-texts.ts'
import { makeStore } from '../../device/store.ts'
import { showToast } from '../../device/toasts.ts'
import { ApiError, call, errorText, isServerSilent } from '../../server/api.ts'
import { playSound } from './sounds.ts'

export const NO_NETWORK = 'Sem rede: a troca precisa do servidor.'

/** Somebody wants to work here in the place of whoever does; null: nobody does. Without a code the badge is still to be read. */
const change = makeStore<{ code: string | null } | null>(null)

export const useOperatorChange = change.use
export const endOperatorChange = (): void => change.set(null)

/** Opens the dialog of 'Trocar operador', before any badge was read. */
export const beginOperatorChange = (): void => change.set({ code: null })

function refuse(text: string): void {
  playSound('bad')
  showToast({ kind: 'error', text })
}

/** Opens the question for the PIN of a badge that was read, where badges hold. */
export async function readBadge(code: string): Promise<void> {
  if (isServerSilent()) return refuse(NO_NETWORK)
  try {
    const { isShared } = await call(stations.current, {})
    if (!isShared) return refuse(refusals.badge_elsewhere.message)
    playSound('good')
    change.set({ code: code.trim() })
  } catch (error) {
    refuse(error instanceof ApiError ? errorText(error) : NO_NETWORK)
  }
}

/** A badge typed where something is searched for. True: it was one, and nobody is asked for it. */
export function takeTypedBadge(typed: string): boolean {
  const badge = badgeWithin(typed)
  if (badge !== null) void readBadge(badge)
  return badge !== null
}
