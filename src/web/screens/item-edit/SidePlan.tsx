import { useEffect, useEffectEvent } from 'react'
import { measurements } from '../../../contract/measurements.ts'
import { gaugeOf, milliText, unitText, verdictOf } from '../../../domain/control-plans.ts'
import { readWhole } from '../../../domain/numbers.ts'
import type { PlanGateFacts } from '../../../domain/plan-gate.ts'
import {
  quantityBounds,
  quantityText,
  type SideForm,
  type SidePart,
  settleMeasurements,
  typedMeasurement,
  withoutSample,
  withSample,
} from '../../../domain/recording-form.ts'
import { limitsOf, orderSpecOf } from '../../../domain/sampling.ts'
import type { Verdict } from '../../parts/fields/fields.tsx'
import { Measuring, type Opened } from '../../parts/measuring/Measuring.tsx'
import { type PlanHere, useMeasuringContext, usePlanHere, type Work } from '../../parts/measuring/work.ts'
import { doneAtServer, type ItemHere } from '../../recording/queue-db.ts'
import { query } from '../../server/query.ts'

/** What the plan has to say to 'Registrar'. */
export type GateFacts = Pick<PlanGateFacts, 'verdict' | 'due'> & { plan: number }

/** A value typed by hand is a sample of one: it is the newest, and the first piece. */
function gateFactsOf({ plan, due, newest }: PlanHere, { force, height, samples = [] }: SideForm, verdicts: Verdicts) {
  if (!plan) return null
  const typed = [force.measured ? verdicts.force : null, height.measured ? verdicts.height : null].filter(
    (one) => one !== null,
  )
  if (samples.length > 0 || typed.length === 0) return { plan: plan.id, verdict: newest, due }
  const isInside = typed.every((one) => one.isInside)
  const later = due.filter((one) => one === 'a-cada' || one === 'ultima-peca')
  return { plan: plan.id, verdict: isInside ? ('dentro' as const) : ('fora' as const), due: later }
}

export type Verdicts = { force: Verdict | null; height: Verdict | null }

type Props = ItemHere & {
  part: SidePart
  terminal: string
  form: SideForm
  forceUnit: string
  isDisabled: boolean
  change: (apply: (form: SideForm) => SideForm) => void
  /** Said at the fields. */
  onVerdicts: (verdicts: Verdicts) => void
  /** Asked at 'Registrar'; null: no plan speaks of this. */
  onGate: (part: SidePart, facts: GateFacts | null) => void
  /** The dialog, as the form has it. */
  opened: Opened | null
  onOpen: (opened: Opened | null) => void
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

/** The plan of a side, what it says of what is typed, and the way to measure: all of it comes after the form. */
export function SidePlan(props: Props) {
  const { item, part, form, forceUnit, change, onVerdicts } = props
  const { Z1_FILIAL: plant, Z1_CODBAR: term } = item
  const parts = { params: { codigoBarras: term }, query: { filial: plant } }
  // what is due is another with each recording
  const reading = query(measurements.context, parts, { round: doneAtServer(props) })
  const here = useMeasuringContext({ plant, term }, reading)
  const work = workOf(props)
  const planHere = usePlanHere(work, here.context)
  const { plan } = planHere
  const verdicts = {
    force: verdictOf(form.force.text, limitsOf(plan, 'forca', work.limits), (milli) =>
      unitText(milliText(milli, 0), forceUnit),
    ),
    height: verdictOf(form.height.text, limitsOf(plan, 'altura', work.limits), (milli) => `${milliText(milli, 3)} mm`),
  }
  const shown = plan ? verdicts : { force: null, height: null }
  const say = useEffectEvent(() => onVerdicts(shown))
  // biome-ignore lint/correctness/useExhaustiveDependencies: said anew when it is another
  useEffect(say, [shown.force?.text, shown.height?.text])
  const facts = gateFactsOf(planHere, form, shown)
  const gate = useEffectEvent(() => props.onGate(part, facts))
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(gate, [facts?.plan, facts?.verdict, facts?.due.join()])
  return (
    <Measuring
      {...{ work, here, planHere, forceUnit }}
      name={part === 'l1' ? 'lado 1' : 'lado 2'}
      isDisabled={props.isDisabled}
      opened={props.opened}
      onOpen={props.onOpen}
      onSample={({ force, height }, sample) =>
        change((before) =>
          settleMeasurements(
            withSample(
              {
                ...before,
                ...(force === undefined ? {} : { force: typedMeasurement(force) }),
                ...(height === undefined ? {} : { height: typedMeasurement(height) }),
              },
              sample,
            ),
          ),
        )
      }
      onNotTaken={(id) => change((before) => withoutSample(before, id))}
      onTwoWires={(hasTwoWires) => change((before) => ({ ...before, hasTwoWires }))}
    />
  )
}
