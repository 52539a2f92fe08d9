import type { FastifyInstance } from 'fastify'
import { type EndHistory, endHistories } from '../../contract/end-histories.ts'
import type { Input } from '../../contract/endpoint.ts'
import { itemNumberOf } from '../../domain/acts/recordings.ts'
import { momentTextOf, plantDay, toInstant } from '../../domain/plant/plant-time.ts'
import { csvOf } from '../../domain/text/csv.ts'
import { findMeasured } from '../acts/measuring.ts'
import { bind } from '../http/bind.ts'
import type { Call, Context } from '../panel.ts'
import { findItem } from '../store/items.ts'
import { beginExport } from '../upkeep/audit.ts'
import { readPlants } from './settings.ts'
import { sheetHeaders } from './traces.ts'

/** Large, and asked for by few: decision 146. */
const loadHistory = () => import('../store/end-histories.ts')
const loadFiles = () => import('../../domain/histories/end-history-files.ts')
const loadSheets = () => import('../../domain/histories/end-history-sheets.ts')

type Query = NonNullable<Input<typeof endHistories.get>['query']>

async function readHistory(query: Query, { db, config }: Call): Promise<EndHistory> {
  const { filial, parte, codigoBarras = '', posicao = '', ordem = '' } = query
  const isJunction = parte === 'juncao'
  const named = isJunction ? { codigoBarras: '', posicao } : { codigoBarras, posicao: '' }
  const place = { branch: filial, part: parte, barcode: named.codigoBarras, position: named.posicao }
  const copy = await findMeasured(db.read, { ...place, orderNumber: ordem })
  const item = isJunction ? null : await findItem(db.read, filial, codigoBarras)
  const end = {
    ...{ filial, parte, ...named },
    ordem: isJunction ? ordem : (copy?.orderNumber ?? ''),
    item: item ? itemNumberOf(item.item) : '',
    terminal: copy?.terminal ?? '',
  }
  const known = { forceMin: copy?.spec.forceMin ?? null, timeZone: config.timeZone }
  const { listHistory } = await loadHistory()
  const { entries, isCut } = await listHistory(db.read, end, known)
  return { extremo: end, entradas: entries, cortado: isCut }
}

export function endHistoryRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, endHistories.get, ({ query }, call) => readHistory(query, call))

  bind(app, context, endHistories.csv, async ({ query }, call) => {
    const { now, config } = call
    const { historyColumns, historyFileName, historyLines } = await loadFiles()
    const history = await readHistory(query, call)
    await beginExport(call, historyFileName(history, plantDay(now(), config.timeZone)))
    return csvOf(
      historyColumns({ momentText: momentTextOf(config.timeZone), forceUnit: config.erpSettings.forceUnit }),
      historyLines(history),
    )
  })

  bind(app, context, endHistories.sheet, async ({ query }, call) => {
    const { db, now, config, caller, reply } = call
    const history = await readHistory(query, call)
    const momentText = momentTextOf(config.timeZone)
    const plants = await readPlants(db.read, config)
    const head = {
      siteName: config.siteName,
      plant: plants.find(({ code }) => code === query.filial)?.label ?? '',
      requestedBy: caller.fullName || caller.username,
      moment: momentText(toInstant(now())),
      forceUnit: config.erpSettings.forceUnit,
    }
    const { historySheet } = await loadSheets()
    reply.headers(sheetHeaders)
    return historySheet(history, head, momentText)
  })
}
