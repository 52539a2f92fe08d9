import type { ErpItem, SearchMode } from '../../contract/items.ts'
import { type ErpJunction, JUNCTION_RECORDED_MESSAGE, type JunctionRecording } from '../../contract/junctions.ts'
import type { Machine, MachineType } from '../../contract/machines.ts'
import { RECEIPT_MESSAGE } from '../../contract/receipts.ts'
import { type CutCrimpRecording, RECORDED_MESSAGE } from '../../contract/recordings.ts'
import { BARCODE_LENGTH } from '../../contract/values.ts'
import type { ErpObject } from './answer.ts'
import type { ReceiptConfirmation } from './gateway.ts'
import {
  itemQuantities,
  junctionQuantities,
  listAnswerKeys,
  toErpJunctionRecording,
  toErpReceipt,
  toErpRecording,
  toItem,
  toJunction,
  toMachine,
} from './mapping.ts'
import type { ErpSettings, WritePath } from './settings.ts'

export type Path = keyof ErpSettings['paths']

/** A call that lists: what is asked, and how a row reads. */
export type ListOperation<Query, Row> = {
  name: string
  path: Path
  query: (query: Query) => Record<string, string>
  rowKey: string
  /** A row without one of them, or with what is no number, is not used. */
  quantities: readonly string[]
  row: (row: ErpObject) => Row
  expectedKeys: readonly string[]
}

const typeNames: Record<MachineType, string> = {
  cabo: 'CABO',
  'terminal-l1': 'TERMINAL_LD1',
  'terminal-l2': 'TERMINAL_LD2',
  juncao: 'JUNCAO',
}

export const searchItems: ListOperation<{ branch: string; term: string; mode: SearchMode }, ErpItem> = {
  name: 'searchItems',
  path: 'items',
  query: ({ branch, term, mode }) => ({
    filial: branch,
    termo: term,
    tipo: term.length === BARCODE_LENGTH ? 'CODBAR' : 'OP',
    modo: mode,
  }),
  rowKey: 'Z1_CODBAR',
  quantities: itemQuantities,
  row: toItem,
  expectedKeys: [...listAnswerKeys, 'Z1_CODBAR'],
}

export const listMachines: ListOperation<{ branch: string; type?: MachineType | undefined }, Machine> = {
  name: 'listMachines',
  path: 'machines',
  query: ({ branch, type }) => ({ filial: branch, ...(type ? { tipo: typeNames[type] } : {}) }),
  rowKey: 'ID',
  quantities: [],
  row: toMachine,
  expectedKeys: [...listAnswerKeys, 'ID'],
}

export const searchJunctions: ListOperation<{ branch: string; order: string }, ErpJunction> = {
  name: 'searchJunctions',
  path: 'junctions',
  query: ({ branch, order }) => ({ filial: branch, numeroOp: order }),
  rowKey: 'Z8_POSICAO',
  quantities: junctionQuantities,
  row: toJunction,
  expectedKeys: [...listAnswerKeys, 'Z8_POSICAO'],
}

/** A call that changes something. */
export type WriteOperation<Payload> = {
  name: string
  path: WritePath
  body: (payload: Payload, settings: ErpSettings) => ErpObject
  /** Keys of a good answer, and the message where the ERP gives none. */
  expectedKeys: readonly string[]
  confirmedMessage: string
}

export const recordCutCrimp: WriteOperation<CutCrimpRecording> = {
  name: 'recordCutCrimp',
  path: 'recordings',
  body: toErpRecording,
  expectedKeys: ['REGISTRO', 'ID_INTEGRACAO', 'STATUS'],
  confirmedMessage: RECORDED_MESSAGE,
}

export const recordJunction: WriteOperation<JunctionRecording> = {
  name: 'recordJunction',
  path: 'junctionRecordings',
  body: (recording, { dateFormats }) => toErpJunctionRecording(recording, dateFormats.junctionRecordings),
  expectedKeys: ['REGISTRO', 'ID_INTEGRACAO', 'STATUS'],
  confirmedMessage: JUNCTION_RECORDED_MESSAGE,
}

export const confirmReceipt: WriteOperation<ReceiptConfirmation> = {
  name: 'confirmReceipt',
  path: 'receipts',
  body: (receipt, { dateFormats }) => toErpReceipt(receipt, dateFormats.receipts),
  expectedKeys: ['Z1_CODBAR', 'Z1_CONFERE', 'ID_INTEGRACAO', 'STATUS'],
  confirmedMessage: RECEIPT_MESSAGE,
}
