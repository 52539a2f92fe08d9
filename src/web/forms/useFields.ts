import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { CutItem } from '../../contract/items.ts'
import { emptyFields, type Field, type FieldForm, measuredOnText, missedText } from '../../domain/forms/form-fields.ts'
import { completed, type FormParts, MISSING, offeredLot, scanFormOf } from '../../domain/forms/form-lists.ts'
import type { KnownCodes } from '../../domain/forms/form-scans.ts'
import type { Sampled } from '../../domain/forms/recording-form.ts'
import { type Drafted, type FormChange, useDraft } from '../acts/drafts.ts'
import { showToast } from '../device/toasts.ts'
import { useCursor } from '../parts/fields/cursor.ts'
import { useRemembered } from '../parts/fields/useRemembered.ts'
import { findItem } from '../parts/lookups/known.ts'
import { useFormScans } from '../parts/scanner/useFormScans.tsx'
import { isReading } from '../parts/scanner/useScanner.ts'
import type { FormDialogs } from './useFormDialogs.ts'
import { refusalsOf, useRefused } from './useRefused.ts'

/** What every part of a form of work holds. */
type PartForm = FieldForm & Pick<Sampled, 'samples'> & { lot: string; machine: string; isMachineRemembered?: boolean }
export type PartForms<Forms> = { [P in keyof Forms]: PartForm }

export type FieldsSubject<Forms extends PartForms<Forms>> = {
  branch: string
  parts: FormParts<keyof Forms & string>
  draft: Omit<Drafted<Forms>, 'isReading'>
  /** Empties what was measured on another lot or tool. */
  settle: { [P in keyof Forms]: (form: Forms[P]) => Forms[P] }
  /** Where the cursor begins. */
  startIn: (forms: Forms) => { part: keyof Forms & string; field: string } | null
  dialogs: FormDialogs<keyof Forms & string>
  codes: () => KnownCodes
  openItem: (item: CutItem) => void
  openOrder: (order: string) => void
}

/** Steps of a press of which the first does something more. */
export const onceSaved = <Steps extends { onSaved: () => void }>(steps: Steps, more: () => void): Steps => ({
  ...steps,
  onSaved: () => {
    steps.onSaved()
    more()
  },
})

/** The next one after a field that is still to be filled in. */
const emptyAfter = (fields: readonly Field[], form: FieldForm, name: string | null): Field | undefined =>
  emptyFields(fields.slice(fields.findIndex((field) => field.name === name) + 1), form)[0]

/** The first reading that a hand has to give, once no label is left to be read. */
function emptyReading(fields: readonly Field[], form: FieldForm): Field | undefined {
  const left = emptyFields(fields, form)
  const isRead = left.every(({ kind }) => kind !== 'lot' && kind !== 'pick')
  return isRead ? left.find(({ kind }) => kind === 'reading') : undefined
}

type Walked<Part extends string> = {
  start: { part: Part; field: string } | null
  refused: ReturnType<typeof useRefused<Part>>
  parts: FormParts<Part>
  forms: Record<Part, PartForm>
}

/** The cursor of a form. Enter takes it to the next empty field, and the last label to what a hand has to type. */
function useFormCursor<Part extends string>({ start, refused, parts, forms }: Walked<Part>) {
  const cursor = useCursor<Part>(start, {
    onMoved: refused.disarm,
    onEnter: ({ part, field }) => goTo(part, emptyAfter(parts[part].fields, forms[part], field)),
  })
  const goTo = (part: Part, field: Field | undefined) => field && cursor.moveTo({ part, field: field.name })
  const onRead = (part: Part, form: PartForm) => {
    if (!refused.armed()) goTo(part, emptyReading(parts[part].fields, form))
  }
  return { cursor, goTo, onRead }
}

/** What stands in the fields of a form, and what moves in them: its draft, offers, cursor, scans, and what is missing. */
export function useFields<Forms extends PartForms<Forms>>(subject: FieldsSubject<Forms>) {
  type Part = keyof Forms & string
  const { branch, parts, settle, dialogs, openItem } = subject
  const root = useRef<HTMLDivElement>(null)
  const client = useQueryClient()
  const { remembered, note } = useRemembered(branch)
  const { forms: typed, hold, stepsOf, ...draft } = useDraft<Forms>({ ...subject.draft, isReading })
  const names = Object.keys(parts) as Part[]
  const forms = Object.fromEntries(
    names.map((part) => [part, completed(parts[part], typed[part], remembered)]),
  ) as unknown as Forms
  const [start] = useState(() => subject.startIn(forms))
  const refused = useRefused<Part>()
  const { cursor, goTo, onRead } = useFormCursor<Part>({ start, refused, parts, forms })
  const [missedIn, setMissedIn] = useState<Part | null>(null)
  const emptyIn = (part: Part) => emptyFields(parts[part].fields, forms[part])
  const miss = (part: Part, field: Field | undefined) => {
    setMissedIn(part)
    goTo(part, field)
  }
  /** A refusal is said at its field until something of that part is changed. */
  const change: FormChange<Forms> = (part, apply) => {
    refused.changed(part as Part)
    draft.change(part, apply)
  }
  const put = (part: Part, fields: object) => change(part, (before) => settle[part]({ ...before, ...fields }))
  const measure = (part: Part, instrument: string) => {
    const missed = emptyIn(part).find(({ isMeasuredOn }) => isMeasuredOn)
    if (missed === undefined) return dialogs.setMeasuring({ part, instrument })
    miss(part, missed)
    showToast({ kind: 'warning', text: `Antes de medir, informe ${measuredOnText(parts[part].fields)}.` })
  }
  const scans = useFormScans<Part>({
    ...{ root, hold, measure, isDialogOpen: dialogs.isDialogOpen },
    scrap: (part, reason) => dialogs.setScrapping({ part, reason }),
    ...{ codes: subject.codes, openItem, openOrder: subject.openOrder, onReading: cursor.quiet },
    formNow: () => ({ ...scanFormOf<Part>(parts, { forms, typed }, cursor.now()), refused: refused.armedIn(forms) }),
    fill: (part, field, value) => {
      if (!parts[part].fields.some(({ name }) => name === field)) return ''
      put(part, { [field]: value, ...(field === 'station' ? { stationLookupFailed: false } : {}) })
      onRead(part, { ...forms[part], [field]: value })
      return String(typed[part][field] ?? '')
    },
    findItem: (barcode) => findItem(client, branch, barcode),
  })
  return {
    ...draft,
    ...{ root, forms, cursor, scans, put, measure, change },
    ...refusalsOf({ refused, parts, forms, scans, cursor }),
    /** 'Registrar' was pressed with something still empty: that is marked. A list would open by itself: it takes no cursor. */
    onMissed: (part: Part) => {
      if (!parts[part].isOpen) return
      const missed = emptyIn(part)
      const first = missed.find(({ kind }) => kind !== 'choice')
      miss(part, first)
      if (missed.length > 0) scans.sayRefused(missedText(missed), part)
    },
    missing: (part: Part, field: string) =>
      missedIn === part && emptyIn(part).some(({ name }) => name === field) ? MISSING : undefined,
    lotFor: (part: Part) => offeredLot(parts[part], forms[part], remembered),
    stepsOf: (part: Part) => {
      const { machine, lot } = forms[part]
      const { workKind: kind, material: code } = parts[part]
      return onceSaved(stepsOf(part), () => {
        setMissedIn(null)
        note({ kind, machine, lot, code })
      })
    },
  }
}
