import type { RefusalCode } from '../../contract/errors.ts'
import { type CutItem, items, type Part } from '../../contract/items.ts'
import { JUNCTION_RECORDED_MESSAGE, type Junction, junctions } from '../../contract/junctions.ts'
import type { Characteristic, MeasurementAnswer, MeasurementForm } from '../../contract/measurements.ts'
import { RECEIPT_MESSAGE, RECEIPT_WAITING_MESSAGE, receipts } from '../../contract/receipts.ts'
import {
  type CutCrimpRecording,
  partOf,
  RECORDED_MESSAGE,
  recordings,
  WAITING_MESSAGE,
} from '../../contract/recordings.ts'
import { symptomTexts } from '../../domain/call-symptoms.ts'
import { formsOf } from '../../domain/corrections.ts'
import { buildJunctionPayload, type JunctionForm, junctionFormOf, junctionRefusal } from '../../domain/junctions.ts'
import { plantDay } from '../../domain/plant-time.ts'
import { buildPayload, type RecordingForms, refusalOf } from '../../domain/recording-form.ts'
import { captureOf, crimpsOf, naturalKey } from '../../domain/recordings.ts'
import { formatCount } from '../app/format.ts'
import { junctionDetailsPath, links } from '../app/links.ts'
import type { ApiError } from '../server/api.ts'
import { query } from '../server/query.ts'
import type {
  CallPlace,
  CallReason,
  FormDraft,
  FrozenCutCrimp,
  FrozenJunction,
  FrozenMaintenanceCall,
  FrozenMeasurement,
  FrozenReceipt,
  FrozenRecording,
  Kind,
  Place,
  PlaceOf,
} from './frozen.ts'

/** What is sent, as a person calls it, and the field of the form where it stands. */
const sentFields: [prefix: RegExp, name: string, field: string | null][] = [
  [/^FORCA/, 'Força de extração', 'force'],
  [/^ALTURA/, 'Altura de crimpagem', 'height'],
  [/^LOTE/, 'Lote', 'lot'],
  [/^MAQUINA/, 'Máquina', 'machine'],
  [/^QTD_(REALIZADA|APONTADA)/, 'Quantidade de peças', 'quantity'],
  [/^TERMINAL/, 'Terminal', null],
]
const sentField = (sent: string) => sentFields.find(([prefix]) => prefix.test(sent))

export const fieldName = (sent: string): string => sentField(sent)?.[1] ?? sent

/** Where a refusal is said in the form; null: it is about no field, or about one that the form does not have. */
export const formField = (sent: string): string | null => sentField(sent)?.[2] ?? null

const refusedQuantities: readonly string[] = [
  'quantity_exceeds_balance',
  'quantity_exceeds_junction',
] satisfies RefusalCode[]

export const refusedField = ({ code, details: [detail] }: ApiError): string | null =>
  refusedQuantities.includes(code) ? 'quantity' : detail ? formField(detail.field) : null

/** A refusal in words, with the fields that it is about: whoever corrects them must know which. */
export const refusalWords = ({ message, details }: ApiError): string =>
  [message, ...details.map((one) => `${fieldName(one.field)}: ${one.message}.`)].join(' ')

const partNames: Record<Part, string> = { cabo: 'Cabo', l1: 'Terminal Lado 1', l2: 'Terminal Lado 2' }

/** A recording always carries one part's fields: the contract refuses any other. */
export const recordedPart = (recording: CutCrimpRecording): Part => partOf(recording) ?? 'cabo'

const piecesText = (count: number) => (count === 1 ? '1 peça' : `${formatCount(count)} peças`)

/** As a notice names it beside what was done. */
export const itemName = (item: CutItem | undefined) => item && `item ${item.Z1_ITEMEST}`

const recordingMessages = {
  saved: 'Salvo neste dispositivo. Será enviado quando a rede voltar.',
  notKept: 'Não foi possível guardar o apontamento neste dispositivo. Nada foi enviado.',
  answeredBefore: 'Confira antes no ERP: ele pode já ter este apontamento.',
}

const goesBackTo = (form: string) =>
  `O apontamento sai da fila e volta ao formulário ${form}. Ele só conta depois que você corrigir e registrar.`

