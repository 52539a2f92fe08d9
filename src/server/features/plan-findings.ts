import type { FastifyInstance } from 'fastify'
import { PLAN_FINDINGS_LISTED_MAX, type PlanFinding, planFindings } from '../../contract/releases.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { momentTextOf } from '../../domain/plant/plant-time.ts'
import { countByDay } from '../../domain/quality/occurrences.ts'
import { findingColumns, findingsFileName } from '../../domain/quality/plan-gate.ts'
import { csvOf } from '../../domain/text/csv.ts'
import { bind } from '../http/bind.ts'
import { Refused } from '../http/refused.ts'
import type { Context } from '../panel.ts'
import type { Reader } from '../store/db/db.ts'
import { findFinding, listFindings } from '../store/recording-findings.ts'
import { listMeasured, seriesHash } from '../store/spc-series.ts'
import { beginExport } from '../upkeep/audit.ts'
import { namesOf, pageOf, readSpan, treat } from './treatments.ts'

type Filter = { situacao?: string | undefined; liberadoPor?: string | undefined; proprio?: 'sim' | undefined }

const passing =
  ({ situacao, liberadoPor, proprio }: Filter) =>
  (one: PlanFinding): boolean =>
    (situacao === undefined || one.situacao === situacao) &&
    (liberadoPor === undefined || one.liberadoPor === liberadoPor) &&
    (proprio === undefined || one.liberadoPorQuemApontou)

/** Characteristics of each finding that have a control chart. */
async function withCharts(db: Reader, list: readonly PlanFinding[]): Promise<PlanFinding[]> {
  const placesOf = ({ filial: branch, miniaplicador: unit, terminal, bitola, caracteristicas = [] }: PlanFinding) =>
    unit && bitola
      ? caracteristicas.map((characteristic) => ({
          ...{ branch, unitKey: nameKey(unit), terminalKey: nameKey(terminal), gaugeMilli: bitola },
          characteristic,
        }))
      : []
  const measured = await listMeasured(db, list.flatMap(placesOf))
  return list.map((one) => ({
    ...one,
    cartas: placesOf(one).flatMap((place) => (measured.has(seriesHash(place)) ? [place.characteristic] : [])),
  }))
}

/** Findings of recordings outside their plan, and their treatments. */
export function planFindingRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, planFindings.list, async ({ query }, { db, config, now }) => {
    const { from, to, span } = readSpan(query, { config, now })
    const all = await listFindings(db.read, { ...span, finding: query.achado })
    const found = all.filter(passing(query))
    const noted = found.map(({ em, achado }) => ({ at: Date.parse(em), kind: achado }))
    // a page of the version before asks for none, and shows as many
    const page = query.pagina === undefined ? found.slice(0, PLAN_FINDINGS_LISTED_MAX) : pageOf(found, query.pagina)
    return {
      ...{ inicio: from, fim: to, total: found.length, dias: countByDay(noted, config.timeZone) },
      liberadores: namesOf(all.map(({ liberadoPor }) => liberadoPor)),
      ocorrencias: await withCharts(db.read, page),
    }
  })

  bind(app, context, planFindings.csv, async ({ query }, call) => {
    const { from, to, span } = readSpan(query, call)
    await beginExport(call, findingsFileName(from, to))
    const found = (await listFindings(call.db.read, { ...span, finding: query.achado })).filter(passing(query))
    return csvOf(findingColumns(momentTextOf(call.config.timeZone)), found)
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
