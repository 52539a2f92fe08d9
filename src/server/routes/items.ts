import type { FastifyInstance } from 'fastify'
import { type CutItem, type ErpItem, items, type SearchMode } from '../../contract/items.ts'
import { BARCODE_LENGTH } from '../../contract/values.ts'
import { toInstant } from '../../domain/plant-time.ts'
import type { Context } from '../context.ts'
import { readOrCopy, requirePlant } from '../erp-reads.ts'
import { bind } from '../http.ts'
import { Refused } from '../refused.ts'
import { againWhenStored } from '../store/db.ts'
import { deleteVanishedItems, findItem, listItemsOfOrder, saveItems } from '../store/items.ts'

export function itemRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, items.search, async ({ query }, call) => {
    requirePlant(query.filial, context)
    const termo = query.termo.trim()
    const isBarcode = termo.length === BARCODE_LENGTH
    if (isBarcode && query.modo === 'CONFERENCIA_CORTE') {
      const message = 'Para Conferência Corte, utilize apenas ordem de produção (não código de barras)'
      throw new Refused('input_invalid', { message, details: [{ field: 'termo', message }] })
    }
    const { value, copyOf } = await readOrCopy(
      () => readItems(query.filial, termo, query.modo, call),
      () => copyOfSearch(query.filial, termo, isBarcode, call),
      context,
    )
    return { items: value, dadosDe: copyOf === null ? null : toInstant(copyOf) }
  })

  bind(app, context, items.get, async ({ params, query }, call) => {
    requirePlant(query.filial, context)
    const { codigoBarras } = params
    const { value, copyOf } = await readOrCopy(
      () => readItems(query.filial, codigoBarras, 'APONTAMENTO', call),
      () => copyOfSearch(query.filial, codigoBarras, true, call),
      context,
    )
    const item = value.find((row) => row.Z1_CODBAR === codigoBarras)
    if (!item) throw new Refused('item_not_found')
    return { item, dadosDe: copyOf === null ? null : toInstant(copyOf) }
  })
}

async function copyOfSearch(branch: string, termo: string, isBarcode: boolean, { db }: Context) {
  const one = isBarcode ? await findItem(db.read, branch, termo) : null
  const copies = isBarcode ? (one ? [one] : []) : await listItemsOfOrder(db.read, branch, termo)
  if (copies.length === 0) return null
  return { value: copies.map((copy) => copy.item), fetchedAt: Math.min(...copies.map((copy) => copy.fetchedAt)) }
}

/** Reads from the ERP, keeps the copy, and answers what the copy then says: with the pieces that are on their way. */
export async function readItems(branch: string, termo: string, mode: SearchMode, call: Context): Promise<CutItem[]> {
  const { db, erp, now } = call
  const readBegunAt = now()
  const found: ErpItem[] = await erp.searchItems({ branch, term: termo, mode })
  if (found.length === 0) return []
  const when = { readBegunAt, fetchedAt: now() }
  await againWhenStored(() =>
    db.transaction(async (tx) => {
      await saveItems(tx, branch, found, when)
      if (termo.length === BARCODE_LENGTH) return
      await deleteVanishedItems(
        tx,
        branch,
        termo,
        found.map((item) => item.Z1_CODBAR),
      )
    }),
  )
  const kept = new Map<string, CutItem>()
  for (const order of new Set(found.map((item) => item.Z1_OP))) {
    for (const { item } of await listItemsOfOrder(db.read, branch, order)) kept.set(item.Z1_CODBAR, item)
  }
  return found.flatMap((item) => kept.get(item.Z1_CODBAR) ?? [])
}
