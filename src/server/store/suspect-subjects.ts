import { CONTAINMENT_ROWS_MAX, type SubjectKind } from '../../contract/containments.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { machineKey } from '../../domain/quality/control-plans.ts'
import { mergedSuspects, type SuspectRecording, type SuspectWindow } from '../../domain/quality/suspect-windows.ts'
import type { Reader } from './db/db.ts'
import { listInstrumentWindows } from './instrument-windows.ts'
import {
  countElsewhere,
  listAtPlace,
  listMoved,
  listNamed,
  listSpellings,
  type Sought,
  WindowTooLarge,
} from './suspect-recordings.ts'
import type { PlaceReading } from './suspect-windows.ts'
import { findTraced } from './traces.ts'

/** A bad reading and its window. */
type ReadingSubject = { kind: 'medicao'; reading: PlaceReading; window: SuspectWindow }

/** What somebody named, between two instants; null: without that end. */
type NamedSubject = {
  kind: SubjectKind
  branch: string
  term: string
  startAt: number | null
  endAt: number | null
}

export type Subject = ReadingSubject | NamedSubject

/** A receipt makes no pieces. */
const made = ['cabo', 'l1', 'l2', 'juncao'] as const

async function soughtBy(db: Reader, { kind, branch, term }: NamedSubject): Promise<Sought> {
  const any = { branch, parts: made, gauge: null, fits: () => true }
  if (kind === 'ferramenta') return { ...any, column: 'unit_key', values: [nameKey(term)] }
  if (kind === 'lote') return { ...any, column: 'lot', values: (await findTraced(db, 'lote', term)).values }
  return { ...any, column: 'machine', values: await listSpellings(db, machineKey(term)) }
}

const spanOf = ({ startAt: after, endAt: until }: NamedSubject) => ({ after, until, orderNumber: null })

async function listAll(db: Reader, subject: Subject): Promise<SuspectRecording[]> {
  const max = CONTAINMENT_ROWS_MAX
  if (subject.kind === 'medicao') {
    const { reading, window } = subject
    return [
      ...(await listAtPlace(db, reading.place, [{ reading, window }], max)),
      ...(await listMoved(db, reading, max)),
    ]
  }
  if (subject.kind !== 'instrumento') return await listNamed(db, await soughtBy(db, subject), spanOf(subject), max)
  const { branch, term: instrument, startAt: after, endAt: until } = subject
  const found: SuspectRecording[] = []
  for (const { place, windows } of await listInstrumentWindows(db, { branch, instrument, after, until })) {
    found.push(...(await listAtPlace(db, place, windows, max)))
    if (found.length > 2 * max) throw new WindowTooLarge()
  }
  return found
}

/** The recordings that hold, or may hold, suspect pieces of it. Throws `WindowTooLarge` where one containment does not take them all. */
export async function listSuspects(db: Reader, subject: Subject): Promise<SuspectRecording[]> {
  const suspects = mergedSuspects(await listAll(db, subject))
  if (suspects.length > CONTAINMENT_ROWS_MAX) throw new WindowTooLarge()
  return suspects
}

/** Other plants that used the same lot or tool between its ends. */
export async function listOtherPlants(db: Reader, subject: NamedSubject, branches: readonly string[]) {
  if (subject.kind !== 'lote' && subject.kind !== 'ferramenta') return []
  const others = branches.filter((branch) => branch !== subject.branch)
  return await countElsewhere(db, await soughtBy(db, subject), spanOf(subject), others)
}