export const itemDraft = {
  prefix: 'rascunho:',
  keyOf: ({ branch, barcode }: Pick<FrozenCutCrimp, 'branch' | 'barcode'>) => `rascunho:${branch}:${barcode}`,
  sectionOf: ({ part }) => part,
  formsOf: ({ payload, part }) => formsOf(payload, part),
  barcodeOf: ({ barcode }) => barcode,
} satisfies FormDraft<FrozenCutCrimp>

export type PressedItem = { item: CutItem; part: Part; forms: RecordingForms }

const cutCrimp: Kind<FrozenCutCrimp, PressedItem> = {
  endpoint: recordings.createCutCrimp,
  placeOf: (payload) => ({ branch: payload.EMPRESA, barcode: payload.COD_BARRA, part: recordedPart(payload) }),
  deliveryKeyOf: ({ branch, barcode, part }) => naturalKey(branch, barcode, part),
  readingOf: ({ branch, barcode }) =>
    query(items.get, { params: { codigoBarras: barcode }, query: { filial: branch } }),
  itemIn: ({ item }) => item,
  draft: itemDraft,
  pathOf: () => links.itemEdit,
  refusalOf: ({ item, part, forms }) => refusalOf(item, part, forms),
  payloadOf: ({ item, part, forms }, author) => buildPayload(item, part, forms, author),
  operatorIn: ({ OPERADOR }) => OPERADOR,
  piecesIn: ({ QTD_REALIZADA }) => QTD_REALIZADA,
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
    waiting: WAITING_MESSAGE,
    refused: (error) => refusalWords(error) || 'Erro ao realizar apontamento',
    discarded: (payload) => {
      const crimps = crimpsOf(payload)
      return crimps
        ? `As peças saem da produção e do contador do mini aplicador ${crimps.applicator}.`
        : 'As peças saem da produção.'
    },
    takeBack: 'Devolver ao formulário',
    takenBack: goesBackTo('do item'),
  },
}

export const junctionDraft = {
  prefix: 'rascunho-juncao:',
  keyOf: ({ branch, order, junction: position }: Omit<PlaceOf<FrozenJunction>, 'kind'>) =>
    `rascunho-juncao:${branch}:${order}:${position}`,
  sectionOf: () => 'form',
  formsOf: ({ payload }) => ({ form: junctionFormOf(payload) }),
  barcodeOf: () => undefined,
} satisfies FormDraft<FrozenJunction>

type PressedJunction = { junction: Junction; form: JunctionForm; branch: string; order: string; timeZone: string }

const junction: Kind<FrozenJunction, PressedJunction> = {
  endpoint: junctions.record,
  placeOf: (payload) => ({
    kind: 'junction',
    branch: payload.FILIAL,
    order: payload.NUMERO_OP,
    junction: payload.POSICAO,
  }),
  deliveryKeyOf: (place) => `junção|${place.branch}|${place.order}|${place.junction}`,
  readingOf: ({ branch, order, junction }) =>
    query(junctions.details, { query: { filial: branch, numeroOp: order, posicao: junction } }),
  // its percentage is the ERP's own
  itemIn: () => null,
  draft: junctionDraft,
  pathOf: (place) => junctionDetailsPath(place.branch, place.order, place.junction),
  refusalOf: (pressed) => junctionRefusal(pressed.junction, pressed.form),
  payloadOf: ({ junction: joined, form, branch, order, timeZone }, author) => {
    const day = plantDay(Date.parse(author.registeredAt), timeZone)
    return buildJunctionPayload(joined, form, { ...author, branch, order, day })
  },
  operatorIn: ({ OPERADOR }) => OPERADOR,
  piecesIn: ({ QTD_APONTADA }) => QTD_APONTADA,
  titleOf: (payload) => `Junção ${payload.POSICAO} · ${piecesText(payload.QTD_APONTADA)}`,
  factsOf: (payload) => [
    ['OP', payload.NUMERO_OP],
    ['Grupo MP', payload.GRUPO_MP],
    ['Terminal', payload.TERMINAL],
    ['Lote', payload.LOTE_TERMINAL],
    ['Máquina', payload.MAQUINA],
  ],
  messages: {
    ...recordingMessages,
    recorded: JUNCTION_RECORDED_MESSAGE,
    waiting: WAITING_MESSAGE,
    refused: ({ message, status }) => {
      const unsaid = status === 400 ? 'Dados inválidos para registro' : 'Erro ao registrar apontamento'
      return `Erro ao registrar apontamento: ${message || unsaid}`
    },
    discarded: () => 'As peças saem da produção.',
    takeBack: 'Devolver ao formulário',
    takenBack: goesBackTo('da junção'),
  },
}

