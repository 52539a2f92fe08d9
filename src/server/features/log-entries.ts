import type { FastifyInstance } from 'fastify'
import { LOG_ENTRIES_DEFAULT, logEntries, logLevels, testTexts } from '../../contract/log-entries.ts'
import { bind } from '../http/bind.ts'
import { Refused } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import type { Reader } from '../store/db/db.ts'
import { deleteLogEntries, listLogEntries, type WordOf } from '../store/log-entries.ts'
import { listUsers } from '../store/users.ts'
import { recordAuditEvent } from '../upkeep/audit.ts'
import { textOf } from '../upkeep/log-texts.ts'

export function logEntryRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, logEntries.list, async ({ query }, call) => {
    const { minLevel = 'Info', startDate, endDate, maxCount = LOG_ENTRIES_DEFAULT, texto = '' } = query
    const from = startDate === undefined ? 0 : Date.parse(startDate)
    const to = endDate === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(endDate)
    if (from > to) throw new Refused('period_reversed')
    // what was logged in the last second
    await call.logKeeper.flush(call)
    const filter = { minLevel, from, to, text: texto, countMax: maxCount }
    return await listLogEntries(call.db.read, filter, await accessWords(call.db.read))
  })

  bind(app, context, logEntries.clear, async (_, call) => ({ removed: await clearLog(call) }))

  bind(app, context, logEntries.test, async (_, call) => {
    const { db, caller, logKeeper, budgets } = call
    budgets.take('logTestsOfPerson', caller.userId)
    await db.transaction((tx) => recordAuditEvent(tx, call, { action: 'log_tested', kind: 'log', id: '' }))
    // not by way of the server's own log: what watches that would raise an alarm
    for (const level of logLevels) {
      logKeeper.add({
        level,
        message: testTexts[level],
        error: null,
        detailsJson: JSON.stringify({ user: caller.username }),
      })
    }
    return { written: logLevels.length }
  })
}

const cameOrLeft = textOf('somebody came in or left')
const accessVerbs: Record<string, string | undefined> = {
  logged_in: 'entrou',
  logged_out: 'saiu',
  session_over: 'teve as sessões encerradas',
}
type Access = { access?: string; user?: string; userId?: number }

/** Says who came in or left. The stored line has id and log-in: a name that is taken out of the users stands in no line. */
async function accessWords(db: Reader): Promise<WordOf> {
  const names = new Map((await listUsers(db)).map(({ id, fullName }) => [id, fullName]))
  return (message, detailsJson) => {
    if (message !== cameOrLeft) return message
    const { access = '', user = '', userId = 0 } = JSON.parse(detailsJson ?? '{}') as Access
    const verb = accessVerbs[access]
    return verb === undefined ? message : `${names.get(userId) || user} ${verb}`
  }
}

/** The first new entry names who cleared the log. */
async function clearLog(call: Call): Promise<number> {
  const { db, caller, logKeeper } = call
  await logKeeper.flush(call)
  const removed = await db.transaction(async (tx) => {
    const count = await deleteLogEntries(tx)
    await recordAuditEvent(tx, call, { action: 'log_cleared', kind: 'log', id: '', details: { removed: count } })
    return count
  })
  const message = `Log limpo por ${caller.fullName || caller.username}`
  const detailsJson = JSON.stringify({ user: caller.username, removed })
  logKeeper.add({ level: 'Warning', message, error: null, detailsJson })
  await logKeeper.flush(call)
  return removed
}
