import type { QueryKey } from '@tanstack/react-query'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { RefusalCode } from '../../contract/errors.ts'
import { type CutItem, items, type Part } from '../../contract/items.ts'
import {
  JUNCTION_RECORDED_MESSAGE,
  type Junction,
  type JunctionRecording,
  junctions,
} from '../../contract/junctions.ts'
import type { CallSymptom, MaintenanceCallForm } from '../../contract/maintenance-calls.ts'
import { RECEIPT_MESSAGE, RECEIPT_WAITING_MESSAGE, type Receipt, receipts } from '../../contract/receipts.ts'
import {
  type CutCrimpRecording,
  partOf,
  RECORDED_MESSAGE,
  type RecordingAnswer,
  recordings,
  WAITING_MESSAGE,
} from '../../contract/recordings.ts'
import { symptomTexts } from '../../domain/call-symptoms.ts'
import { formsOf } from '../../domain/corrections.ts'
import { buildJunctionPayload, type JunctionForm, junctionFormOf, junctionRefusal } from '../../domain/junctions.ts'
import { plantDay } from '../../domain/plant-time.ts'
import { buildPayload, type RecordingForms, refusalOf } from '../../domain/recording-form.ts'
import { type AuthorNow, captureOf, crimpsOf, naturalKey } from '../../domain/recordings.ts'
import { formatCount } from '../app/format.ts'
import { junctionDetailsPath, links } from '../app/links.ts'
import type { ApiError } from '../server/api.ts'
import { query } from '../server/query.ts'

type Frozen = {
  id: string
  /** Who made it, and what delivers it in this person's name when somebody else is logged in. */
  username: string
  grant: string
  /** Of its answer: takes the place of the grant, should it be offered again. */
  receipt?: string | undefined
  branch: string
  frozenAt: string
  /** Where the server's clock was not known then: this page, and how long it had been open. */
  ownClock?: { page: string; elapsedMs: number } | undefined
}

/** The first kind there was: what tablets have kept of it names none. */
export type FrozenCutCrimp = Frozen & { kind?: undefined; barcode: string; part: Part; payload: CutCrimpRecording }
export type FrozenJunction = Frozen & { kind: 'junction'; order: string; junction: string; payload: JunctionRecording }
export type FrozenReceipt = Frozen & { kind: 'receipt'; barcode: string; payload: Receipt }
/** Where somebody stands who calls maintenance; texts are empty where there is no such thing. */
export type CallPlace = {
  /** Its id. */
  machine: string
  tool: string
  order: string
  /** Of an item, else empty. */
  barcode: string
  side: '1' | '2' | ''
  /** Of a junction, else empty. */
  junction: string
}
export type FrozenMaintenanceCall = Frozen &
  CallPlace & { kind: 'maintenanceCall'; symptom: CallSymptom; payload: MaintenanceCallForm }

/** One physical act as the first 'Registrar' froze it. Its id and content never change. */
export type FrozenRecording = FrozenCutCrimp | FrozenJunction | FrozenReceipt | FrozenMaintenanceCall

export type PlaceOf<Recording> = Recording extends unknown
  ? Omit<Recording, Exclude<keyof Frozen, 'branch'> | 'payload'>
  : never

/** What a recording belongs to: a part of an item, a junction, an item that was received, a machine that needs somebody. */
export type Place = PlaceOf<FrozenRecording>

type Author = AuthorNow & { username: string; displayName: string }

/** The form in which it is typed. */
type FormDraft<Recording extends FrozenRecording> = {
  /** Of every key under which local storage keeps one. */
  prefix: string
  keyOf(place: PlaceOf<Recording>): string
  /** Which of the forms that are kept together. */
  sectionOf(place: PlaceOf<Recording>): string
  /** What stood in the form. */
  formsOf(recording: Recording): Record<string, object>
  /** Of the item that is kept beside it, so that a reload returns to it. */
  barcodeOf(place: PlaceOf<Recording>): string | undefined
}