const receipt: Kind<FrozenReceipt, Omit<PlaceOf<FrozenReceipt>, 'kind'>> = {
  endpoint: receipts.confirm,
  placeOf: (payload) => ({ kind: 'receipt', branch: payload.filial, barcode: payload.codigoBarras }),
  deliveryKeyOf: ({ branch, barcode }) => `recebimento|${branch}|${barcode}`,
  readingOf: () => null,
  itemIn: () => null,
  draft: null,
  pathOf: () => links.cutCheck,
  refusalOf: () => null,
  payloadOf: ({ branch, barcode }, author) => ({ filial: branch, codigoBarras: barcode, captura: captureOf(author) }),
  operatorIn: () => undefined,
  piecesIn: () => 0,
  titleOf: () => 'Recebimento',
  factsOf: ({ codigoBarras }, item: CutItem | null) => [
    ['OP', item?.Z1_OP],
    ['Item', item?.Z1_ITEMEST],
    ['Código de barras', codigoBarras],
  ],
  messages: {
    ...recordingMessages,
    recorded: RECEIPT_MESSAGE,
    waiting: RECEIPT_WAITING_MESSAGE,
    refused: ({ message }) => message || 'Erro ao confirmar recebimento',
    discarded: () => 'O recebimento deixa de contar.',
    takeBack: 'Retirar da fila',
    takenBack: 'O recebimento sai da fila e não conta. Para receber o item, leia o código novamente.',
  },
}

/** Empty texts are left out. */
const given = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))

const CALL_WAITING = 'Sem rede: chame também pessoalmente. O chamado segue quando a rede voltar.'

/** `act`: the sample outside that it follows. */
type PressedCall = CallPlace & CallReason & { branch: string; act?: string }

const maintenanceCall: Kind<FrozenMaintenanceCall, PressedCall> = {
  endpoint: async () => (await import('../../contract/maintenance-calls.ts')).maintenanceCalls.open,
  placeOf: (payload) => ({
    kind: 'maintenanceCall',
    branch: payload.filial,
    machine: payload.maquina,
    tool: payload.miniaplicador ?? '',
    order: payload.ordem ?? '',
    barcode: payload.codigoBarras ?? '',
    side: payload.lado ?? '',
    junction: payload.posicao ?? '',
    symptom: payload.sintoma,
    team: payload.equipe,
    topic: payload.assunto,
  }),
  // of maintenance the last two are empty, as in what a page of the version before has stored
  deliveryKeyOf: ({ branch, machine, tool, symptom, team, topic }) =>
    ['chamado', branch, machine, tool, symptom, team, topic].join('|'),
  readingOf: () => null,
  itemIn: () => null,
  draft: null,
  pathOf: () => links.equipment,
  refusalOf: () => null,
  payloadOf: ({ branch, machine, tool, order, barcode, side, junction: position, ...reason }, author) => ({
    filial: branch,
    maquina: machine,
    ...given({ miniaplicador: tool, ordem: order, codigoBarras: barcode, posicao: position }),
    ...(side === '' ? {} : { lado: side }),
    sintoma: reason.symptom,
    ...(reason.team && { equipe: reason.team, assunto: reason.topic, medicao: reason.act || undefined }),
    captura: captureOf(author),
  }),
  operatorIn: () => undefined,
  piecesIn: () => 0,
  titleOf: ({ equipe, sintoma }) => (equipe ? 'Chamado' : `Chamado · ${symptomTexts[sintoma]}`),
  factsOf: ({ maquina, miniaplicador, ordem, codigoBarras, posicao, lado }) => [
    ['Máquina', maquina],
    ['Mini aplicador', miniaplicador],
    ['OP', ordem],
    ['Código de barras', codigoBarras],
    ['Lado', lado],
    ['Junção', posicao],
  ],
  messages: {
    recorded: 'Chamado aberto.',
    saved: CALL_WAITING,
    notKept: 'O chamado não foi guardado neste dispositivo. Chame pessoalmente.',
    waiting: CALL_WAITING,
    refused: ({ message }) => message || 'Erro ao chamar',
    discarded: () => 'O chamado deixa de existir.',
    takeBack: 'Retirar da fila',
    takenBack: 'O chamado sai da fila. Se ainda for preciso, chame de novo.',
    answeredBefore: null,
  },
}

