import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type CutItem, type Part, parts } from '../../../contract/items.ts'
import { measurements } from '../../../contract/measurements.ts'
import { sectionOf } from '../../../domain/acts/recordings.ts'
import {
  carriedCable,
  carriedSide,
  correctCable,
  correctSide,
  freshForms,
  quantityBounds,
  settleMeasurements,
  typedMeanwhile,
  typedMeasurement,
} from '../../../domain/forms/form-edits.ts'
import { emptyFields } from '../../../domain/forms/form-fields.ts'
import { completed, type FormParts, itemParts, type Lists, openParts } from '../../../domain/forms/form-lists.ts'
import {
  defaultsOf,
  isSectionOpen,
  quantityText,
  type RecordingForms,
  type SideForm,
  type SidePart,
} from '../../../domain/forms/recording-form.ts'
import { gaugeOf } from '../../../domain/quality/control-plans.ts'
import { orderSpecOf } from '../../../domain/quality/sampling.ts'
import { readWhole } from '../../../domain/text/numbers.ts'
import { type FrozenCutCrimp, itemDraft, itemName, type PressedItem } from '../../acts/cut-crimp.ts'
import type { Drafted } from '../../acts/drafts.ts'
import { kinds } from '../../acts/kinds.ts'
import { type RecordedHere, recordedAt } from '../../acts/queue.ts'
import { useItemsHere } from '../../acts/queue-db.ts'
import { doneAtServer, type ItemHere } from '../../acts/waiting-list.ts'
import type { FormDialogs } from '../../forms/useFormDialogs.ts'
import { usePlan } from '../../forms/usePlan.ts'
import { useWorkForm } from '../../forms/useWorkForm.tsx'
import type { CursorControl } from '../../parts/fields/cursor.ts'
import { keepItemSearch, useItemSearch } from '../../parts/lookups/items.ts'
import { codesAtItem } from '../../parts/lookups/known.ts'
import type { MeasuredTexts } from '../../parts/measuring/Measuring.tsx'
import type { Work } from '../../parts/measuring/work.ts'
import { query } from '../../server/query.ts'
import { links } from '../../text/links.ts'

const placeOf = ({ Z1_FILIAL: branch, Z1_CODBAR: barcode }: CutItem) => ({ branch, barcode })

function workOf(item: CutItem, part: SidePart, terminal: string, form: SideForm): Work {
  const quantity = readWhole(quantityText(form, item, part)) || 0
  return {
    branch: item.Z1_FILIAL,
    order: item.Z1_OP,
    part,
    barcode: item.Z1_CODBAR,
    junction: '',
    terminal,
    gauge: gaugeOf(item),
    machine: form.machine,
    tool: form.applicator,
    lot: form.lot,
    samples: form.samples,
    hasTwoWires: form.hasTwoWires,
    limits: orderSpecOf(item, part),
    hasHeight: true,
    quantity,
    remainingAfter: quantityBounds(item, part).max - quantity,
  }
}

const sides = ['l1', 'l2'] as const

/** Judges a side by its plan; null: it has no terminal. */
function useItemPlan({ item, here }: ItemHere) {
  const { Z1_FILIAL: plant, Z1_CODBAR: term } = item
  const request = { params: { codigoBarras: term }, query: { filial: plant } }
  const judge = usePlan({
    place: { plant, term },
    // each recording changes what is due to be measured, so the context is read again
    reading: query(measurements.context, request, { round: doneAtServer({ item, here }), isAfterFrame: true }),
    isDue: sides.some((part) => sectionOf(item, part).terminal && isSectionOpen(item, part)),
  })
  return (part: Part, forms: RecordingForms) => {
    const { terminal } = sectionOf(item, part)
    return part === 'cabo' || !terminal ? null : judge(workOf(item, part, terminal, forms[part]), forms[part])
  }
}

/** The first field that is still to be filled in of the first part that is open, of these. */
function firstPlace(of: FormParts<Part>, forms: RecordingForms, among: readonly Part[]) {
  const part = among.find((one) => of[one].isOpen)
  return part === undefined ? null : { part, field: emptyFields(of[part].fields, forms[part])[0]?.name ?? 'lot' }
}

type Standing = { forms: RecordingForms; cursor: CursorControl<Part>; isOnWay: (part: Part) => boolean }

/** Where the cursor goes once a part was registered: to the parts after it, then to those before. */
function useAdvance(of: FormParts<Part>, item: CutItem) {
  const [isAtEnd, setAtEnd] = useState(false)
  /** Parts whose last press takes all that is left, whatever its answer is. */
  const [whole, setWhole] = useState<readonly Part[]>([])
  return {
    isAtEnd,
    /** Parts with something left that no press under way takes. */
    left: (isOnWay: Standing['isOnWay']) => openParts(item).filter((part) => !(isOnWay(part) && whole.includes(part))),
    /** Call it once the part is registered. A hand that has gone to another field since the press stays there. */
    onward: (registered: Part, { forms, cursor, isOnWay }: Standing) => {
      const pressed = document.activeElement
      const isWhole =
        readWhole(quantityText(forms[registered], item, registered)) >= quantityBounds(item, registered).max
      const isLeft = (part: Part) => part !== registered && !(isOnWay(part) && whole.includes(part))
      const at = parts.indexOf(registered)
      return () => {
        setWhole((before) => [...before.filter((part) => part !== registered), ...(isWhole ? [registered] : [])])
        const after = parts.slice(at).filter(isLeft)
        const next = firstPlace(of, forms, [...after, ...parts.slice(0, at).filter(isLeft)])
        setAtEnd(!after.some((part) => of[part].isOpen))
        const { activeElement: active } = document
        if (active === pressed || !(active instanceof HTMLInputElement)) cursor.moveTo(next)
      }
    },
  }
}

