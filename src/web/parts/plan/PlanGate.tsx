import { useQuery } from '@tanstack/react-query'
import type { ReleaseForm } from '../../../contract/releases.ts'
import type { PlanMode } from '../../../contract/settings.ts'
import type { Judged } from '../../../domain/forms/recording-form.ts'
import { type InstrumentFinding, instrumentGate } from '../../../domain/quality/instruments.ts'
import { type GateSamples, planGate } from '../../../domain/quality/plan-gate.ts'
import { freshStatusQuery } from '../../server/status.ts'
import { ReasonDialog } from '../fields/ReasonDialog.tsx'
import { ReleaseDialog } from './ReleaseDialog.tsx'

/** The plan's facts for a press of 'Registrar'. */
export type GateFacts = GateSamples & {
  plan: number
  /** Findings on the gauges of the form's samples. */
  gauges: readonly InstrumentFinding[]
  /** The measurements that a release of it would be bound to. */
  looked: Required<Pick<ReleaseForm, 'atos' | 'digitados'>>
}

type Props = {
  planMode: PlanMode
  instrumentMode: PlanMode
  facts: GateFacts
  /** The place of work that a release would be good for. */
  of: Omit<ReleaseForm, 'usuario' | 'senha' | 'motivo'>
  onGo: (judged: Judged) => void
  onClose: () => void
}

/** Asks for a reason or a release before work outside its plan is registered. Without network a reason is enough. */
export function PlanGate({ planMode, instrumentMode, facts, of, onGo, onClose }: Props) {
  const { isError } = useQuery(freshStatusQuery)
  const given = { isReachable: !isError, hasRelease: false, hasReason: false }
  const ofPlan = planGate({ ...given, ...facts, mode: planMode })
  const ofGauges = instrumentGate({ ...given, findings: facts.gauges, mode: instrumentMode })
  const gates = [ofPlan, ofGauges].filter(({ needs }) => needs !== null)
  const text = gates.map((gate) => gate.text).join(' ')
  // one release lets through whatever speaks against it
  if (gates.some(({ needs }) => needs === 'release'))
    return <ReleaseDialog text={text} of={of} onReleased={({ id }) => onGo({ liberacao: id })} onClose={onClose} />
  return (
    <ReasonDialog
      title={ofPlan.needs === null ? 'Registrar com este instrumento?' : 'Registrar fora do plano?'}
      confirmText="Registrar assim mesmo"
      onConfirm={(reason) => onGo({ motivoForaDoPlano: reason })}
      onClose={onClose}
    >
      {text}
    </ReasonDialog>
  )
}
