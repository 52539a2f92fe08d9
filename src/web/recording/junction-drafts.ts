import { emptyJunctionForm, type JunctionForm } from '../../domain/junctions.ts'
import { serverNow } from '../device/clock.ts'
import { lastAct } from './outbox.ts'

export type JunctionPlace = { plant: string; order: string; position: string }

/** What was typed for one junction and has not become a recording. */
type Draft = {
  form: JunctionForm
  /** The latest act on this device when it was typed: a later recording of this junction was made of it. */
  lastAct: number
  savedAt: number
}

const PREFIX = 'rascunho-juncao:'
const KEPT_DAYS = 30

const keyOf = ({ plant, order, position }: JunctionPlace) => `${PREFIX}${plant}:${order}:${position}`

function read(key: string): Draft | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as Draft | null
  } catch {
    return null
  }
}

const isEmpty = (form: JunctionForm) => Object.values(form).every((text) => text === '')

/**
 * `recordedAt` is the latest act that recorded this junction here; 0 when there is none. Browsers write local storage
 * some seconds late: what comes back after a power failure may be older than the recording made of it.
 */
export function readJunctionDraft(place: JunctionPlace, recordedAt: number): JunctionForm {
  const draft = read(keyOf(place))
  return draft && draft.lastAct >= recordedAt ? { ...emptyJunctionForm, ...draft.form } : emptyJunctionForm
}

/** False where it could not be kept, which costs the draft, not the form on screen. */
export function saveJunctionDraft(place: JunctionPlace, form: JunctionForm): boolean {
  const draft: Draft = { form, lastAct: lastAct(), savedAt: serverNow() }
  try {
    if (isEmpty(form)) localStorage.removeItem(keyOf(place))
    else localStorage.setItem(keyOf(place), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

/** Nobody comes back for these. */
export function dropOldJunctionDrafts(): void {
  const oldest = serverNow() - KEPT_DAYS * 86_400_000
  for (const key of Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))) {
    if ((read(key)?.savedAt ?? 0) < oldest) localStorage.removeItem(key)
  }
}
