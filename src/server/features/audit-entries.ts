import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { AUDIT_ENTRIES_MAX, auditEntries, auditGroups, QUALITY_GROUP } from '../../contract/audit-entries.ts'
import type { Input } from '../../contract/endpoint.ts'
import { auditColumns, auditFileName, isExportWritten } from '../../domain/people/audit-entries.ts'
import { isAllowed } from '../../domain/people/permissions.ts'
import { MINUTE_MS, plantDay } from '../../domain/plant/plant-time.ts'
import { csvPages } from '../../domain/text/csv.ts'
import { bind } from '../http/bind.ts'
import { Answer, Refused } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import { type AuditFilter, listAuditEntries, readAuditEntries } from '../store/audit-entries.ts'
import { beginExport, notePageExport } from '../upkeep/audit.ts'

type Query = Input<typeof auditEntries.csv>['query']

function filterOf({ inicio, fim, tipo, texto = '' }: Query): AuditFilter {
  const from = inicio === undefined ? 0 : Date.parse(inicio)
  const to = fim === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(fim)
  if (from > to) throw new Refused('period_reversed')
  const table = tipo === 'acessos' ? 'accesses' : 'audit_entries'
  return { table, from, to, text: texto, actions: tipo ? auditGroups[tipo] : [] }
}

/** Quality reads what was done to plans, samples and instruments, and nothing else of the trail. */
function requireGroup({ tipo }: Query, caller: Call['caller']): void {
  if (tipo !== QUALITY_GROUP && !isAllowed(caller.role, 'administer')) throw new Refused('not_allowed', { caller })
}

export function auditEntryRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, auditEntries.list, ({ query }, { db, caller }) => {
    requireGroup(query, caller)
    return listAuditEntries(db.read, filterOf(query), AUDIT_ENTRIES_MAX)
  })

  bind(app, context, auditEntries.csv, async ({ query }, call) => {
    const { db, now, config, caller } = call
    requireGroup(query, caller)
    const filter = filterOf(query)
    const name = auditFileName(plantDay(now(), config.timeZone))
    await beginExport(call, name)
    return Readable.from(csvPages(auditColumns(config.timeZone), readAuditEntries(db.read, filter)))
  })

  /** By user and kind, of the minute in which the last one came. */
  const counts = new Map<string, { minute: number; count: number }>()
  bind(app, context, auditEntries.noteExport, async ({ body: { tipo } }, call) => {
    const key = `${call.caller.userId} ${tipo}`
    const minute = Math.floor(call.now() / MINUTE_MS)
    const before = counts.get(key)
    const count = before?.minute === minute ? before.count + 1 : 1
    counts.set(key, { minute, count })
    if (isExportWritten(count)) await notePageExport(call, tipo, count)
    return new Answer(201, { tipo })
  })
}
