import { useEffect, useRef, useState } from 'react'
import type { CutItem } from '../../contract/items.ts'
import { withoutBadges } from '../../domain/text/badge-texts.ts'
import { knowsServerClock, serverNow } from '../device/clock.ts'
import { currentUser } from '../device/credentials.ts'
import {
  dropFromDevice,
  dropFromTab,
  keysOnDevice,
  readFromDevice,
  readFromTab,
  readJson,
  writeToDevice,
  writeToTab,
} from '../device/store.ts'
import { itemDraft } from './cut-crimp.ts'
import { lastAct } from './queue-db.ts'

/** Typed forms that have not become recordings, by section. */
export type Draft = {
  /** So that a reload or a new login returns to it. */
  item?: CutItem | undefined
  forms: Record<string, object>
  /** The latest act on this device when a section was typed: a later recording of it was made of what was typed. */
  lastActs?: Record<string, number>
  savedAt: number
  /** The typing person's name for people; missing in drafts of versions before. */
  author?: string | undefined
}

/** A junction has one section: this is how tablets keep it. */
type SingleDraft = { form: object; lastAct: number; savedAt: number; author?: string | undefined }

const DRAFT_DAYS_MAX = 30
/** By then a label has been read to its end, and the field has taken it back. */
const READ_MS_MAX = 150
/** Which item this tab is editing; gone when the operator goes back to the list. */
const EDITING_KEY = 'editingItemDraft'
/** Which item was open last on this device, as it was seen there. */
const LAST_KEY = 'lastItem'

function read(key: string): Draft | null {
  const stored = readJson(readFromDevice(key)) as Draft | SingleDraft | null
  if (!stored || 'forms' in stored) return stored
  const { form, lastAct, savedAt, author } = stored
  return { forms: { form }, lastActs: { form: lastAct }, savedAt, author }
}

const AUTHOR_SIGN = '|'

/** Everybody has a draft of their own. One of a version before is taken over by whoever comes first. */
function ownKeyOf(key: string): string {
  const username = currentUser()?.username ?? ''
  if (username === '') return key
  const own = `${key}${AUTHOR_SIGN}${username}`
  const former = readFromDevice(key)
  if (former === null) return own
  if (readFromDevice(own) === null) writeToDevice(own, former)
  dropFromDevice(key)
  return own
}

/** False where it could not be kept, which costs the draft, not the form on screen: recordings are kept elsewhere. */
function write(key: string, { item, forms: typed, lastActs = {} }: Omit<Draft, 'savedAt' | 'author'>): boolean {
  // also where a hand typed it
  const forms = withoutBadges(typed)
  const savedAt = serverNow()
  const { form } = forms
  const user = currentUser()
  const by = user ? { author: user.fullName || user.username } : {}
  const draft: Draft | SingleDraft = form
    ? { form, lastAct: lastActs.form ?? 0, savedAt, ...by }
    : { item, forms, lastActs, savedAt, ...by }
  const isNothing = !item && Object.values(form ?? {}).every((text) => !text)
  if (!isNothing) return writeToDevice(key, JSON.stringify(draft))
  dropFromDevice(key)
  return true
}

type FormsOf<Forms> = { [S in keyof Forms]: object }

export type FormChange<Forms> = <S extends keyof Forms>(section: S, change: (form: Forms[S]) => Forms[S]) => void

export type Drafted<Forms> = {
  key: string
  /** Kept with the draft, so that a reload returns to it. */
  item?: CutItem
  /** The forms before anybody types. */
  fresh: Forms
  /** As they were registered, and refused later: shown until somebody types there. */
  returned?: Partial<Forms>
  /** The latest act that recorded a section here before the screen was opened. */
  recordedAt: (section: keyof Forms) => number
  /** The form for the next recording after one. */
  nextOf: { [S in keyof Forms]: (recorded: Forms[S]) => Forms[S] }
  /** The form typed while a recording was on its way, without values measured for that one. */
  typedMeanwhile?: { [S in keyof Forms]?: (form: Forms[S], recorded: Forms[S]) => Forms[S] }
  /** A form of somebody else's draft, without what they have measured. */
  unmeasured: <S extends keyof Forms>(section: S, form: Forms[S]) => Forms[S]
  /** A scanner is writing into a field, which may take it back: no badge, and no half a label, becomes a draft. */
  isReading: () => boolean
}

