import type { CutItem, Part } from '../../contract/items.ts'
import {
  type CutCrimpRecording,
  PARKED_MESSAGE,
  partOf,
  RECORDED_MESSAGE,
  WAITING_MESSAGE,
} from '../../contract/recordings.ts'
import {
  crimpsOf,
  decideRecording,
  leftText,
  lotOf,
  naturalKey,
  openPieces,
  orderOf,
  piecesOrdered,
  sectionOf,
} from '../../domain/acts/recordings.ts'
import { gaugeOf } from '../../domain/quality/control-plans.ts'
import { orderSpecOf } from '../../domain/quality/sampling.ts'
import { firstSpelled, isSameCode } from '../../domain/text/spellings.ts'
import type { Reader } from '../store/db/db.ts'
import { findItem, reserveBeyondBalance, reservePieces } from '../store/items.ts'
import type { Payload, Recording } from '../store/recordings.ts'
import { readItem } from './erp-copies.ts'
import { type Acting, actOf, type Work } from './work.ts'

type CutCrimp = Recording<CutCrimpRecording> & { part: Part }

/** The recording of a cut or a crimp, as it is stored. */
export function toCutCrimp(body: CutCrimpRecording, call: Acting): CutCrimp {
  const { captura, OPERADOR: _, ...content } = body
  const act = actOf(captura, call)
  const payload = { ...content, OPERADOR: act.operator }
  const part = partOf(payload) as Part
  const { EMPRESA: branch, COD_BARRA: barcode, QTD_REALIZADA: pieces } = payload
  return {
    ...act,
    part,
    branch,
    barcode,
    position: '',
    orderNumber: payload.ORDEM_PROD,
    pieces,
    machine: payload.MAQUINA,
    lot: lotOf(payload, part),
    terminal: (part === 'l1' ? payload.TERM_LD1 : part === 'l2' ? payload.TERM_LD2 : '') ?? '',
    applicator: crimpsOf(payload)?.applicator ?? null,
    delivery: { operation: 'recordCutCrimp', naturalKey: naturalKey(branch, barcode, part), raises: pieces },
    payload,
  }
}

const partIn = ({ payload }: Recording<CutCrimpRecording>) => partOf(payload) as Part

/** The copy's spelling of the item. The payload is stored, and hashed, as it was posted. */
export async function itemAsWritten<P extends Payload>(db: Reader, recording: Recording<P>): Promise<Recording<P>> {
  const { branch, barcode, orderNumber, delivery, part } = recording
  const written = await firstSpelled(barcode, async (spelling) => {
    const copy = await findItem(db, branch, spelling)
    if (!copy) return null
    const order = orderOf(copy.item)
    return {
      ...recording,
      barcode: spelling,
      orderNumber: isSameCode(order, orderNumber) ? order : orderNumber,
      delivery: { ...delivery, naturalKey: `${branch}|${spelling}|${part}` },
    }
  })
  return written ?? recording
}

export const cutCrimp: Work<CutCrimpRecording, CutItem> = {
  asWritten: itemAsWritten,
  async judgedCopy(db, recording) {
    const { branch, barcode, payload } = recording
    const copy = await findItem(db, branch, barcode)
    return copy && { fetchedAt: copy.fetchedAt, refusal: decideRecording(payload, partIn(recording), copy.item) }
  },
  readCopy: readItem,
  async reserve(tx, recording) {
    const { branch, barcode, pieces, payload } = recording
    const part = partIn(recording)
    const copy = await findItem(tx, branch, barcode)
    const refusal = decideRecording(payload, part, copy?.item ?? null)
    if (refusal) return refusal
    // two operators may have passed the rule above at the same instant: the guarded statement lets one through
    if (copy && (await reservePieces(tx, { branch, barcode, part, pieces }))) {
      const asks =
        part === 'cabo'
          ? {}
          : { orderSpec: orderSpecOf(copy.item, part), itemTerminal: sectionOf(copy.item, part).terminal ?? '' }
      return { ...recording, gaugeMilli: gaugeOf(copy.item), ...asks }
    }
    const now = await findItem(tx, branch, barcode)
    return { refused: 'quantity_exceeds_balance', values: { left: leftText(now ? openPieces(now.item, part) : 0) } }
  },
  reserveBeyondBalance: async (tx, recording) =>
    (await reserveBeyondBalance(tx, { ...recording, part: partIn(recording) }))
      ? recording
      : { refused: 'item_not_found' },
  production: {
    async orderedPieces(db, { branch, barcode }) {
      const copy = await findItem(db, branch, barcode)
      return copy ? piecesOrdered(copy.item) : Infinity
    },
    async findGauge(db, { branch, barcode }) {
      const copy = await findItem(db, branch, barcode)
      return copy && gaugeOf(copy.item)
    },
  },
  find: async (db, { branch, barcode }) => (await findItem(db, branch, barcode))?.item ?? null,
  messages: { delivered: RECORDED_MESSAGE, waiting: WAITING_MESSAGE, parked: PARKED_MESSAGE },
}
