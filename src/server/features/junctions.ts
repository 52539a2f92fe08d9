import type { FastifyInstance } from 'fastify'
import { junctions } from '../../contract/junctions.ts'
import { stateOf } from '../../domain/acts/junction-balance.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { acceptRecording } from '../acts/acceptance.ts'
import { readOrCopy, requirePlant } from '../acts/erp-copies.ts'
import { copyOfJunctions, joining, readDetails, readJunctions, toJunction } from '../acts/junctions.ts'
import { bind } from '../http/bind.ts'
import { type Caller, personOf } from '../http/caller.ts'
import { Refused } from '../http/refused.ts'
import type { Context } from '../panel.ts'
import { findJunctionDetails } from '../store/junctions.ts'

/** When the oldest of the copies was read that an answer is made of; null when the ERP itself answered. */
const oldest = (...copiesOf: (number | null)[]) => {
  const read = copiesOf.filter((at) => at !== null)
  return read.length === 0 ? null : toInstant(Math.min(...read))
}

export function junctionRoutes(app: FastifyInstance, context: Context): void {
  const readOrder = (order: { branch: string; orderNumber: string; needed?: string; caller: Caller }) =>
    readOrCopy(
      () => readJunctions({ ...order, reader: personOf(order.caller) }, context),
      () => copyOfJunctions(order.branch, order.orderNumber, context),
      context,
      order.caller,
    )

  bind(app, context, junctions.copies, async ({ query }) => {
    requirePlant(query.filial, context)
    const copy = await copyOfJunctions(query.filial, query.numeroOp.trim(), context)
    return { items: copy?.value ?? [], dadosDe: copy && toInstant(copy.fetchedAt) }
  })

  bind(app, context, junctions.list, async ({ query }, { caller }) => {
    requirePlant(query.filial, context)
    const { value, copyOf } = await readOrder({
      branch: query.filial,
      orderNumber: query.numeroOp.trim(),
      caller,
    })
    return { items: value, dadosDe: oldest(copyOf) }
  })

  bind(app, context, junctions.details, async ({ query }, { db, caller }) => {
    requirePlant(query.filial, context)
    const place = { branch: query.filial, orderNumber: query.numeroOp.trim(), position: query.posicao?.trim() ?? '' }
    const [order, details] = await Promise.all([
      place.position === '' ? null : readOrder({ ...place, needed: place.position, caller }),
      readOrCopy(
        () => readDetails(place, context, personOf(caller)),
        async () => {
          const cached = await findJunctionDetails(db.read, place)
          return cached && { value: cached.details, fetchedAt: cached.fetchedAt }
        },
        context,
        caller,
      ),
    ])
    const juncao = order?.value.find((junction) => stateOf(junction).position === place.position) ?? null
    if (!details.value || (order && !juncao)) throw new Refused('junction_not_found')
    return { data: details.value, juncao, dadosDe: oldest(order?.copyOf ?? null, details.copyOf) }
  })

  bind(app, context, junctions.record, ({ body }, call) => acceptRecording(joining, toJunction(body, call), call))
}
