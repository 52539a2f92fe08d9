import type { FastifyInstance } from 'fastify'
import { charts } from '../../contract/charts.ts'
import { usedPercent } from '../../domain/tools/crimp-counters.ts'
import { bind } from '../http/bind.ts'
import { Refused } from '../http/refused.ts'
import type { Context } from '../panel.ts'
import { chartOfApplicator, chartOfTerminal, listChartTerminals, wearOfApplicator } from '../store/charts.ts'
import { listCrimpCounters } from '../store/crimp-counters.ts'
import type { Period } from '../store/daily-production.ts'
import { findUnit } from './tool-life.ts'

/** Both days belong to it; where one is missing it is open. */
export function requirePeriod({ inicio, fim }: { inicio?: string | undefined; fim?: string | undefined }): Period {
  if (inicio !== undefined && fim !== undefined && inicio > fim) throw new Refused('period_reversed')
  return { from: inicio, to: fim }
}

export function chartRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, charts.listApplicators, async (_, { db }) =>
    (await listCrimpCounters(db.read)).map((unit) => ({ nome: unit.miniaplicator, usoPercentual: usedPercent(unit) })),
  )

  bind(app, context, charts.listTerminals, async (_, { db }) =>
    (await listChartTerminals(db.read)).map((nome) => ({ nome })),
  )

  bind(app, context, charts.ofApplicator, async ({ params, query }, call) => {
    const { db } = call
    const period = requirePeriod(query)
    const chart = await chartOfApplicator(db.read, params.nome, period)
    const { porMes } = chart
    const { timeZone } = context.config
    const wear = await wearOfApplicator(db.read, params.nome, { porMes, period, timeZone })
    const previsao = (await findUnit(params.nome, call))?.previsao
    return { ...chart, ...wear, ...(previsao ? { previsao } : {}) }
  })

  bind(app, context, charts.ofTerminal, ({ params, query }, { db }) =>
    chartOfTerminal(db.read, params.nome, requirePeriod(query)),
  )
}
