import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useState } from 'react'
import { type CutItem, items, type Part, parts } from '../../../contract/items.ts'
import {
  choicesOf,
  completed,
  emptyFields,
  type ItemChoices,
  isPartOpen,
  type Lists,
  MISSING,
  materialOf,
  offeredLot,
  openParts,
  scanFormOf,
} from '../../../domain/acts/form-lists.ts'
import type { ScanField } from '../../../domain/acts/form-scans.ts'
import {
  carriedCable,
  carriedSide,
  freshForms,
  type RecordingForms,
  settleMeasurements,
  typedMeanwhile,
} from '../../../domain/acts/recording-form.ts'
import { itemDraft } from '../../acts/cut-crimp.ts'
import { type FormChange, useDraft } from '../../acts/drafts.ts'
import { type RecordedHere, recordedAt } from '../../acts/queue.ts'
import { useItemsHere } from '../../acts/queue-db.ts'
import { showToast } from '../../device/toasts.ts'
import { type CursorControl, useCursor } from '../../parts/fields/cursor.ts'
import { useRemembered } from '../../parts/fields/useRemembered.ts'
import { keepItemSearch, useItemSearch } from '../../parts/lookups/items.ts'
import { codesAtItem, searchedItems } from '../../parts/lookups/known.ts'
import { useFormScans } from '../../parts/scanner/useFormScans.tsx'
import { isReading } from '../../parts/scanner/useScanner.ts'
import { query } from '../../server/query.ts'
import { links } from '../../text/links.ts'

/** What is measured now, and with what; `instrument` is empty where none was read. */
export type Measured = { part: Part; instrument: string }

type Forms = { forms: RecordingForms; typed: RecordingForms }

export const placeOf = ({ Z1_FILIAL: branch, Z1_CODBAR: barcode }: CutItem) => ({ branch, barcode })

/** The first field that is still to be filled in of the first part that is open, of these. */
function firstPlace(item: CutItem, forms: RecordingForms, among: readonly Part[]) {
  const part = among.find((one) => isPartOpen(item, one))
  return part === undefined ? null : { part, field: emptyFields(forms, part)[0] ?? 'lot' }
}

/** The cursor of the form, and where it goes once a part was registered. */
function useItemCursor(item: CutItem, forms: RecordingForms) {
  const [start] = useState(() => firstPlace(item, forms, parts))
  const cursor = useCursor<Part>(start)
  const [isAtEnd, setAtEnd] = useState(false)
  return {
    cursor,
    isDone: isAtEnd || openParts(item).length === 0,
    /** Call it once the part is registered. A hand that has gone to another field since the press stays there. */
    advanceFrom: (registered: Part) => {
      const pressed = document.activeElement
      return () => {
        const next = firstPlace(item, forms, parts.slice(parts.indexOf(registered) + 1))
        setAtEnd(next === null)
        const { activeElement: active } = document
        if (active === pressed || !(active instanceof HTMLInputElement)) cursor.moveTo(next)
      }
    },
  }
}

type Scanned = Forms & {
  root: RefObject<HTMLElement | null>
  isDialogOpen: boolean
  item: CutItem
  lists: Lists
  choices: ItemChoices
  cursor: CursorControl<Part>
  change: FormChange<RecordingForms>
  hold: () => () => void
  onOpen: (item: CutItem) => void
  measure: (part: Part, instrument: string) => void
}

/** What a label does that is read in the form of an item. */
function useItemScans({ root, isDialogOpen, item, lists, cursor, change, hold, onOpen, measure, ...form }: Scanned) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { Z1_FILIAL: branch } = item
  return useFormScans<Part>({
    root,
    isDialogOpen,
    form: scanFormOf(item, form, cursor.cursor),
    codes: () => codesAtItem(client, item, lists),
    hold,
    fill: (part, field, value) => fillField(change, form.typed, { part, field, value }),
    onReading: cursor.quiet,
    measure,
    openItem: async (barcode) => {
      const parts = { params: { codigoBarras: barcode }, query: { filial: branch } }
      const found = searchedItems(client).find(({ Z1_CODBAR }) => Z1_CODBAR === barcode)
      onOpen(found ?? (await client.fetchQuery(query(items.get, parts))).item)
    },
    openOrder: (order) => {
      keepItemSearch({ plant: branch, term: order })
      void navigate({ to: links.cutCrimp })
    },
  })
}

type Filled = { part: Part; field: ScanField; value: string }

/** Gives what a person had chosen there before. */
function fillField(change: FormChange<RecordingForms>, typed: RecordingForms, { part, field, value }: Filled): string {
  if (part === 'cabo') {
    if (field !== 'lot' && field !== 'machine') return ''
    change(part, (form) => ({ ...form, [field]: value }))
    return typed.cabo[field]
  }
  const isLookedUp = field === 'station' ? { stationLookupFailed: false } : {}
  change(part, (form) => settleMeasurements({ ...form, [field]: value, ...isLookedUp }))
  return typed[part][field]
}

