import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Input } from '../../contract/endpoint.ts'
import { outsideActs } from '../../contract/outside-acts.ts'
import { OCCURRENCES_PAGE } from '../../contract/treatments.ts'
import { momentTextOf } from '../../domain/plant/plant-time.ts'
import { countByDay } from '../../domain/quality/occurrences.ts'
import { type OutsideLine, outsideColumns, outsideFileName } from '../../domain/quality/outside-acts.ts'
import { csvPages } from '../../domain/text/csv.ts'
import { bind } from '../http/bind.ts'
import { Refused } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import { changesOfAct } from '../store/live-changes.ts'
import { findAct } from '../store/measurements.ts'
import { describeStandings, listStandings, type OutsideStanding } from '../store/outside-followed.ts'
import { slicesOf } from '../store/slices.ts'
import { beginExport } from '../upkeep/audit.ts'
import { namesOf, pageOf, readSpan, treat } from './treatments.ts'

type Filter = Input<typeof outsideActs.csv>['query']

const passing =
  ({ tipo, situacao, liberadoPor, tiradas }: Filter) =>
  ({ readings, situation, releasedBy, takenOut }: OutsideStanding): boolean =>
    (takenOut !== null) === (tiradas !== undefined) &&
    (tiradas !== 'por-quem-mediu' || takenOut?.porQuemMediu === true) &&
    (tipo === undefined || readings.some(({ row }) => row.characteristic === tipo)) &&
    (situacao === undefined || situation === situacao) &&
    (liberadoPor === undefined || releasedBy === liberadoPor)

/** In short reads, so that recordings never wait for it. */
async function* readLines(
  { db }: Pick<Call, 'db'>,
  standings: readonly OutsideStanding[],
): AsyncGenerator<OutsideLine[]> {
  for (const page of slicesOf(standings, OCCURRENCES_PAGE)) {
    const acts = await describeStandings(db.read, page)
    yield acts.flatMap((act) => act.leituras.map((reading) => ({ act, reading })))
    await setImmediate()
  }
}

/** Samples outside their plan, what followed each of them, and what quality did about it. */
export function outsideActRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, outsideActs.list, async ({ query }, call) => {
    const { from, to, span } = readSpan(query, call)
    const all = await listStandings(call.db.read, span, call.now())
    const found = all.filter(passing(query))
    const measured = found.map(({ receivedAt, readings }) => ({
      at: receivedAt,
      kind: readings.map(({ row }) => row.characteristic).join(' '),
    }))
    return {
      ...{ inicio: from, fim: to, total: found.length, dias: countByDay(measured, call.config.timeZone) },
      liberadores: namesOf(all.map(({ releasedBy }) => releasedBy)),
      medicoes: await describeStandings(call.db.read, pageOf(found, query.pagina ?? 1)),
      semResposta: all.filter(({ isUnanswered }) => isUnanswered).length,
    }
  })

  bind(app, context, outsideActs.csv, async ({ query }, call) => {
    const { from, to, span } = readSpan(query, call)
    await beginExport(call, outsideFileName(from, to))
    const found = (await listStandings(call.db.read, span, call.now())).filter(passing(query))
    const columns = outsideColumns(momentTextOf(call.config.timeZone), call.now())
    return Readable.from(csvPages(columns, readLines(call, found)))
  })

  bind(app, context, outsideActs.treat, async ({ params, body: { texto: text } }, call) => {
    const id = params.id.toLowerCase()
    const found = await findAct(call.db.read, id)
    const first = found?.rows.find(({ verdict }) => verdict === 'fora')
    if (!first) throw new Refused('not_found')
    const about = {
      kind: 'measurement',
      name: `OP ${first.order_number}`,
      details: { terminal: first.terminal },
    } as const
    return await treat({ kind: 'medicao', subject: id, text, changes: changesOfAct([first]) }, about, call)
  })
}
