import { isUltrasonic, type Junction, type JunctionDetails } from '../../../contract/junctions.ts'
import { measurements } from '../../../contract/measurements.ts'
import type { JunctionForm } from '../../../domain/acts/junctions.ts'
import { testedGaugeOf } from '../../../domain/quality/control-plans.ts'
import { piecesLeft } from '../../../domain/quality/junction-samples.ts'
import { junctionSpecOf, junctionTerminalOf } from '../../../domain/quality/sampling.ts'
import { readWhole } from '../../../domain/text/numbers.ts'
import { usePlan } from '../../forms/usePlan.ts'
import type { Work } from '../../parts/measuring/work.ts'
import { query } from '../../server/query.ts'

type Props = {
  place: { branch: string; order: string; junction: string }
  junction: Junction
  /** Pieces of it that wait on this device. */
  here: number
  details: JunctionDetails
  form: JunctionForm
}

function workOf({ place, junction, details, form }: Props): Work {
  const quantity = readWhole(form.quantity) || 0
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

const typedOf = (text: string) => ({ text, measured: text !== '' })

/** Judges the form of a junction by its plan. */
export function useJunctionPlan(props: Props) {
  const { place, junction, here, form } = props
  const { branch: plant, order, junction: position } = place
  const parts = { query: { filial: plant, numeroOp: order, posicao: position } }
  const plan = usePlan({
    place: { plant, term: `${order} ${position}` },
    // what is due is another with each recording
    reading: query(measurements.junctionContext, parts, { round: piecesLeft(junction) + here }),
    isDue: true,
  })
  const work = workOf(props)
  return {
    here: plan.here,
    work,
    judge: () => plan.judge(work, { force: typedOf(form.force), height: typedOf(form.height) }),
  }
}