/** The next item of the order in which something is left to do, once nothing is in this one. */
function useNextItem(item: CutItem, isDone: boolean): CutItem | null {
  const { data } = useItemSearch({ plant: item.Z1_FILIAL, term: isDone ? item.Z1_OP : '' })
  const found = useItemsHere(data?.items ?? [])
  if (!isDone) return null
  const at = found.findIndex(({ Z1_CODBAR }) => Z1_CODBAR === item.Z1_CODBAR)
  const others = [...found.slice(at + 1), ...found.slice(0, Math.max(0, at))]
  return others.find((other) => openParts(other).length > 0) ?? null
}

/** Of a side. */
const measurementsOf = (form: object) =>
  'force' in form && 'height' in form ? { force: form.force, height: form.height, samples: undefined } : {}

/** Of the item as the server has it: a draft that counted what waits on this device would count it twice after a reload. */
const useItemDraft = (item: CutItem, recorded: readonly RecordedHere[], choices: ItemChoices) =>
  useDraft<RecordingForms>({
    key: itemDraft.keyOf(placeOf(item)),
    item,
    fresh: freshForms(item),
    recordedAt: (part) => recordedAt(recorded, { ...placeOf(item), part }),
    // What it was measured on was perhaps chosen by nobody: there was only one.
    nextOf: {
      cabo: carriedCable,
      l1: (l1) => carriedSide(completed({ ...freshForms(item), l1 }, choices, null).l1),
      l2: (l2) => carriedSide(completed({ ...freshForms(item), l2 }, choices, null).l2),
    },
    typedMeanwhile: { l1: typedMeanwhile, l2: typedMeanwhile },
    unmeasured: (part, form) => ({ ...form, ...measurementsOf(freshForms(item)[part]) }),
    isReading,
  })

/** What a sample belongs to. */
const measuredOn = ['lot', 'applicator', 'machine']

type Opened = Pick<Scanned, 'root' | 'isDialogOpen' | 'item' | 'lists' | 'onOpen'> & {
  /** 'Medir' is opened; null: closed. */
  onMeasuring: (measured: Measured | null) => void
  /** As the server has it. */
  read: CutItem
  recorded: readonly RecordedHere[]
}

/** What stands in the form of an item, and what moves in it. */
export function useItemForm({ root, isDialogOpen, item, lists, read, recorded, onOpen, onMeasuring }: Opened) {
  const choices = choicesOf(item, lists)
  const { remembered, note } = useRemembered(item.Z1_FILIAL)
  const { forms: typed, change, correct, hold, stepsOf, others } = useItemDraft(read, recorded, choices)
  const forms = completed(typed, choices, remembered)
  const { cursor, isDone, advanceFrom } = useItemCursor(item, forms)
  const [missedIn, setMissedIn] = useState<Part | null>(null)
  const markMissed = (part: Part, field: string | undefined) => {
    setMissedIn(part)
    if (field) cursor.moveTo({ part, field })
  }
  const measure = (part: Part, instrument: string) => {
    const missed = emptyFields(forms, part).find((field) => measuredOn.includes(field))
    if (missed === undefined) return onMeasuring({ part, instrument })
    markMissed(part, missed)
    showToast({ kind: 'warning', text: 'Antes de medir, informe lote, mini aplicador e máquina.' })
  }
  const scanned = { root, isDialogOpen, item, lists, choices, cursor, change, hold, onOpen, measure, forms, typed }
  return {
    forms,
    typed,
    change,
    correct,
    others,
    cursor,
    onMeasuring: (measured: Measured | null) =>
      measured ? measure(measured.part, measured.instrument) : onMeasuring(null),
    scans: useItemScans(scanned),
    next: useNextItem(item, isDone),
    /** 'Registrar' was pressed with something still empty: that is marked, and the first of it has the cursor. */
    onPressed: (part: Part) => {
      if (isPartOpen(item, part)) markMissed(part, emptyFields(forms, part)[0])
    },
    missing: (part: Part, field: string) =>
      missedIn === part && emptyFields(forms, part).includes(field) ? MISSING : undefined,
    lotFor: (part: Part) => offeredLot(item, part, forms, remembered),
    stepsOf: (part: Part) => {
      const steps = stepsOf(part)
      const advance = advanceFrom(part)
      const onSaved = () => {
        steps.onSaved()
        const { machine, lot } = forms[part]
        note({ kind: part === 'cabo' ? 'cabo' : 'lado', machine, lot, code: materialOf(item, part) })
        advance()
      }
      return { ...steps, onSaved }
    },
  }
}
