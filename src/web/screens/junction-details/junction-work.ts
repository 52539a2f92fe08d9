import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isUltrasonic, type JunctionDetails } from '../../../contract/junctions.ts'
import { measurements } from '../../../contract/measurements.ts'
import { isJunctionOpen, junctionQuantityBounds } from '../../../domain/acts/junction-balance.ts'
import { junctionParts } from '../../../domain/forms/form-lists.ts'
import { correctJunction, junctionPiecesText } from '../../../domain/forms/junction-edits.ts'
import {
  freshJunctionForm,
  junctionQuantityText,
  piecesLeft,
  settleJunction,
} from '../../../domain/forms/junction-forms.ts'
import type { JunctionForm } from '../../../domain/forms/junctions.ts'
import { testedGaugeOf } from '../../../domain/quality/control-plans.ts'
import { junctionSpecOf, junctionTerminalOf } from '../../../domain/quality/sampling.ts'
import { readWhole } from '../../../domain/text/numbers.ts'
import { dropOldDrafts } from '../../acts/drafts.ts'
import { type FrozenJunction, junctionDraft, type PressedJunction } from '../../acts/junctions.ts'
import { kinds } from '../../acts/kinds.ts'
import { useJunctionsHere } from '../../acts/queue-db.ts'
import type { JunctionHere } from '../../acts/waiting-list.ts'
import { writeToTab } from '../../device/store.ts'
import type { FormDialogs } from '../../forms/useFormDialogs.ts'
import { usePlan } from '../../forms/usePlan.ts'
import { useWorkForm } from '../../forms/useWorkForm.tsx'
import { type JunctionSearch, prepareJunctionSearch, useJunctionSearch } from '../../parts/lookups/junctions.ts'
import { codesAtJunction, useJunctionLists } from '../../parts/lookups/known.ts'
import type { Work } from '../../parts/measuring/work.ts'
import { useSettings } from '../../parts/settings.ts'
import { query } from '../../server/query.ts'
import { EDITING_ITEM_KEY, links } from '../../text/links.ts'

export type JunctionProps = JunctionHere & {
  /** As the address has it. */
  place: { branch: string; order: string; junction: string }
  recordedAt: number
  details: JunctionDetails
  dialogs: FormDialogs<'form'>
}

function workOf({ place, junction, details }: JunctionProps, form: JunctionForm): Work {
  const quantity = readWhole(junctionQuantityText(form, junction)) || 0
  return {
    branch: place.branch,
    order: place.order,
    part: 'juncao',
    barcode: '',
    junction: junction.Z8_POSICAO,
    terminal: junctionTerminalOf(junction),
    gauge: testedGaugeOf(details),
    machine: form.machine,
    tool: '',
    lot: form.lot,
    samples: form.samples,
    limits: junctionSpecOf(details),
    hasHeight: !isUltrasonic(junction.Z8_GRUPOMP),
    quantity,
    remainingAfter: piecesLeft(junction) - quantity,
  }
}

/** Judges the form of a junction by its plan. */
function useJunctionPlan(props: JunctionProps) {
  const { place, junction, here } = props
  const { branch: plant, order, junction: position } = place
  const request = { query: { filial: plant, numeroOp: order, posicao: position } }
  const judge = usePlan({
    place: { plant, term: `${order} ${position}` },
    // each recording changes what is due to be measured, so the context is read again
    reading: query(measurements.junctionContext, request, { round: piecesLeft(junction) + here, isAfterFrame: true }),
    isDue: true,
  })
  return (form: JunctionForm) => judge(workOf(props, form), form)
}

/** The next junction of the order in which something is left to do, once nothing is in this one. */
export function useNextJunction({ plant, order }: JunctionSearch, position: string, isDone: boolean) {
  const { data } = useJunctionSearch({ plant, order: isDone ? order : '' })
  const found = useJunctionsHere({ plant, order }, data?.items ?? [])
  const at = found.findIndex(({ Z8_POSICAO }) => Z8_POSICAO.trim() === position.trim())
  const next = [...found.slice(at + 1), ...found.slice(0, Math.max(0, at))].find(isJunctionOpen)
  return { next, isRead: data !== undefined }
}

type Forms = { form: JunctionForm }

/** The form of a junction has one part. */
export function useJunctionWork(props: JunctionProps) {
  const { place, junction, details, recordedAt, dialogs } = props
  const { branch, order } = place
  const client = useQueryClient()
  const navigate = useNavigate()
  const { timeZone } = useSettings()
  const lists = useJunctionLists(branch)
  const judge = useJunctionPlan(props)
  const parts = junctionParts(junction, lists)
  const { isOpen, fields } = parts.form
  const bounds = junctionQuantityBounds(junction)
  useEffect(() => dropOldDrafts(junctionDraft), [])
  const work = useWorkForm<Forms, FrozenJunction, PressedJunction>(kinds.junction, {
    ...{ branch, parts, dialogs },
    screen: { place },
    draft: {
      key: junctionDraft.keyOf(place),
      fresh: { form: freshJunctionForm(junction) },
      recordedAt: () => recordedAt,
      nextOf: { form: () => freshJunctionForm(junction) },
      unmeasured: (_, form) => ({ ...form, force: '', height: '', samples: undefined }),
    },
    settle: { form: settleJunction },
    startIn: () => (isOpen && fields[0] ? { part: 'form', field: fields[0].name } : null),
    codes: () => codesAtJunction(client, { order, junction, details }, lists),
    openItem: (item) => {
      writeToTab(EDITING_ITEM_KEY, item)
      void navigate({ to: links.itemEdit, state: { item } })
    },
    openOrder: (other) =>
      void prepareJunctionSearch(client, { plant: branch, order: other }).then(() => navigate({ to: links.junctions })),
    pressedOf: (_, { form }) => ({
      ...{ ...place, junction, timeZone },
      form: { ...form, quantity: junctionQuantityText(form, junction) },
    }),
    correct: {
      // nobody has typed a quantity: it follows what is left, or is asked for when the operator registers
      form: ({ quantity, ...form }) =>
        quantity ? correctJunction({ ...form, quantity }, bounds.max) : { form: { ...form, quantity }, warnings: [] },
    },
    limitsOf: () => ({ pullForceMin: details.teste?.ZTB_FORCA ?? null, crimpHeightMm: null }),
    quantityOf: (_, { form }) => ({
      ...{ text: junctionQuantityText(form, junction), isTyped: form.quantity !== null },
      balancePieces: isOpen && junction.Z8_QTDPECA > 0 ? piecesLeft(junction) : null,
      hint: isOpen ? junctionPiecesText(bounds.max) : undefined,
    }),
    judge: (_, { form }) => judge(form),
    withMeasured: { form: (before, texts) => ({ ...before, ...texts, sampledLot: before.lot }) },
  })
  return { work, isOpen }
}
