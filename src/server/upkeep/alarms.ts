import { WAITING_ALARM_MS } from '../../contract/settings.ts'
import type { Outside } from '../outside.ts'
import { findOldestOpenAt } from '../store/outbox.ts'
import { findOldestRetainedAt } from '../store/retained-deliveries.ts'

const RETAINED_ALARM_MS = 60 * 60_000

type Log = Outside['log']

/** What waits too long: for the ERP, or for an admin. */
const alarms = [
  {
    oldestAt: findOldestOpenAt,
    afterMs: WAITING_ALARM_MS,
    say: (log: Log, since: object) =>
      log.error(since, 'a recording has been waiting for the ERP for more than 15 minutes'),
  },
  {
    oldestAt: findOldestRetainedAt,
    afterMs: RETAINED_ALARM_MS,
    say: (log: Log, since: object) =>
      log.error(since, 'a retained recording has been waiting for an admin for more than an hour'),
  },
]

/** Says each once in the log, and again only after nothing waited too long. */
export function openWaitingAlarm({ db, now, log }: Pick<Outside, 'db' | 'now' | 'log'>): () => Promise<void> {
  const on = new Set<object>()
  return async () => {
    for (const alarm of alarms) {
      const at = await alarm.oldestAt(db.read)
      const isLate = at !== null && now() - at > alarm.afterMs
      if (isLate && !on.has(alarm)) alarm.say(log, { waitingMinutes: Math.floor((now() - at) / 60_000) })
      if (isLate) on.add(alarm)
      else on.delete(alarm)
    }
  }
}
