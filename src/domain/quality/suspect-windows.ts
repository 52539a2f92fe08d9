import type { Certainty, WindowBasis } from '../../contract/containments.ts'

/** The span that a bad reading puts under suspicion, for its characteristic and place. Instants are epoch ms. */
export type SuspectWindow = {
  /** Instant of the newest good reading before it, or one chosen by hand; null: there never was one. */
  startAt: number | null
  /** 'ordem': never measured well there, so that before the reading its order alone is suspect. */
  basis: WindowBasis
  /** Instant of the first good reading after it, or one chosen by hand; null: the window is open. */
  endAt: number | null
  endAct: string | null
}

/** Recordings after one instant and up to another; null: without an end there. An order: of it alone. */
export type RecordingSpan = { after: number | null; until: number | null; orderNumber: string | null }

export type BadReading = { orderedAt: number; orderNumber: string }

/** Recordings at the reading's place that surely hold pieces of its window. */
export function certainSpans({ orderedAt, orderNumber }: BadReading, window: SuspectWindow): RecordingSpan[] {
  const { startAt, endAt, basis } = window
  if (basis !== 'ordem') return [{ after: startAt, until: endAt, orderNumber: null }]
  return [
    ...spansUpTo([{ after: null, until: orderedAt, orderNumber }], endAt),
    { after: orderedAt, until: endAt, orderNumber: null },
  ]
}

/** As far as they lie up to an instant; null cuts nothing. */
export const spansUpTo = (spans: readonly RecordingSpan[], at: number | null): RecordingSpan[] =>
  at === null
    ? [...spans]
    : spans
        .filter(({ after }) => after === null || after < at)
        .map((span) => ({ ...span, until: span.until === null ? at : Math.min(span.until, at) }))

/** Ends that somebody chose. A start makes all suspect that was made at the place since, whatever the order. */
export const widenedWindow = (
  window: SuspectWindow,
  { startAt, endAt }: { startAt?: number | undefined; endAt?: number | undefined },
): SuspectWindow => ({
  ...window,
  ...(startAt === undefined ? {} : { startAt, basis: 'mao' as const }),
  ...(endAt === undefined ? {} : { endAt, endAct: null }),
})

/** A reading with its place in the order of all: of one instant the one stored later is the newer. */
type OrderedReading = { orderedAt: number; id: number }

const isBefore = (one: OrderedReading, other: OrderedReading) =>
  one.orderedAt < other.orderedAt || (one.orderedAt === other.orderedAt && one.id < other.id)

/** The window of a reading among the good ones of its place, the oldest of them first. */
export function windowAmong(
  good: readonly (OrderedReading & { actId: string })[],
  reading: OrderedReading,
): SuspectWindow {
  const start = good.findLast((one) => isBefore(one, reading)) ?? null
  const end = good.find((one) => isBefore(reading, one)) ?? null
  return {
    ...{ startAt: start?.orderedAt ?? null, basis: start ? 'medicao' : 'ordem' },
    ...{ endAt: end?.orderedAt ?? null, endAct: end?.actId ?? null },
  }
}

/** The surest first. */
const order: readonly Certainty[] = ['certo', 'novo', 'possivel', 'outra-maquina']

export type SuspectRecording = { id: string; pieces: number; at: number; certainty: Certainty }

/** Each recording once, as the surest that it is; the surest first, then the oldest. */
export function mergedSuspects(found: readonly SuspectRecording[]): SuspectRecording[] {
  const rank = ({ certainty }: SuspectRecording) => order.indexOf(certainty)
  const bySurest = found.toSorted(
    (one, other) => rank(one) - rank(other) || one.at - other.at || (one.id < other.id ? -1 : 1),
  )
  const merged = new Map<string, SuspectRecording>()
  for (const one of bySurest) if (!merged.has(one.id)) merged.set(one.id, one)
  return [...merged.values()]
}
