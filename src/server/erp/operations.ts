import type { ErpItem, SearchMode } from '../../contract/items.ts'
import type { Machine, MachineType } from '../../contract/machines.ts'
import type { CutCrimpRecording } from '../../contract/recordings.ts'
import { BARCODE_LENGTH } from '../../contract/values.ts'
import type { ErpObject } from './answer.ts'
import { listAnswerKeys, toErpRecording, toItem, toMachine } from './mapping.ts'
import type { ErpSettings } from './settings.ts'

export type Path = keyof ErpSettings['paths']

/** A call that lists: what is asked, and how a row reads. */
export type ListOperation<Query, Row> = {
  name: string
  path: Path
  query: (query: Query) => Record<string, string>
  rowKey: string
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
  row: toItem,
  expectedKeys: [...listAnswerKeys, 'Z1_CODBAR'],
}

export const listMachines: ListOperation<{ branch: string; type?: MachineType | undefined }, Machine> = {
  name: 'listMachines',
  path: 'machines',
  query: ({ branch, type }) => ({ filial: branch, ...(type ? { tipo: typeNames[type] } : {}) }),
  rowKey: 'ID',
  row: toMachine,
  expectedKeys: [...listAnswerKeys, 'ID'],
}

/** A call that changes something. */
export type WriteOperation<Payload> = {
  name: string
  path: Path
  body: (payload: Payload, integrationId: string) => ErpObject
  expectedKeys: readonly string[]
}

export const recordCutCrimp: WriteOperation<CutCrimpRecording> = {
  name: 'recordCutCrimp',
  path: 'recordings',
  body: toErpRecording,
  expectedKeys: ['REGISTRO', 'ID_INTEGRACAO', 'STATUS'],
}
