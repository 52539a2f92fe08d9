import type { FastifyInstance } from 'fastify'
import { charts } from '../../contract/charts.ts'
import type { Context } from '../context.ts'
import { bind } from '../http.ts'
import { requirePeriod } from '../periods.ts'
import { chartOfApplicator, chartOfTerminal, listChartTerminals } from '../store/charts.ts'
import { listCrimpCounters } from '../store/crimp-counters.ts'

export function chartRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, charts.listApplicators, async (_, { db }) =>
    (await listCrimpCounters(db.read)).map(({ miniaplicator }) => ({ nome: miniaplicator })),
  )

  bind(app, context, charts.listTerminals, async (_, { db }) =>
    (await listChartTerminals(db.read)).map((nome) => ({ nome })),
  )

  bind(app, context, charts.ofApplicator, ({ params, query }, { db }) =>
    chartOfApplicator(db.read, params.nome, requirePeriod(query)),
  )

  bind(app, context, charts.ofTerminal, ({ params, query }, { db }) =>
    chartOfTerminal(db.read, params.nome, requirePeriod(query)),
  )
}