const actsNow = (forms: object) => Object.fromEntries(Object.keys(forms).map((section) => [section, lastAct()]))

/**
 * Sections of a draft that have not become a recording. Browsers write local storage some seconds late: a tablet that
 * died right after 'Registrar' brings back a draft older than the recording made of it.
 */
export const typedIn = ({ forms, lastActs = {} }: Draft, recordedAt: (section: string) => number): [string, object][] =>
  Object.entries(forms).filter(([section]) => (lastActs[section] ?? 0) >= recordedAt(section))

/** A draft kept by a version before may lack a field. */
function readTyped<Forms extends FormsOf<Forms>>(key: string, { fresh, recordedAt }: Drafted<Forms>): Partial<Forms> {
  const draft = read(key)
  const typed = draft ? typedIn(draft, recordedAt as (section: string) => number) : []
  return Object.fromEntries(
    typed.map(([section, form]) => [section, { ...fresh[section as keyof Forms], ...form }]),
  ) as Partial<Forms>
}

/** Whether anything was typed that putting a recording back into its form would overwrite. */
export const isTyped = (key: string, section: string): boolean => read(ownKeyOf(key))?.forms[section] !== undefined

/** Drops a section that was recorded. Works also after the screen was left. */
export const clearTyped = (key: string, section: string): void => clearAt(ownKeyOf(key), section)

function clearAt(key: string, section: string): void {
  const draft = read(key)
  if (!draft) return
  const { [section]: _recorded, ...forms } = draft.forms
  // Better no draft than one that offers the same act again.
  if (!write(key, { ...draft, forms })) dropFromDevice(key)
}

/**
 * Restores a section that was not recorded after all. Works also after the screen was left. False where it could not be
 * kept.
 */
export const restoreTyped = (key: string, forms: Record<string, object>, item?: CutItem): boolean =>
  restoreAt(ownKeyOf(key), forms, item)

function restoreAt(key: string, forms: Record<string, object>, item?: CutItem): boolean {
  const before = read(key)
  return write(key, {
    item,
    forms: { ...before?.forms, ...forms },
    lastActs: { ...before?.lastActs, ...actsNow(forms) },
  })
}

/** The item that this tab was editing before a reload or a login. */
export function readEditedItem(): CutItem | null {
  const key = readFromTab(EDITING_KEY)
  if (typeof key !== 'string') return null
  // somebody else may have been at it until a moment ago
  const drafts = [ownKeyOf(key), ...keysOnDevice(`${key}${AUTHOR_SIGN}`)].map(read)
  return drafts.find((draft) => draft?.item)?.item ?? null
}

/** The item last open on this device; null where nobody has opened one. */
export function readLastItem(): CutItem | null {
  const item = readJson(readFromDevice(LAST_KEY)) as CutItem | null
  return item && 'Z1_CODBAR' in item ? item : null
}

/** `carried`: a recording left it for the next one; what is typed stands above it. */
type Sections<Forms> = { typed: Partial<Forms>; carried: Partial<Forms>; returned?: Partial<Forms> | undefined }

/** The typed sections after `apply` has changed one; one that nobody has typed in begins as it was shown. */
export const changed = <Forms extends FormsOf<Forms>, S extends keyof Forms>(
  { typed, returned, carried, fresh }: Sections<Forms> & { fresh: Forms },
  section: S,
  apply: (form: Forms[S]) => Forms[S],
): Partial<Forms> => ({
  ...typed,
  [section]: apply(typed[section] ?? returned?.[section] ?? carried[section] ?? fresh[section]),
})

