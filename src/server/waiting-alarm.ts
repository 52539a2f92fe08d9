import { WAITING_ALARM_MS } from '../contract/settings.ts'
import type { Context } from './context.ts'
import { findOldestOpenAt } from './store/outbox.ts'

/** Says once in the log that a recording has been waiting for the ERP too long, and again only after none was. */
export function openWaitingAlarm({ db, now, log }: Pick<Context, 'db' | 'now' | 'log'>): () => Promise<void> {
  let isOn = false
  return async () => {
    const oldestAt = await findOldestOpenAt(db.read)
    const isLate = oldestAt !== null && now() - oldestAt > WAITING_ALARM_MS
    if (isLate && !isOn) {
      const waitingMinutes = Math.floor((now() - oldestAt) / 60_000)
      log.error({ waitingMinutes }, 'a recording has been waiting for the ERP for more than 15 minutes')
    }
    isOn = isLate
  }
}
