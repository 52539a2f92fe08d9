import type { Session } from '../../../contract/sessions.ts'
import { settings } from '../../../contract/settings.ts'
import { showToast } from '../../device/toasts.ts'
import { call } from '../../server/api.ts'
import { formatCount, formatRecentInstant } from '../../text/format.ts'
import { readCachedSettings } from '../settings.ts'

/** Tells the owner of a badge, at log-in, that somebody has guessed at its PIN. */
export async function tellWrongPins({ wrongPins }: Session): Promise<void> {
  if (!wrongPins) return
  const { count, since } = wrongPins
  // the log-in knows no settings yet
  const atDevice = () => readCachedSettings() ?? new Intl.DateTimeFormat().resolvedOptions()
  const { timeZone } = await call(settings.get, {}).catch(atDevice)
  const pins = count === 1 ? '1 PIN errado' : `${formatCount(count)} PINs errados`
  const text = `${pins} no seu crachá desde ${formatRecentInstant(since, timeZone)}. Se não foi você, peça outro crachá.`
  showToast({ kind: 'warning', text, stays: true })
}
