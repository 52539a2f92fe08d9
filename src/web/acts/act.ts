import type { QueryKey } from '@tanstack/react-query'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { CutItem } from '../../contract/items.ts'
import type { Junction } from '../../contract/junctions.ts'
import type { RecordingAnswer } from '../../contract/recordings.ts'
import type { AuthorNow } from '../../domain/acts/recordings.ts'
import type { ApiError } from '../server/api.ts'

/** One physical act as the first 'Registrar' froze it. Its id and content never change. */
export type Frozen<Payload extends object = object> = {
  id: string
  /** Author, and the grant that delivers it in this person's name when somebody else is logged in. */
  username: string
  /** The author, as the plant knows this person. What a version before has kept does not say it. */
  displayName?: string | undefined
  grant: string
  /** Receipt of its answer: replaces the grant when the act is offered again. */
  receipt?: string | undefined
  branch: string
  frozenAt: string
  /** Where the server's clock was not known then: this page, and how long it had been open. */
  ownClock?: { page: string; elapsedMs: number } | undefined
  payload: Payload
}

/** Where it was done: a part of an item, a junction, an item that was received, a machine that needs somebody, a crimp. */
export type PlaceOf<F> = F extends unknown ? Omit<F, Exclude<keyof Frozen, 'branch'>> : never

type Author = AuthorNow & { username: string; displayName: string }

/** One kind of act, a row each. All go one way, through `useRecorder`, the queue and the sender. */
export type Act<F extends Frozen, Pressed> = {
  /**
   * The row of a kind that few pages send is fetched first: a page that cannot do that could send nothing either
   * (decision 061).
   */
  endpoint: Endpoint | (() => Promise<Endpoint>)
  placeOf(payload: F['payload']): PlaceOf<F>
  /** Acts of one delivery key reach the server in the order in which they were made. */
  deliveryKeyOf(place: PlaceOf<F>): string
  /** The screen on which it is made. */
  pathOf(place: PlaceOf<F>): string
  /** The content as it stands at 'Registrar'. Ask `refusalOf` first. */
  payloadOf(pressed: Pressed, author: Author): F['payload']
  /** 'Terminal Lado 1 · 10 peças' */
  titleOf(payload: F['payload']): string
  /** On which item, with what: names and texts, of which empty ones are not shown. `item` as it is known here. */
  factsOf(payload: F['payload'], item: CutItem | Junction | null): [name: string, text: string | undefined][]
  /** The server has it, and what it says of it is no good news. */
  isWarning?(answer: RecordingAnswer): boolean
  messages: {
    recorded: string
    /** On this device, without network. */
    saved: string
    notKept: string
    refused(error: ApiError): string
    /** The consequence of taking it out of the queue. */
    takenBack: string
  }
  /** Set where the ERP hears of it too. */
  erp?: {
    /** As the server says it of what the ERP does not have yet. */
    waiting: string
    /** The consequence of discarding it. */
    discarded(payload: F['payload']): string
  }
  /** Set where it is typed in a form and makes pieces. */
  work?: Piecework<F, Pressed>
}

type Piecework<F extends Frozen, Pressed> = {
  /** The objection to registering, in the words shown. */
  refusalOf(pressed: Pressed): string | null
  piecesIn(payload: F['payload']): number
  /** The operator that the content names. */
  operatorIn(payload: F['payload']): string | undefined
  /** The answers to invalidate once the server has said something of it. */
  readingOf(place: PlaceOf<F>): { queryKey: QueryKey }
  /** The item as the answer has it; without this it is read again. */
  itemIn?(answer: RecordingAnswer): CutItem | null
  /** What `readingOf` has read, with an act that the server has taken since: until it is read again. */
  withTaken?(read: never, payload: F['payload']): object
  draft: FormDraft<F>
}

/** The form in which it is typed. */
export type FormDraft<F extends Frozen> = {
  /** Prefix of every key under which local storage keeps a draft. */
  prefix: string
  keyOf(place: PlaceOf<F>): string
  /** Which of the forms that are kept together. */
  sectionOf(place: PlaceOf<F>): string
  /** The fields as they stood. */
  formsOf(act: F): Record<string, object>
  /** Barcode of an item kept beside it, so that a reload returns to it. */
  barcodeOf?(place: PlaceOf<F>): string
}

/** An act that makes pieces. */
export type WorkAct<F extends Frozen, Pressed> = Act<F, Pressed> & { work: Piecework<F, Pressed> }
