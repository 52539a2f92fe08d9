/** The span that a bad reading puts under suspicion, for its characteristic and place. Instants are epoch ms. */
export type SuspectWindow = {
  /** Instant of the newest good reading before it; null: there never was one. */
  startAt: number | null
  /** 'ordem': never measured well there, so that before the reading its order alone is suspect. */
  basis: 'medicao' | 'ordem'
  /** Instant of the first good reading after it; null: the window is open. */
  endAt: number | null
  endAct: string | null
}

/** Recordings after one instant and up to another; null: without an end there. An order: of it alone. */
export type RecordingSpan = { after: number | null; until: number | null; orderNumber: string | null }

type BadReading = { orderedAt: number; orderNumber: string }

/** The recordings up to the bad reading itself: their number is said at once. */
export const suspectBefore = ({ orderedAt, orderNumber }: BadReading, window: SuspectWindow): RecordingSpan => ({
  after: window.startAt,
  until: orderedAt,
  orderNumber: window.basis === 'ordem' ? orderNumber : null,
})