/** The next item of the order in which something is left to do. */
export function useNextItem({ Z1_FILIAL: plant, Z1_OP: term, Z1_CODBAR: barcode }: CutItem): CutItem | undefined {
  const { data } = useItemSearch({ plant, term })
  const found = useItemsHere(data?.items ?? [])
  const at = found.findIndex(({ Z1_CODBAR }) => Z1_CODBAR === barcode)
  return [...found.slice(at + 1), ...found.slice(0, Math.max(0, at))].find((other) => openParts(other).length > 0)
}

/** Measured fields of the form of a side, without samples; a cable has none. */
const measurementsOf = (form: object) =>
  'force' in form && 'height' in form ? { force: form.force, height: form.height, samples: undefined } : {}

/** Draft of the item as the server has it: one that counted what waits on this device would count it twice after a reload. */
const draftOf = (
  item: CutItem,
  recorded: readonly RecordedHere[],
  of: FormParts<Part>,
): Omit<Drafted<RecordingForms>, 'isReading'> => ({
  key: itemDraft.keyOf(placeOf(item)),
  item,
  fresh: freshForms(item),
  recordedAt: (part) => recordedAt(recorded, { ...placeOf(item), part }),
  // What it was measured on was perhaps chosen by nobody: there was only one.
  nextOf: {
    cabo: carriedCable,
    l1: (l1) => carriedSide(completed(of.l1, l1, null)),
    l2: (l2) => carriedSide(completed(of.l2, l2, null)),
  },
  typedMeanwhile: { l1: typedMeanwhile, l2: typedMeanwhile },
  unmeasured: (part, form) => ({ ...form, ...measurementsOf(freshForms(item)[part]) }),
})

const withMeasured = (before: SideForm, { force, height }: MeasuredTexts): SideForm =>
  settleMeasurements({
    ...before,
    ...(force === undefined ? {} : { force: typedMeasurement(force) }),
    ...(height === undefined ? {} : { height: typedMeasurement(height) }),
  })

type Opened = ItemHere & {
  /** As the server has it. */
  read: CutItem
  recorded: readonly RecordedHere[]
  lists: Lists
  /** How old the quantities are. */
  age: string | undefined
  dialogs: FormDialogs<Part>
  onOpen: (item: CutItem) => void
}

/** The form of an item: a part for its cable, and one for each side. */
export function useItemWork({ item, here, read, recorded, lists, age, dialogs, onOpen }: Opened) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { Z1_FILIAL: branch } = item
  const of = itemParts(item, lists)
  const { isAtEnd, left: leftWhile, onward } = useAdvance(of, item)
  const judge = useItemPlan({ item, here })
  const work = useWorkForm<RecordingForms, FrozenCutCrimp, PressedItem>(kinds.cutCrimp, {
    ...{ branch, parts: of, dialogs, judge, onward },
    screen: { place: placeOf(item), itemOf: () => itemName(item) },
    draft: draftOf(read, recorded, of),
    settle: { cabo: (cable) => cable, l1: settleMeasurements, l2: settleMeasurements },
    startIn: (forms) => firstPlace(of, forms, parts),
    codes: () => codesAtItem(client, item, lists),
    openItem: onOpen,
    openOrder: (order) => {
      keepItemSearch({ plant: branch, term: order })
      void navigate({ to: links.cutCrimp })
    },
    pressedOf: (part, forms) => ({ item, part, forms }),
    correct: {
      cabo: (cable) => correctCable(cable, item, 'cabo'),
      l1: (side) => correctSide(side, item, 'l1'),
      l2: (side) => correctSide(side, item, 'l2'),
    },
    withMeasured: { l1: withMeasured, l2: withMeasured },
    limitsOf: (part) => (part === 'cabo' ? { pullForceMin: null, crimpHeightMm: null } : defaultsOf(item, part)),
    quantityOf: (part, forms) => ({
      ...{ text: quantityText(forms[part], item, part), isTyped: forms[part].quantity !== null, age },
      balancePieces: quantityBounds(item, part).max,
    }),
  })
  const left = leftWhile(work.isOnWay)
  return {
    work,
    /** The first field that is still to be filled in of a part; null: it is done. */
    placeIn: (part: Part) => firstPlace(of, work.forms, [part]),
    isDone: left.length === 0,
    /** Parts that were passed over. */
    left: isAtEnd ? left : [],
  }
}
