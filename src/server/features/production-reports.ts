import type { FastifyInstance } from 'fastify'
import { productionReports } from '../../contract/production-reports.ts'
import { requirePlant } from '../acts/erp-copies.ts'
import { bind } from '../http/bind.ts'
import type { Context } from '../panel.ts'
import { productionReport } from '../store/production-reports.ts'
import { requirePeriod } from './charts.ts'

export function productionReportRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, productionReports.get, async ({ query }, { db }) => {
    const period = requirePeriod(query)
    const { por: by, filial: branch } = query
    if (branch !== undefined) requirePlant(branch, context)
    return await productionReport(db.read, { period, by, branch })
  })
}
