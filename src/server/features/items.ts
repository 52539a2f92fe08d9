import type { FastifyInstance } from 'fastify'
import { type CutItem, items, type SearchMode } from '../../contract/items.ts'
import { orderProblem } from '../../domain/acts/check-orders.ts'
import { barcodesOf, withOutside } from '../../domain/acts/finished-parts.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { copyOfSearch, itemOf, readItems, readOrCopy, requirePlant, wholeCopyOfSearch } from '../acts/erp-copies.ts'
import { bind } from '../http/bind.ts'
import { personOf } from '../http/caller.ts'
import { Refused } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import { listOutsideParts } from '../store/trace-measurements.ts'

function readTerm(call: Call, branch: string, termo: string, mode: SearchMode) {
  const reader = personOf(call.caller)
  return readOrCopy(
    () => readItems({ branch, termo, mode, reader }, call),
    () => copyOfSearch(branch, termo, call),
    call,
    call.caller,
  )
}

/** Whether their ends are within their plan, which the ERP does not know. */
async function withVerdicts(branch: string, found: readonly CutItem[], { db }: Context): Promise<CutItem[]> {
  return withOutside(found, await listOutsideParts(db.read, { branch, barcodes: barcodesOf(found) }))
}

export function itemRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, items.copies, async ({ query }) => {
    requirePlant(query.filial, context)
    const copy = await wholeCopyOfSearch(query.filial, query.termo.trim(), context)
    const found = await withVerdicts(query.filial, copy?.value ?? [], context)
    return { items: found, dadosDe: copy && toInstant(copy.fetchedAt) }
  })

  bind(app, context, items.search, async ({ query }, call) => {
    requirePlant(query.filial, context)
    const termo = query.termo.trim()
    const message = query.modo === 'CONFERENCIA_CORTE' ? orderProblem(termo) : null
    if (message !== null) {
      throw new Refused('input_invalid', { message, details: [{ field: 'termo', message }] })
    }
    const { value, copyOf } = await readTerm(call, query.filial, termo, query.modo)
    const found = await withVerdicts(query.filial, value, context)
    return { items: found, dadosDe: copyOf === null ? null : toInstant(copyOf) }
  })

  bind(app, context, items.get, async ({ params, query }, call) => {
    requirePlant(query.filial, context)
    const { value, copyOf } = await readTerm(call, query.filial, params.codigoBarras, 'APONTAMENTO')
    return { item: itemOf(value, params.codigoBarras), dadosDe: copyOf === null ? null : toInstant(copyOf) }
  })
}
