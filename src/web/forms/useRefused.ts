import { useRef, useState } from 'react'
import type { FieldForm } from '../../domain/forms/form-fields.ts'
import type { FormPart, FormParts } from '../../domain/forms/form-lists.ts'
import { type RefusedPart, refusedText } from '../../domain/forms/form-scans.ts'
import type { Refusal } from '../acts/send.ts'
import type { CursorControl } from '../parts/fields/cursor.ts'
import type { useFormScans } from '../parts/scanner/useFormScans.tsx'

type Entry<Part extends string> = RefusedPart<Part> & {
  /** As the form says it at its field; null once that part was changed. */
  text: string | null
  /** The next lot is its own, until a person moves the cursor. */
  isArmed: boolean
}

/** Last refusals of the parts of a form, newest first: said at their fields until put right, and in the way of lots. */
export function useRefused<Part extends string>() {
  const [shown, show] = useState<readonly Entry<Part>[]>([])
  /** An answer comes to the form as it was pressed. */
  const now = useRef(shown)
  const set = (entries: readonly Entry<Part>[]) => {
    now.current = entries
    show(entries)
  }
  const without = (part: Part) => now.current.filter((entry) => entry.part !== part)
  const armed = () => now.current.find(({ isArmed }) => isArmed) ?? null
  return {
    note: ({ part, of, fields }: FormPart<Part>, { lot }: { lot: string }, refusal: Refusal): RefusedPart<Part> => {
      const { text, words = text } = refusal
      const field = fields.find(({ name }) => name === refusal.field)?.name ?? null
      const entry = { part, field, words, lot, of, text, isArmed: true }
      set([entry, ...without(part)])
      return entry
    },
    startOver: (part: Part) => {
      // a press with nothing to say again draws no form
      if (now.current.some((entry) => entry.part === part)) set(without(part))
    },
    changed: (part: Part) => {
      if (now.current.some((entry) => entry.part === part && entry.text !== null))
        set(now.current.map((entry) => (entry.part === part ? { ...entry, text: null } : entry)))
    },
    /** A person has moved the cursor. */
    disarm: () => {
      if (now.current.some(({ isArmed }) => isArmed)) set(now.current.map((entry) => ({ ...entry, isArmed: false })))
    },
    armed,
    /** As scans find it: an emptied lot waits for whatever is read next, like any other. */
    armedIn: (forms: Record<Part, { lot: string }>) => {
      const entry = armed()
      return entry?.field === 'lot' && forms[entry.part].lot === '' ? null : entry
    },
    /** `field` null: what belongs to none. */
    refusalAt: (part: Part, field: string | null): string | undefined =>
      shown.find((entry) => entry.part === part && entry.field === field)?.text ?? undefined,
  }
}

type Standing<Part extends string> = {
  refused: ReturnType<typeof useRefused<Part>>
  parts: FormParts<Part>
  forms: Record<Part, FieldForm & { lot: string }>
  scans: ReturnType<typeof useFormScans<Part>>
  cursor: CursorControl<Part>
}

/** Cursor and next lot are those of a refusal, whatever part they had gone on to. */
export function refusalsOf<Part extends string>({ refused, parts, forms, scans, cursor }: Standing<Part>) {
  const goBack = () => {
    const armed = refused.armed()
    if (armed?.field) cursor.returnTo({ part: armed.part, field: armed.field })
  }
  const take = (part: Part, form: { lot: string }, refusal: Refusal, isQuiet = false) => {
    const entry = refused.note(parts[part], form, refusal)
    scans.sayRefused(refusedText(entry), entry.field === 'lot' ? undefined : part, isQuiet)
    goBack()
  }
  return {
    ...{ goBack, refusalAt: refused.refusalAt },
    refusals: {
      startOver: (section: string) => {
        refused.startOver(section as Part)
        scans.startOver()
      },
      take: (section: string, refusal: Refusal) => take(section as Part, forms[section as Part], refusal),
    },
    /** Refused later: `form` as it was registered. Its author was told aloud. */
    takeLate: (part: Part, form: { lot: string }, refusal: Refusal) => take(part, form, refusal, true),
  }
}
