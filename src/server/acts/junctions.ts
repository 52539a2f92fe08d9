import {
  JUNCTION_RECORDED_MESSAGE,
  type Junction,
  type JunctionDetails,
  type JunctionRecording,
} from '../../contract/junctions.ts'
import { PARKED_MESSAGE, WAITING_MESSAGE } from '../../contract/recordings.ts'
import { decideJunction, junctionQuantityBounds, percentOf, stateOf } from '../../domain/acts/junction-balance.ts'
import { testedGaugeOf } from '../../domain/quality/control-plans.ts'
import { junctionTerminalOf } from '../../domain/quality/sampling.ts'
import { firstSpelled } from '../../domain/text/spellings.ts'
import { ErpFailure, requireUsable } from '../erp/gateway.ts'
import type { Outside } from '../outside.ts'
import { againWhenStored } from '../store/db/db.ts'
import {
  findJunction,
  findJunctionDetails,
  type JunctionCopy,
  type JunctionPlace,
  listJunctionsOfOrder,
  reserveJunctionPieces,
  reserveJunctionPiecesBeyond,
  saveJunctionDetails,
  saveJunctions,
} from '../store/junctions.ts'
import type { Recording } from '../store/recordings.ts'
import { askAsWritten, type ErpReading } from './erp-copies.ts'
import { type Acting, actOf, type Work } from './work.ts'

/** Reads an order's positions from the ERP, keeps the copy, and answers what the copy then says. `needed`: a position. */
export async function readJunctions(
  {
    branch,
    orderNumber: code,
    needed,
    reader,
  }: { branch: string; orderNumber: string; needed?: string; reader?: string },
  context: ErpReading,
): Promise<Junction[]> {
  const { db, erp, now } = context
  const readBegunAt = now()
  const read = await askAsWritten(code, (order) => erp.searchJunctions({ branch, order, reader }))
  if (needed !== undefined) requireUsable(read, needed)
  const { rows: found, spelling: orderNumber } = read
  if (found.length === 0) return []
  const when = { readBegunAt, fetchedAt: now() }
  await againWhenStored(() => db.transaction((tx) => saveJunctions(tx, { branch, orderNumber }, found, when)))
  return (await listJunctionsOfOrder(db.read, branch, orderNumber)).map(({ junction }) => junction)
}

/** The copy left by a search of the order; null when there is none. */
export async function copyOfJunctions(branch: string, orderNumber: string, { db }: Pick<Outside, 'db'>) {
  return await firstSpelled(orderNumber, async (spelling) => {
    const copies = await listJunctionsOfOrder(db.read, branch, spelling)
    if (copies.length === 0) return null
    return {
      value: copies.map(({ junction }) => junction),
      fetchedAt: Math.min(...copies.map((copy) => copy.fetchedAt)),
    }
  })
}

/** Null: the ERP has no such position. */
export async function readDetails(
  place: JunctionPlace,
  context: ErpReading,
  reader?: string,
): Promise<JunctionDetails | null> {
  return await firstSpelled(place.orderNumber, (orderNumber) =>
    readDetailsOf({ ...place, orderNumber }, context, reader),
  )
}

async function readDetailsOf(place: JunctionPlace, context: ErpReading, reader?: string) {
  const { db, erp, now } = context
  try {
    const { branch, orderNumber, position } = place
    const details = await erp.junctionDetails({ branch, order: orderNumber, position, reader })
    await againWhenStored(() => db.transaction((tx) => saveJunctionDetails(tx, place, details, now())))
    return details
  } catch (error) {
    if (error instanceof ErpFailure && error.kind === 'not_found') return null
    throw error
  }
}

/** The recording of a joint, as it is stored. The ERP gets the name that the operator logs in with. */
export function toJunction(body: JunctionRecording, call: Acting): Recording<JunctionRecording> {
  const { captura, OPERADOR: _, ...content } = body
  const act = actOf(captura, call)
  // the day is the one the work counts for, whatever the tablet's calendar says
  const payload = { ...content, OPERADOR: call.caller.username || 'SISTEMA', DATA: act.productionDay }
  const { FILIAL: branch, NUMERO_OP: orderNumber, POSICAO: position, QTD_APONTADA: pieces } = payload
  return {
    ...act,
    part: 'juncao',
    branch,
    barcode: '',
    position,
    orderNumber,
    pieces,
    machine: payload.MAQUINA,
    lot: payload.LOTE_TERMINAL ?? '',
    terminal: payload.TERMINAL ?? '',
    applicator: null,
    // by how much is known with the copy of the position
    delivery: { operation: 'recordJunction', naturalKey: `${branch}|${orderNumber}|${position}`, raises: 0 },
    payload,
  }
}

/**
 * The plan is the ERP's word, not the tablet's: without one the percentage of a position does not move. So is the terminal
 * of one that is welded, whose payload names none.
 */
function measured(recording: Recording<JunctionRecording>, copy: JunctionCopy | null): Recording<JunctionRecording> {
  const planned = copy ? stateOf(copy.junction).planned : 0
  const { delivery, payload, pieces } = recording
  return {
    ...recording,
    terminal: recording.terminal || (copy ? junctionTerminalOf(copy.junction) : ''),
    delivery: { ...delivery, raises: percentOf(pieces, planned) },
    payload: planned >= 1 ? { ...payload, QTD_PECAS: Math.floor(planned) } : payload,
  }
}

export const joining: Work<JunctionRecording, Junction> = {
  async asWritten(db, recording) {
    const { branch, position, delivery } = recording
    const written = await firstSpelled(recording.orderNumber, async (orderNumber) => {
      const copy = await findJunction(db, { branch, orderNumber, position })
      return (
        copy && {
          ...recording,
          orderNumber,
          delivery: { ...delivery, naturalKey: `${branch}|${orderNumber}|${position}` },
        }
      )
    })
    return written ?? recording
  },
  async judgedCopy(db, recording) {
    const copy = await findJunction(db, recording)
    return copy && { fetchedAt: copy.fetchedAt, refusal: decideJunction(recording.payload, copy.junction) }
  },
  readCopy: (recording, call) => readJunctions({ ...recording, needed: recording.position }, call),
  async reserve(tx, recording) {
    const copy = await findJunction(tx, recording)
    const refusal = decideJunction(recording.payload, copy?.junction ?? null)
    if (refusal) return refusal
    // two operators may have passed the rule above at the same instant: the guarded statement lets one through
    const isTaken = await reserveJunctionPieces(tx, recording, recording.pieces)
    return isTaken ? measured(recording, copy) : { refused: 'section_complete' }
  },
  async reserveBeyondBalance(tx, recording) {
    const isTaken = await reserveJunctionPiecesBeyond(tx, recording, recording.pieces)
    return isTaken ? measured(recording, await findJunction(tx, recording)) : { refused: 'junction_not_found' }
  },
  production: {
    async orderedPieces(db, recording) {
      return junctionQuantityBounds((await findJunction(db, recording))?.junction ?? null).max
    },
    async findGauge(db, recording) {
      const copy = await findJunctionDetails(db, recording)
      return copy && testedGaugeOf(copy.details)
    },
  },
  find: async (db, recording) => (await findJunction(db, recording))?.junction ?? null,
  messages: { delivered: JUNCTION_RECORDED_MESSAGE, waiting: WAITING_MESSAGE, parked: PARKED_MESSAGE },
}
