import {
  JUNCTION_RECORDED_MESSAGE,
  type Junction,
  type JunctionDetails,
  type JunctionRecording,
} from '../contract/junctions.ts'
import { WAITING_MESSAGE } from '../contract/recordings.ts'
import { decideJunction, percentOf } from '../domain/junction-balance.ts'
import type { Context } from './context.ts'
import { ErpFailure } from './erp/gateway.ts'
import type { Call } from './http.ts'
import { actOf, contentHash, readForRules, type Work } from './recordings.ts'
import { againWhenStored } from './store/db.ts'
import {
  findJunction,
  type JunctionPlace,
  listJunctionsOfOrder,
  reserveJunctionPieces,
  reserveJunctionPiecesBeyond,
  saveJunctionDetails,
  saveJunctions,
} from './store/junctions.ts'
import type { Recording } from './store/recordings.ts'

/** Reads an order's positions from the ERP, keeps the copy, and answers what the copy then says. */
export async function readJunctions(branch: string, orderNumber: string, context: Context): Promise<Junction[]> {
  const { db, erp, now } = context
  const readBegunAt = now()
  const found = await erp.searchJunctions({ branch, order: orderNumber })
  const when = { readBegunAt, fetchedAt: now() }
  await againWhenStored(() => db.transaction((tx) => saveJunctions(tx, { branch, orderNumber }, found, when)))
  return (await listJunctionsOfOrder(db.read, branch, orderNumber)).map(({ junction }) => junction)
}

/** What a search of the order left here; null when it left nothing. */
export async function copyOfJunctions(branch: string, orderNumber: string, { db }: Pick<Context, 'db'>) {
  const copies = await listJunctionsOfOrder(db.read, branch, orderNumber)
  if (copies.length === 0) return null
  return {
    value: copies.map(({ junction }) => junction),
    fetchedAt: Math.min(...copies.map((copy) => copy.fetchedAt)),
  }
}

/** Null: the ERP has no such position. */
export async function readDetails(place: JunctionPlace, context: Context): Promise<JunctionDetails | null> {
  const { db, erp, now } = context
  try {
    const { branch, orderNumber, position } = place
    const details = await erp.junctionDetails({ branch, order: orderNumber, position })
    await againWhenStored(() => db.transaction((tx) => saveJunctionDetails(tx, place, details, now())))
    return details
  } catch (error) {
    if (error instanceof ErpFailure && error.kind === 'not_found') return null
    throw error
  }
}

/** What an act of joining says, as this server keeps it. The ERP hears the name the operator logs in with. */
export function toJunction(body: JunctionRecording, call: Call): Recording<JunctionRecording> {
  const { captura, ...sent } = body
  const { OPERADOR: _, ...content } = sent
  const payload = { ...content, OPERADOR: call.caller.username || 'SISTEMA' }
  const { FILIAL: branch, NUMERO_OP: orderNumber, POSICAO: position, QTD_APONTADA: pieces } = payload
  return {
    ...actOf(captura, call),
    contentHash: contentHash(content),
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
    delivery: {
      operation: 'recordJunction',
      naturalKey: `${branch}|${orderNumber}|${position}`,
      raises: percentOf(pieces, payload.QTD_PECAS),
    },
    payload,
  }
}

export const joining: Work<JunctionRecording, Junction> = {
  async requireCopy(recording, call) {
    const copy = await findJunction(call.db.read, recording)
    await readForRules(
      copy && { fetchedAt: copy.fetchedAt, refusal: decideJunction(recording.payload, copy.junction) },
      () => readJunctions(recording.branch, recording.orderNumber, call),
      call,
    )
  },
  async refreshCopy(recording, call) {
    try {
      await readJunctions(recording.branch, recording.orderNumber, call)
    } catch (error) {
      if (!(await findJunction(call.db.read, recording))) throw error
    }
  },
  async reserve(tx, recording) {
    const copy = await findJunction(tx, recording)
    const refusal = decideJunction(recording.payload, copy?.junction ?? null)
    if (refusal) return refusal
    // two operators may have passed the rule above at the same instant: the guarded statement lets one through
    return (await reserveJunctionPieces(tx, recording, recording.pieces)) ? null : { refused: 'section_complete' }
  },
  reserveBeyondBalance: async (tx, recording) =>
    (await reserveJunctionPiecesBeyond(tx, recording, recording.pieces)) ? null : { refused: 'junction_not_found' },
  find: async (db, recording) => (await findJunction(db, recording))?.junction ?? null,
  messages: { delivered: JUNCTION_RECORDED_MESSAGE, waiting: WAITING_MESSAGE },
}