/** What differs between the kinds of recordings. All go one way, through `useRecorder`, the queue and the sender. */
export type Kind<Recording extends FrozenRecording, Pressed> = {
  /** Of a kind that few pages send it is fetched first: whoever cannot do that could send nothing either (decision 061). */
  endpoint: Endpoint | (() => Promise<Endpoint>)
  placeOf(payload: Recording['payload']): PlaceOf<Recording>
  /** Recordings of one delivery key reach the server in the order in which they were made. */
  deliveryKeyOf(place: PlaceOf<Recording>): string
  /** What to read anew after an answer; null where a screen marks its own list. */
  readingOf(place: PlaceOf<Recording>): { queryKey: QueryKey } | null
  /** What it is about, as the answer has it; null: it has to be read. */
  itemIn(answer: RecordingAnswer): CutItem | null
  /** Null: it is not typed but scanned. */
  draft: FormDraft<Recording> | null
  /** Where it is made. */
  pathOf(place: PlaceOf<Recording>): string
  /** What keeps the operator from registering, in the words shown. */
  refusalOf(pressed: Pressed): string | null
  /** The content as it stands at 'Registrar'. Ask `refusalOf` first. */
  payloadOf(pressed: Pressed, author: Author): Recording['payload']
  /** Who made it, as the content says. */
  operatorIn(payload: Recording['payload']): string | undefined
  piecesIn(payload: Recording['payload']): number
  /** 'Terminal Lado 1 · 10 peças' */
  titleOf(payload: Recording['payload']): string
  /** On which item, with what: names and texts, of which empty ones are not shown. `item` as it is known here. */
  factsOf(payload: Recording['payload'], item: CutItem | Junction | null): [name: string, text: string | undefined][]
  messages: {
    recorded: string
    /** On this device, without network. */
    saved: string
    notKept: string
    /** As the server says it of what the ERP does not have yet. */
    waiting: string
    refused(error: ApiError): string
    /** What discarding it means. */
    discarded(payload: Recording['payload']): string
    takeBack: string
    takenBack: string
    /** What to look at before it is taken back, where the server had answered it once; null: nothing. */
    answeredBefore: string | null
  }
}

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

const CALL_WAITING = 'Sem rede: chame também de viva voz. O chamado segue quando a rede voltar.'

type PressedCall = CallPlace & { branch: string; symptom: CallSymptom }

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
  }),
  deliveryKeyOf: ({ branch, machine, tool, symptom }) => `chamado|${branch}|${machine}|${tool}|${symptom}`,
  readingOf: () => null,
  itemIn: () => null,
  draft: null,
  pathOf: () => links.equipment,
  refusalOf: () => null,
  payloadOf: ({ branch, machine, tool, order, barcode, side, junction: position, symptom }, author) => ({
    filial: branch,
    maquina: machine,
    ...given({ miniaplicador: tool, ordem: order, codigoBarras: barcode, posicao: position }),
    ...(side === '' ? {} : { lado: side }),
    sintoma: symptom,
    captura: captureOf(author),
  }),
  operatorIn: () => undefined,
  piecesIn: () => 0,
  titleOf: ({ sintoma }) => `Chamado de manutenção · ${symptomTexts[sintoma]}`,
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
    notKept: 'Não foi possível guardar o chamado neste dispositivo. Chame de viva voz.',
    waiting: CALL_WAITING,
    refused: ({ message }) => message || 'Erro ao chamar a manutenção',
    discarded: () => 'O chamado deixa de existir.',
    takeBack: 'Retirar da fila',
    takenBack: 'O chamado sai da fila e a manutenção não é avisada. Se ainda for preciso, chame de novo.',
    answeredBefore: null,
  },
}

export const kinds = { cutCrimp, junction, receipt, maintenanceCall }

export type AnyKind = Kind<FrozenRecording, unknown>

export const kindOf = (place: Pick<Place, 'kind'>): AnyKind => kinds[place.kind ?? 'cutCrimp']

/** Of a content that does not stand on this device. */
export function kindOfPayload(payload: FrozenRecording['payload']): AnyKind {
  if ('sintoma' in payload) return kinds.maintenanceCall
  if ('codigoBarras' in payload) return kinds.receipt
  return 'TIPO_REGISTRO' in payload ? kinds.junction : kinds.cutCrimp
}

export const deliveryKeyOf = (place: Place): string => kindOf(place).deliveryKeyOf(place)

/** Whether it is of this kind, and of what `place` names. */
export const isOf = <Recording extends FrozenRecording, Pressed>(
  recording: FrozenRecording,
  kind: Kind<Recording, Pressed>,
  place: Partial<PlaceOf<Recording>>,
): recording is Recording =>
  kindOf(recording) === kind &&
  Object.entries(place).every(([name, value]) => recording[name as keyof FrozenRecording] === value)

/** As the plant knows this person. */
export const authorOf = (recording: FrozenRecording): string =>
  kindOf(recording).operatorIn(recording.payload)?.trim() || recording.username
