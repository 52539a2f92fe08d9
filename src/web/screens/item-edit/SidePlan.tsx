import { measurements } from '../../../contract/measurements.ts'
import {
  quantityBounds,
  quantityText,
  type SideForm,
  type SidePart,
  settleMeasurements,
  typedMeasurement,
} from '../../../domain/acts/recording-form.ts'
import { gaugeOf } from '../../../domain/quality/control-plans.ts'
import { orderSpecOf } from '../../../domain/quality/sampling.ts'
import { readWhole } from '../../../domain/text/numbers.ts'
import { doneAtServer, type ItemHere } from '../../acts/queue-db.ts'
import { PlanAtWork, type PlanProps } from '../../parts/measuring/PlanAtWork.tsx'
import type { Work } from '../../parts/measuring/work.ts'
import type { GateFacts } from '../../parts/plan/PlanGate.tsx'
import { query } from '../../server/query.ts'

type Props = ItemHere &
  PlanProps & {
    part: SidePart
    terminal: string
    form: SideForm
    change: (apply: (form: SideForm) => SideForm) => void
    onGate: (part: SidePart, facts: GateFacts | null) => void
  }

function workOf({ item, part, terminal, form }: Props): Work {
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

/** The plan of a side: all of it comes after the form. */
export function SidePlan(props: Props) {
  const { item, here, part, form, terminal, onGate, ...rest } = props
  const { Z1_FILIAL: plant, Z1_CODBAR: term } = item
  const parts = { params: { codigoBarras: term }, query: { filial: plant } }
  return (
    <PlanAtWork<SideForm>
      {...rest}
      place={{ plant, term }}
      // what is due is another with each recording
      reading={query(measurements.context, parts, { round: doneAtServer({ item, here }) })}
      work={workOf(props)}
      typed={form}
      name={part === 'l1' ? 'lado 1' : 'lado 2'}
      filled={(before, { force, height }) =>
        settleMeasurements({
          ...before,
          ...(force === undefined ? {} : { force: typedMeasurement(force) }),
          ...(height === undefined ? {} : { height: typedMeasurement(height) }),
        })
      }
      onGate={(facts) => onGate(part, facts)}
    />
  )
}
