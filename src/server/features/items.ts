import type { FastifyInstance } from 'fastify'
import { items } from '../../contract/items.ts'
import { BARCODE_LENGTH } from '../../contract/values.ts'
import { toInstant } from '../../domain/plant-time.ts'
import { bind } from '../http/bind.ts'
import { sessionOf } from '../http/caller.ts'
import { Refused } from '../http/refused.ts'
import type { Context } from '../panel.ts'
import { copyOfSearch, itemOf, readItems, readOrCopy, requirePlant } from '../recording/erp-copies.ts'

export function itemRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, items.copies, async ({ query }) => {
    requirePlant(query.filial, context)
    const copy = await copyOfSearch(query.filial, query.termo.trim(), context)
    return { items: copy?.value ?? [], dadosDe: copy && toInstant(copy.fetchedAt) }
  })

  bind(app, context, items.search, async ({ query }, call) => {
    requirePlant(query.filial, context)
    const termo = query.termo.trim()
    const isBarcode = termo.length === BARCODE_LENGTH
    if (isBarcode && query.modo === 'CONFERENCIA_CORTE') {
      const message = 'Para Conferência Corte, utilize apenas ordem de produção (não código de barras)'
      throw new Refused('input_invalid', { message, details: [{ field: 'termo', message }] })
    }
    const reader = sessionOf(call.caller)
    const { value, copyOf } = await readOrCopy(
      () => readItems({ branch: query.filial, termo, mode: query.modo, reader }, call),
      () => copyOfSearch(query.filial, termo, call),
      context,
      reader,
    )
    return { items: value, dadosDe: copyOf === null ? null : toInstant(copyOf) }
  })

  bind(app, context, items.get, async ({ params, query }, call) => {
    requirePlant(query.filial, context)
    const { codigoBarras } = params
    const reader = sessionOf(call.caller)
    const { value, copyOf } = await readOrCopy(
      () => readItems({ branch: query.filial, termo: codigoBarras, mode: 'APONTAMENTO', reader }, call),
      () => copyOfSearch(query.filial, codigoBarras, call),
      context,
      reader,
    )
    const item = itemOf(value, codigoBarras)
    return { item, dadosDe: copyOf === null ? null : toInstant(copyOf) }
  })
}
