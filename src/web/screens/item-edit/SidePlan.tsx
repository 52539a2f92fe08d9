import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { CutItem } from '../../../contract/items.ts'
import { measurements } from '../../../contract/measurements.ts'
import {
  forceLimits,
  gaugeOf,
  heightLimits,
  milliText,
  planFor,
  planText,
  unitText,
  verdictOf,
} from '../../../domain/control-plans.ts'
import { givenLimit } from '../../../domain/order-limits.ts'
import { defaultsOf, type SideForm, type SidePart } from '../../../domain/recording-form.ts'
import { serverNow } from '../../device/clock.ts'
import type { Verdict } from '../../parts/fields/fields.tsx'
import { query } from '../../server/query.ts'

export type Verdicts = { force: Verdict | null; height: Verdict | null }

/** As the lists of the form: for as long as somebody works without network. */
const lasting = { staleTime: 10 * 60_000, gcTime: 12 * 3_600_000 }

/** The plan of a side that holds now, at the tool and the machine chosen so far; null where there is none. */
function usePlan(item: CutItem, terminal: string, { applicator, machine }: SideForm) {
  const { Z1_FILIAL: branch, Z1_CODBAR: codigoBarras } = item
  const ofItem = query(measurements.context, { params: { codigoBarras }, query: { filial: branch } })
  const plans = (useQuery({ ...ofItem, ...lasting }).data?.planos ?? []).map((plan) => ({
    ...plan,
    from: Date.parse(plan.validoDe),
    until: plan.validoAte === null ? null : Date.parse(plan.validoAte),
  }))
  const gauge = gaugeOf(item)
  return gauge === null ? null : planFor(plans, { terminal, gauge, unit: applicator, machine, branch, at: serverNow() })
}

type Props = {
  item: CutItem
  part: SidePart
  terminal: string
  form: SideForm
  forceUnit: string
  /** Said at the fields. */
  onVerdicts: (verdicts: Verdicts) => void
}

/** The plan in one line, and what it says of what is typed: few forms have one, so all of it comes after the form. */
export function SidePlan({ item, part, terminal, form, forceUnit, onVerdicts }: Props) {
  const plan = usePlan(item, terminal, form)
  const orderMin = givenLimit(defaultsOf(item, part).pullForceMin)
  const force = plan && forceLimits(plan.forcaMin ?? null, orderMin && Math.round(orderMin * 1000))
  const height = plan?.altura ? heightLimits(plan.altura) : null
  const verdicts = {
    force: verdictOf(form.force.text, force, (milli) => unitText(milliText(milli, 0), forceUnit)),
    height: verdictOf(form.height.text, height, (milli) => `${milliText(milli, 3)} mm`),
  }
  const say = useEffectEvent(() => onVerdicts(verdicts))
  // biome-ignore lint/correctness/useExhaustiveDependencies: said anew when it is another
  useEffect(say, [verdicts.force?.text, verdicts.height?.text])
  return plan && <p className="text-sm text-muted @sm:col-span-2">{planText(plan, forceUnit)}</p>
}
