import type { CutItem, Part } from '../../contract/items.ts'
import type { RecordingForms } from '../../domain/recording-form.ts'
import { serverNow } from '../device/clock.ts'
import { lastAct, type RecordedHere } from './outbox.ts'
import { laneOf } from './queue.ts'

/** What was typed for one item, and the item itself, so that a reload or a new login returns to the form. */
export type Draft = {
  item: CutItem
  forms: Partial<RecordingForms>
  /** The latest act on this device when a part was typed: a later recording of that part was made of it. */
  lastActs: Partial<Record<Part, number>>
  savedAt: number
}

const PREFIX = 'rascunho:'
const KEPT_DAYS = 30
/** Which item this tab is editing; gone when the operator goes back to the list. */
const EDITING_KEY = 'editingItemDraft'

const draftKey = (branch: string, barcode: string) => `${PREFIX}${branch}:${barcode}`
const keyOf = (item: CutItem) => draftKey(item.Z1_FILIAL, item.Z1_CODBAR)

function parse<Stored>(text: string | null): Stored | null {
  try {
    return text === null ? null : (JSON.parse(text) as Stored)
  } catch {
    return null
  }
}

const readDraft = (item: CutItem): Draft | null => parse<Draft>(localStorage.getItem(keyOf(item)))

/**
 * What was typed and has not become a recording. Browsers write local storage some seconds late: a tablet that died
 * right after 'Registrar' brings a draft back that is older than the recording made of it.
 */
export function typedIn(draft: Draft, recorded: readonly RecordedHere[]): Partial<RecordingForms> {
  const { item, forms, lastActs = {} } = draft
  const isRecorded = (part: Part) => {
    const lane = laneOf({ branch: item.Z1_FILIAL, barcode: item.Z1_CODBAR, part })
    return recorded.some((one) => laneOf(one) === lane && one.position > (lastActs[part] ?? 0))
  }
  return Object.fromEntries(Object.entries(forms).filter(([part]) => !isRecorded(part as Part)))
}

export function readTyped(item: CutItem, recorded: readonly RecordedHere[]): Partial<RecordingForms> {
  const draft = readDraft(item)
  return draft ? typedIn(draft, recorded) : {}
}

export function saveDraft(item: CutItem, forms: Partial<RecordingForms>): void {
  const act = lastAct()
  const draft: Draft = { item, forms, lastActs: { cabo: act, l1: act, l2: act }, savedAt: serverNow() }
  try {
    localStorage.setItem(keyOf(item), JSON.stringify(draft))
    sessionStorage.setItem(EDITING_KEY, keyOf(item))
  } catch {
    // A full storage costs the draft, not the form on screen: the recording itself is kept elsewhere.
  }
}

/** Whether anything was typed that putting a recording back into its form would overwrite. */
export const isTyped = (branch: string, barcode: string, part: Part): boolean =>
  parse<Draft>(localStorage.getItem(draftKey(branch, barcode)))?.forms[part] !== undefined

/** The part was recorded: what was typed for it has become a recording. Works also after the screen was left. */
export function clearDraftPart({ branch, barcode, part }: { branch: string; barcode: string; part: Part }): void {
  const key = draftKey(branch, barcode)
  const draft = parse<Draft>(localStorage.getItem(key))
  if (!draft) return
  const { [part]: _recorded, ...forms } = draft.forms
  try {
    localStorage.setItem(key, JSON.stringify({ ...draft, forms }))
  } catch {
    // Better no draft than one that offers the same act again.
    localStorage.removeItem(key)
  }
}

/**
 * It was not recorded after all: what was typed is still to be done. Works also after the screen was left. False where
 * it could not be kept, which costs the draft, not the form on screen.
 */
export function restoreTyped(item: CutItem, forms: Partial<RecordingForms>): boolean {
  const before = readDraft(item)
  const acts = Object.fromEntries(Object.keys(forms).map((part) => [part, lastAct()]))
  const draft: Draft = {
    item,
    forms: { ...before?.forms, ...forms },
    lastActs: { ...before?.lastActs, ...acts },
    savedAt: serverNow(),
  }
  try {
    localStorage.setItem(keyOf(item), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

/** The item that this tab was editing before a reload or a login. */
export function readEditedItem(): CutItem | null {
  const key = sessionStorage.getItem(EDITING_KEY)
  return key === null ? null : (parse<Draft>(localStorage.getItem(key))?.item ?? null)
}

/** Back to the list: typed drafts stay for the next visit, empty and old ones go. */
export function leaveDrafts(): void {
  sessionStorage.removeItem(EDITING_KEY)
  const oldest = serverNow() - KEPT_DAYS * 86_400_000
  for (const key of Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))) {
    const draft = parse<Draft>(localStorage.getItem(key))
    const isKept = draft && Object.keys(draft.forms).length > 0 && draft.savedAt > oldest
    if (!isKept) localStorage.removeItem(key)
  }
}
