import type { CutItem } from '../../../contract/items.ts'
import { measurements } from '../../../contract/measurements.ts'
import {
  isSectionOpen,
  quantityBounds,
  quantityText,
  type RecordingForms,
  type SideForm,
  type SidePart,
} from '../../../domain/acts/recording-form.ts'
import { sectionOf } from '../../../domain/acts/recordings.ts'
import { gaugeOf } from '../../../domain/quality/control-plans.ts'
import { orderSpecOf } from '../../../domain/quality/sampling.ts'
import { readWhole } from '../../../domain/text/numbers.ts'
import { doneAtServer, type ItemHere } from '../../acts/queue-db.ts'
import { usePlan } from '../../forms/usePlan.ts'
import type { Work } from '../../parts/measuring/work.ts'
import { query } from '../../server/query.ts'

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
export function useItemPlan({ item, here }: ItemHere) {
  const { Z1_FILIAL: plant, Z1_CODBAR: term } = item
  const parts = { params: { codigoBarras: term }, query: { filial: plant } }
  const plan = usePlan({
    place: { plant, term },
    // what is due is another with each recording
    reading: query(measurements.context, parts, { round: doneAtServer({ item, here }) }),
    isDue: sides.some((part) => sectionOf(item, part).terminal && isSectionOpen(item, part)),
  })
  return (part: SidePart, forms: RecordingForms) => {
    const { terminal } = sectionOf(item, part)
    if (!terminal) return null
    const work = workOf(item, part, terminal, forms[part])
    return { here: plan.here, work, ...plan.judge(work, forms[part]) }
  }
}
