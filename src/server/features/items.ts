import type { FastifyInstance } from 'fastify'
import { items, type SearchMode } from '../../contract/items.ts'
import { orderProblem } from '../../domain/acts/check-orders.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { copyOfSearch, itemOf, readItems, readOrCopy, requirePlant, wholeCopyOfSearch } from '../acts/erp-copies.ts'
import { bind } from '../http/bind.ts'
import { personOf } from '../http/caller.ts'
import { Refused } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'

function readTerm(call: Call, branch: string, termo: string, mode: SearchMode) {
  const reader = personOf(call.caller)
  return readOrCopy(
    () => readItems({ branch, termo, mode, reader }, call),
    () => copyOfSearch(branch, termo, call),
    call,
    call.caller,
  )
}

export function itemRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, items.copies, async ({ query }) => {
    requirePlant(query.filial, context)
    const copy = await wholeCopyOfSearch(query.filial, query.termo.trim(), context)
    return { items: copy?.value ?? [], dadosDe: copy && toInstant(copy.fetchedAt) }
  })

  bind(app, context, items.search, async ({ query }, call) => {
    requirePlant(query.filial, context)
    const termo = query.termo.trim()
    const message = query.modo === 'CONFERENCIA_CORTE' ? orderProblem(termo) : null
    if (message !== null) {
      throw new Refused('input_invalid', { message, details: [{ field: 'termo', message }] })
    }
    const { value, copyOf } = await readTerm(call, query.filial, termo, query.modo)
    return { items: value, dadosDe: copyOf === null ? null : toInstant(copyOf) }
  })

  bind(app, context, items.get, async ({ params, query }, call) => {
    requirePlant(query.filial, context)
    const { value, copyOf } = await readTerm(call, query.filial, params.codigoBarras, 'APONTAMENTO')
    return { item: itemOf(value, params.codigoBarras), dadosDe: copyOf === null ? null : toInstant(copyOf) }
  })
}
