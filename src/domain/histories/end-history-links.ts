import type { HistoryEntry, HistoryRelease, HistorySample, LookedReading } from '../../contract/end-histories.ts'

export type Entry<Kind extends HistoryEntry['tipo']> = Extract<HistoryEntry, { tipo: Kind }>
export type Recorded = Entry<'apontamento'>

export const ofKind = <Kind extends HistoryEntry['tipo']>(
  entries: readonly HistoryEntry[],
  kind: Kind,
): Entry<Kind>[] => entries.filter((entry): entry is Entry<Kind> => entry.tipo === kind)

/** Entries by those that speak of them. */
export type HistoryLinks = {
  recordings: ReadonlyMap<string, Recorded>
  /** By recording, those that it names. */
  samples: ReadonlyMap<string, HistorySample[]>
  /** By sample, those that looked at it. */
  releases: ReadonlyMap<string, HistoryRelease[]>
  /** By sample, those that are outside their plan because of it and do not name it. */
  outside: ReadonlyMap<string, Recorded[]>
}

/** By each id that an entry speaks of. */
function byIds<One>(all: readonly One[], idsOf: (one: One) => readonly (string | null)[]): Map<string, One[]> {
  const found = new Map<string, One[]>()
  for (const one of all) {
    for (const id of new Set(idsOf(one))) if (id !== null) found.set(id, [...(found.get(id) ?? []), one])
  }
  return found
}

const actsOf = (readings: readonly LookedReading[]) => readings.map(({ ato }) => ato)

export function historyLinks(entries: readonly HistoryEntry[]): HistoryLinks {
  const recordings = ofKind(entries, 'apontamento')
  return {
    recordings: new Map(recordings.map((one) => [one.id, one])),
    samples: byIds(ofKind(entries, 'medicao'), ({ apontamentos }) => apontamentos),
    releases: byIds(ofKind(entries, 'liberacao'), ({ olhadas }) => actsOf(olhadas ?? [])),
    outside: byIds(recordings, ({ fora }) => actsOf(fora)),
  }
}