const shown = <Forms extends FormsOf<Forms>>(
  { fresh, returned }: Drafted<Forms>,
  { typed, carried }: Sections<Forms>,
): Forms => ({ ...fresh, ...carried, ...returned, ...typed })

/** Typed drafts stay for the next visit, empty ones and those that nobody came back for go: by the server's clock alone (decision 037). */
export function dropOldDrafts({ prefix }: { prefix: string }): void {
  const oldest = knowsServerClock() ? serverNow() - DRAFT_DAYS_MAX * 86_400_000 : Number.NEGATIVE_INFINITY
  for (const key of keysOnDevice(prefix)) {
    const draft = read(key)
    const isStored = draft && Object.keys(draft.forms).length > 0 && draft.savedAt >= oldest
    if (!isStored) dropFromDevice(key)
  }
}

/** Back to the list. */
export function leaveDrafts(): void {
  dropFromTab(EDITING_KEY)
  dropOldDrafts(itemDraft)
}

export type OthersDraft = { author: string; goOn: () => void; discard: () => void }

/** Somebody else's draft here; null where there is none. Values that they measured are not taken over. */
function useOthersDraft<Forms extends FormsOf<Forms>>(
  own: string,
  drafted: Drafted<Forms>,
  take: (apply: (before: Partial<Forms>) => Partial<Forms>) => void,
): OthersDraft | null {
  const { key, recordedAt, unmeasured } = drafted
  const [found, setFound] = useState(() =>
    keysOnDevice(`${key}${AUTHOR_SIGN}`)
      .filter((other) => other !== own)
      .flatMap((other) => {
        const draft = read(other)
        const isTypedIn = draft && typedIn(draft, recordedAt as (section: string) => number).length > 0
        return isTypedIn ? [{ key: other, author: draft.author ?? other.slice(key.length + 1) }] : []
      }),
  )
  const [first] = found
  if (!first) return null
  const end = () => {
    dropFromDevice(first.key)
    setFound(found.slice(1))
  }
  return {
    author: first.author,
    discard: end,
    goOn: () => {
      const typed = readTyped(first.key, drafted)
      const sections = Object.keys(typed) as (keyof Forms)[]
      const forms = sections.map((section) => [section, unmeasured(section, typed[section] as Forms[typeof section])])
      take((before) => ({ ...(Object.fromEntries(forms) as Partial<Forms>), ...before }))
      end()
    },
  }
}

/** Keeps a draft while it is typed, but not in the middle of a label's reading. */
function useKeptDraft<Forms extends FormsOf<Forms>>(own: string, drafted: Drafted<Forms>, typed: Partial<Forms>): void {
  const { key, item, isReading } = drafted
  useEffect(() => {
    if (item) writeToDevice(LAST_KEY, JSON.stringify(item))
  }, [item])
  useEffect(() => {
    const save = () => {
      const forms = typed as Draft['forms']
      if (write(own, { item, forms, lastActs: actsNow(forms) }) && item) writeToTab(EDITING_KEY, key)
    }
    if (!isReading()) return save()
    const timer = setTimeout(save, READ_MS_MAX)
    return () => clearTimeout(timer)
  }, [own, key, item, typed, isReading])
}

/** Sections of a form that are still typed in. */
const standing = <Forms extends FormsOf<Forms>>(stored: Partial<Forms>, now: Partial<Forms>): Partial<Forms> => {
  const sections = Object.keys(stored) as (keyof Forms)[]
  return Object.fromEntries(
    sections.flatMap((section) => (now[section] ? [[section, stored[section]]] : [])),
  ) as Partial<Forms>
}

/** As it is where nothing else is typed: a label of which no key was written draws no form anew, and keeps no draft anew. */
function withTyped<Forms extends FormsOf<Forms>, Sections extends { typed: Partial<Forms> }>(
  before: Sections,
  typed: Partial<Forms>,
): Sections {
  const sections = Object.keys({ ...before.typed, ...typed }) as (keyof Forms)[]
  return sections.every((section) => before.typed[section] === typed[section]) ? before : { ...before, typed }
}

