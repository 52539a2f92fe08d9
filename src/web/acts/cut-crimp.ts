import { type CutItem, items, type Part } from '../../contract/items.ts'
import {
  type CutCrimpRecording,
  partOf,
  RECORDED_MESSAGE,
  recordings,
  WAITING_MESSAGE,
} from '../../contract/recordings.ts'
import { crimpsOf, naturalKey } from '../../domain/acts/recordings.ts'
import { formsOf } from '../../domain/forms/recorded-forms.ts'
import { buildPayload, type RecordingForms, refusalOf } from '../../domain/forms/recording-form.ts'
import { piecesText } from '../../domain/text/numbers.ts'
import { query } from '../server/query.ts'
import { links } from '../text/links.ts'
import type { FormDraft, Frozen, WorkAct } from './act.ts'
import { goesBackTo, partNames, recordingMessages } from './act-texts.ts'
import { refusalWords } from './refusal-words.ts'

/** The first kind there was: what tablets have kept of it names none. */
export type FrozenCutCrimp = Frozen<CutCrimpRecording> & { kind?: undefined; barcode: string; part: Part }

/** A recording always carries one part's fields: the contract refuses any other. */
export const recordedPart = (recording: CutCrimpRecording): Part => partOf(recording) ?? 'cabo'

/** As a notice names it beside what was done. */
export const itemName = (item: CutItem | undefined) => item && `item ${item.Z1_ITEMEST}`

export const itemDraft = {
  prefix: 'rascunho:',
  keyOf: ({ branch, barcode }: Pick<FrozenCutCrimp, 'branch' | 'barcode'>) => `rascunho:${branch}:${barcode}`,
  sectionOf: ({ part }) => part,
  formsOf: ({ payload, part }) => formsOf(payload, part),
  barcodeOf: ({ barcode }) => barcode,
} satisfies FormDraft<FrozenCutCrimp>

export type PressedItem = { item: CutItem; part: Part; forms: RecordingForms }

export const cutCrimp: WorkAct<FrozenCutCrimp, PressedItem> = {
  endpoint: recordings.createCutCrimp,
  placeOf: (payload) => ({ branch: payload.EMPRESA, barcode: payload.COD_BARRA, part: recordedPart(payload) }),
  deliveryKeyOf: ({ branch, barcode, part }) => naturalKey(branch, barcode, part),
  pathOf: () => links.itemEdit,
  payloadOf: ({ item, part, forms }, author) => buildPayload(item, part, forms, author),
  titleOf: (payload) => `${partNames[recordedPart(payload)]} · ${piecesText(payload.QTD_REALIZADA)}`,
  factsOf: (payload, item: CutItem | null) => [
    ['OP', payload.ORDEM_PROD],
    ['Item', item?.Z1_ITEMEST],
    ['Código de barras', payload.COD_BARRA],
    ['Lote', payload.LOTE_CABO ?? payload.LOTE_TERM_LD1 ?? payload.LOTE_TERM_LD2],
    ['Máquina', payload.MAQUINA],
    ['Mini aplicador', payload.MA_LD1 ?? payload.MA_LD2],
  ],
  messages: {
    ...recordingMessages,
    recorded: RECORDED_MESSAGE,
    refused: (error) => refusalWords(error) || 'Erro ao realizar apontamento',
    takenBack: goesBackTo('do item'),
  },
  erp: {
    waiting: WAITING_MESSAGE,
    discarded: (payload) => {
      const crimps = crimpsOf(payload)
      return crimps
        ? `As peças saem da produção e do contador do mini aplicador ${crimps.applicator}.`
        : 'As peças saem da produção.'
    },
  },
  work: {
    refusalOf: ({ item, part, forms }) => refusalOf(item, part, forms),
    piecesIn: ({ QTD_REALIZADA }) => QTD_REALIZADA,
    operatorIn: ({ OPERADOR }) => OPERADOR,
    readingOf: ({ branch, barcode }) =>
      query(items.get, { params: { codigoBarras: barcode }, query: { filial: branch } }),
    itemIn: ({ item }) => item,
    draft: itemDraft,
  },
}
