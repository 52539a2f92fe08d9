import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { PLAN_FINDINGS_LISTED_MAX, type PlanFinding, planFindings } from '../../contract/releases.ts'
import { momentTextOf } from '../../domain/plant/plant-time.ts'
import { countByDay } from '../../domain/quality/occurrences.ts'
import { findingColumns, findingsFileName } from '../../domain/quality/plan-gate.ts'
import { csvOf } from '../../domain/text/csv.ts'
import { bind } from '../http/bind.ts'
import { Refused } from '../http/refused.ts'
import type { Context } from '../panel.ts'
import { findFinding, listFindings } from '../store/recording-findings.ts'
import { beginExport } from '../upkeep/audit.ts'
import { namesOf, pageOf, readSpan, treat } from './treatments.ts'

type Filter = { situacao?: string | undefined; liberadoPor?: string | undefined; proprio?: 'sim' | undefined }

const passing =
  ({ situacao, liberadoPor, proprio }: Filter) =>
  (one: PlanFinding): boolean =>
    (situacao === undefined || one.situacao === situacao) &&
    (liberadoPor === undefined || one.liberadoPor === liberadoPor) &&
    (proprio === undefined || one.liberadoPorQuemApontou)

/** Findings of recordings outside their plan, and their treatments. */
export function planFindingRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, planFindings.list, async ({ query }, { db, config, now }) => {
    const { from, to, span } = readSpan(query, { config, now })
    const all = await listFindings(db.read, { ...span, finding: query.achado })
    const found = all.filter(passing(query))
    const instants = found.map(({ em }) => Date.parse(em))
    return {
      ...{ inicio: from, fim: to, total: found.length, dias: countByDay(instants, config.timeZone) },
      liberadores: namesOf(all.map(({ liberadoPor }) => liberadoPor)),
      // a page of the version before asks for none, and shows as many
      ocorrencias: query.pagina === undefined ? found.slice(0, PLAN_FINDINGS_LISTED_MAX) : pageOf(found, query.pagina),
    }
  })

  bind(app, context, planFindings.csv, async ({ query }, call) => {
    const { from, to, span } = readSpan(query, call)
    await beginExport(call, findingsFileName(from, to))
    const found = (await listFindings(call.db.read, { ...span, finding: query.achado })).filter(passing(query))
    return Readable.from(csvOf(findingColumns(momentTextOf(call.config.timeZone)), found))
  })

  bind(app, context, planFindings.treat, async ({ params: { id }, body: { texto: text } }, call) => {
    const found = await findFinding(call.db.read, id)
    if (!found) throw new Refused('not_found')
    const { recording_id: key, order_number: order, barcode, position, part } = found
    const details = part === 'juncao' ? { position } : { barcode }
    const about = { kind: 'finding', name: `OP ${order}`, details } as const
    const changes = [{ topic: 'pending-recordings' as const, key }]
    return await treat({ kind: 'apontamento', subject: String(id), text, changes }, about, call)
  })
}