/** Of what is measured on a tablet. */
const characteristicNames: Partial<Record<Characteristic, string>> = { altura: 'Altura', forca: 'Força' }
const milliText = (milli: number) => (milli / 1000).toLocaleString('pt-BR', { maximumFractionDigits: 3 })

/** It travels with the recordings of its crimp, so that it is there before the one that names it. */
const measurement: Kind<FrozenMeasurement, Omit<MeasurementForm, 'captura'>> = {
  endpoint: async () => (await import('../../contract/measurements.ts')).measurements.create,
  placeOf: ({ filial, parte, ordem, codigoBarras = '', posicao = '' }) => ({
    kind: 'measurement',
    branch: filial,
    barcode: codigoBarras,
    part: parte,
    order: ordem,
    junction: posicao,
  }),
  deliveryKeyOf: ({ branch, barcode, part, order, junction: position }) =>
    part === 'juncao'
      ? junction.deliveryKeyOf({ kind: 'junction', branch, order, junction: position })
      : naturalKey(branch, barcode, part),
  readingOf: () => null,
  itemIn: () => null,
  isWarning: (answer) => (answer as MeasurementAnswer).medicoes.some(({ veredito }) => veredito === 'fora'),
  draft: null,
  pathOf: () => links.pending,
  refusalOf: () => null,
  payloadOf: (form, author) => ({ ...form, captura: captureOf(author) }),
  operatorIn: () => undefined,
  piecesIn: () => 0,
  titleOf: ({ parte, posicao }) => `Medição · ${parte === 'juncao' ? `Junção ${posicao}` : partNames[parte]}`,
  factsOf: ({ ordem, codigoBarras, miniaplicador, lote, instrumento, leituras }) => [
    ...leituras.map(({ caracteristica, valores }): [string, string] => [
      characteristicNames[caracteristica] ?? caracteristica,
      valores.map(milliText).join(' · '),
    ]),
    ['OP', ordem],
    ['Código de barras', codigoBarras],
    ['Lote', lote],
    ['Mini aplicador', miniaplicador],
    ['Instrumento', instrumento],
  ],
  messages: {
    recorded: 'Medição salva.',
    saved: 'Medição salva neste dispositivo. Será enviada quando a rede voltar.',
    notKept: 'Não foi possível guardar a medição neste dispositivo. Anote as leituras.',
    waiting: '',
    refused: ({ message }) => message || 'Erro ao salvar a medição',
    discarded: () => '',
    takeBack: 'Retirar da fila',
    takenBack: 'A medição sai da fila e não fica guardada. Se ainda for preciso, meça de novo.',
    answeredBefore: null,
  },
}

export const kinds = { cutCrimp, junction, receipt, maintenanceCall, measurement }

export type AnyKind = Kind<FrozenRecording, unknown>

export const kindOf = (place: Pick<Place, 'kind'>): AnyKind => kinds[place.kind ?? 'cutCrimp']

/** Of a content that does not stand on this device. */
export function kindOfPayload(payload: FrozenRecording['payload']): AnyKind {
  if ('sintoma' in payload) return kinds.maintenanceCall
  if ('leituras' in payload) return kinds.measurement
  if ('codigoBarras' in payload) return kinds.receipt
  return 'TIPO_REGISTRO' in payload ? kinds.junction : kinds.cutCrimp
}

export const deliveryKeyOf = (place: Place): string => kindOf(place).deliveryKeyOf(place)

/** Whether it is of this kind, and of what `place` names. */
export const isOf = <Recording extends FrozenRecording, Pressed>(
  recording: FrozenRecording,
  kind: Kind<Recording, Pressed>,
  place: Partial<PlaceOf<Recording>>,
): recording is Recording => {
  if (kindOf(recording) !== kind) return false
  // asked of each that waits, for each item on the screen: without an array for each answer
  for (const name in place) {
    if (recording[name as keyof FrozenRecording] !== place[name]) return false
  }
  return true
}

/** As the plant knows this person. */
export const authorOf = (recording: FrozenRecording): string =>
  kindOf(recording).operatorIn(recording.payload)?.trim() || recording.username
