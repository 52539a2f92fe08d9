import type { FastifyInstance } from 'fastify'
import { type ScrapQuery, scrapReports } from '../../contract/scrap-reports.ts'
import { scrapCsv, scrapFileName } from '../../domain/reports/scrap-reports.ts'
import { requirePlant } from '../acts/erp-copies.ts'
import { bind } from '../http/bind.ts'
import type { Context } from '../panel.ts'
import { type ScrapRequest, scrapReport } from '../store/scrap-reports.ts'
import { beginExport } from '../upkeep/audit.ts'
import { requirePeriod } from './charts.ts'

export function scrapReportRoutes(app: FastifyInstance, context: Context): void {
  const requestOf = (query: ScrapQuery): ScrapRequest => {
    requirePeriod(query)
    const { inicio: from, fim: to, por: by, filial: branch, etapa: stage, processo } = query
    if (branch !== undefined) requirePlant(branch, context)
    return { period: { from, to }, by, branch, stage, hasProcess: processo === 'sim' }
  }

  bind(app, context, scrapReports.get, ({ query }, { db }) => scrapReport(db.read, requestOf(query)))

  bind(app, context, scrapReports.csv, async ({ query }, call) => {
    const request = requestOf(query)
    await beginExport(call, scrapFileName(request.by, { start: query.inicio, end: query.fim }))
    return scrapCsv(request.by, await scrapReport(call.db.read, request))
  })
}
