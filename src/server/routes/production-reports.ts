import type { FastifyInstance } from 'fastify'
import { productionReports } from '../../contract/production-reports.ts'
import type { Context } from '../context.ts'
import { requirePlant } from '../erp-reads.ts'
import { bind } from '../http.ts'
import { requirePeriod } from '../periods.ts'
import { productionReport } from '../store/production-reports.ts'

export function productionReportRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, productionReports.get, async ({ query }, { db }) => {
    const period = requirePeriod(query)
    const { por: by, filial: branch } = query
    if (branch !== undefined) requirePlant(branch, context)
    return await productionReport(db.read, { period, by, branch })
  })
}