/** The third says also what is not drawn yet: a box may be left before it is. */
function useSections<Forms>(readFirst: () => Partial<Forms>) {
  const [drawn, draw] = useState<Sections<Forms>>(() => ({ typed: readFirst(), carried: {} }))
  const now = useRef(drawn)
  const set = (apply: (before: Sections<Forms>) => Sections<Forms>) => {
    now.current = apply(now.current)
    draw(now.current)
  }
  return [drawn, set, () => now.current] as const
}

/**
 * Forms of a screen: the draft kept on this device until it is recorded, else what was refused, else the form that the last
 * recording left for the next, else the fresh one.
 */
export function useDraft<Forms extends FormsOf<Forms>>(drafted: Drafted<Forms>) {
  const { item, fresh, returned: refused, nextOf, typedMeanwhile } = drafted
  // of whoever was there when the form was opened: what comes of it later is theirs
  const [key] = useState(() => ownKeyOf(drafted.key))
  const [sections, setSections, sectionsNow] = useSections(() => readTyped(key, drafted))
  const setTyped = (apply: (typed: Partial<Forms>) => Partial<Forms>) =>
    setSections((before) => ({ ...before, typed: apply(before.typed) }))
  const others = useOthersDraft(key, drafted, setTyped)
  const forms = shown(drafted, sections)

  /** Sections that came back to be put right while a label is read. */
  const returned = useRef<Partial<Forms>>({})
  useKeptDraft(key, drafted, sections.typed)

  // Never from the last render: it still shows the letters of a reading that `hold` has just taken back.
  const change: FormChange<Forms> = (section, apply) =>
    setSections((before) => ({ ...before, typed: changed({ ...before, fresh, returned: refused }, section, apply) }))

  /** As `change`, where it is being typed: what was recorded meanwhile, and is still shown, is not typed again. */
  const correct: FormChange<Forms> = (section, apply) =>
    setSections((before) => {
      const form = before.typed[section]
      const corrected = form && apply(form)
      // a box that is left as it was draws no form anew
      if (JSON.stringify(corrected) === JSON.stringify(form)) return before
      return { ...before, typed: { ...before.typed, [section]: corrected } }
    })

  /** All that is typed now: what takes it back to that. A section that was recorded meanwhile is typed no more. */
  const hold = () => {
    returned.current = {}
    return () =>
      setSections((before) => withTyped(before, standing({ ...returned.current, ...sections.typed }, before.typed)))
  }

  /** Callbacks by which a press on 'Registrar' moves the draft of a section on; `recorded` is the form at the press. */
  const stepsOf = <S extends keyof Forms & string>(section: S) => {
    const recorded = forms[section]
    return {
      section,
      /** Shown until its outcome is known, but no draft any more. What was typed meanwhile is the next one's, and a draft. */
      onSaved: () => {
        clearAt(key, section)
        setSections(({ typed: { [section]: typedNow, ...rest }, carried: before }) => ({
          // what nobody has typed in is no draft either
          typed: (typedNow && typedNow !== recorded ? { ...rest, [section]: typedNow } : rest) as Partial<Forms>,
          carried: { ...before, [section]: recorded },
        }))
      },
      onRecorded: () => {
        const since = typedMeanwhile?.[section]
        setSections(({ typed: before, carried: former }) => {
          const form = before[section]
          return {
            typed: since && form ? { ...before, [section]: since(form, recorded) } : before,
            carried: { ...former, [section]: nextOf[section](recorded) },
          }
        })
      },
      /** Returns the section for correction, unless its next draft has begun. */
      onNotRecorded: () => {
        restoreAt(key, { [section]: recorded }, item)
        returned.current = { ...returned.current, [section]: recorded }
        setTyped((before) => ({ [section]: recorded, ...before }))
      },
    }
  }

  return { forms, formsNow: () => shown(drafted, sectionsNow()), change, correct, hold, stepsOf, others }
}
