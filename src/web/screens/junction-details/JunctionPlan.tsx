import { isUltrasonic, type Junction, type JunctionDetails } from '../../../contract/junctions.ts'
import { measurements } from '../../../contract/measurements.ts'
import type { JunctionForm } from '../../../domain/acts/junctions.ts'
import { testedGaugeOf } from '../../../domain/quality/control-plans.ts'
import { piecesLeft } from '../../../domain/quality/junction-samples.ts'
import { junctionSpecOf, junctionTerminalOf } from '../../../domain/quality/sampling.ts'
import { readWhole } from '../../../domain/text/numbers.ts'
import { PlanAtWork, type PlanProps } from '../../parts/measuring/PlanAtWork.tsx'
import type { Work } from '../../parts/measuring/work.ts'
import type { GateFacts } from '../../parts/plan/PlanGate.tsx'
import { query } from '../../server/query.ts'

type Props = PlanProps & {
  place: { branch: string; order: string; junction: string }
  junction: Junction
  /** Pieces of it that wait on this device. */
  here: number
  details: JunctionDetails
  form: JunctionForm
  change: (apply: (form: JunctionForm) => JunctionForm) => void
  onGate: (facts: GateFacts | null) => void
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

/** The plan of a junction: all of it comes after the form. */
export function JunctionPlan(props: Props) {
  const { place, junction, here, details, form, ...rest } = props
  const { branch: plant, order, junction: position } = place
  const parts = { query: { filial: plant, numeroOp: order, posicao: position } }
  return (
    <PlanAtWork<JunctionForm>
      {...rest}
      place={{ plant, term: `${order} ${position}` }}
      // what is due is another with each recording
      reading={query(measurements.junctionContext, parts, { round: piecesLeft(junction) + here })}
      work={workOf(props)}
      typed={{ force: typedOf(form.force), height: typedOf(form.height) }}
      name="junção"
      filled={(before, texts) => ({ ...before, ...texts, sampledLot: before.lot })}
    />
  )
}
