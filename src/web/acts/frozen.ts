import type { QueryKey } from '@tanstack/react-query'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { CutItem, Part } from '../../contract/items.ts'
import type { Junction, JunctionRecording } from '../../contract/junctions.ts'
import type { CallSymptom, CallTopic, MaintenanceCallForm } from '../../contract/maintenance-calls.ts'
import type { MeasurementForm } from '../../contract/measurements.ts'
import type { Receipt } from '../../contract/receipts.ts'
import type { CutCrimpRecording, RecordingAnswer } from '../../contract/recordings.ts'
import type { CallTeam } from '../../contract/values.ts'
import type { AuthorNow } from '../../domain/recordings.ts'
import type { ApiError } from '../server/api.ts'

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
/** Where somebody stands who calls; texts are empty where there is no such thing. */
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
/** Who is called, and for what. What names no team is for maintenance: a page of the version before knew no other. */
export type CallReason = { symptom: CallSymptom; team?: CallTeam | undefined; topic?: CallTopic | undefined }
export type FrozenMaintenanceCall = Frozen &
  CallPlace &
  CallReason & { kind: 'maintenanceCall'; payload: MaintenanceCallForm }

/** Of an end of an item, else of a junction; texts are empty where there is no such thing. */
export type FrozenMeasurement = Frozen & {
  kind: 'measurement'
  barcode: string
  part: MeasurementForm['parte']
  order: string
  junction: string
  payload: MeasurementForm
}

/** One physical act as the first 'Registrar' froze it. Its id and content never change. */
export type FrozenRecording =
  | FrozenCutCrimp
  | FrozenJunction
  | FrozenReceipt
  | FrozenMaintenanceCall
  | FrozenMeasurement

export type PlaceOf<Recording> = Recording extends unknown
  ? Omit<Recording, Exclude<keyof Frozen, 'branch'> | 'payload'>
  : never

/** What a recording belongs to: a part of an item, a junction, an item that was received, a machine that needs somebody, a crimp that was measured. */
export type Place = PlaceOf<FrozenRecording>

type Author = AuthorNow & { username: string; displayName: string }

/** The form in which it is typed. */
export type FormDraft<Recording extends FrozenRecording> = {
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
  /** The server has it, and what it says of it is no good news. */
  isWarning?(answer: RecordingAnswer): boolean
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
