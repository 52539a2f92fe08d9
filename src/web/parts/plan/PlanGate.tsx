import { useQuery } from '@tanstack/react-query'
import type { ReleaseForm } from '../../../contract/releases.ts'
import type { PlanMode } from '../../../contract/settings.ts'
import { type PlanGateFacts, planGate } from '../../../domain/plan-gate.ts'
import type { Judged } from '../../../domain/recording-form.ts'
import { statusQuery } from '../../server/status.ts'
import { ReasonDialog } from '../fields/ReasonDialog.tsx'
import { ReleaseDialog } from './ReleaseDialog.tsx'

type Props = {
  mode: PlanMode
  facts: Pick<PlanGateFacts, 'verdict' | 'due'>
  /** The place of work that a release would be good for. */
  of: Omit<ReleaseForm, 'usuario' | 'senha' | 'motivo'>
  onGo: (judged: Judged) => void
  onClose: () => void
}

/** What stands between 'Registrar' and work outside its plan. Without network a reason is enough. */
export function PlanGate({ mode, facts, of, onGo, onClose }: Props) {
  const { isError } = useQuery(statusQuery)
  const { needs, text } = planGate({ mode, ...facts, isReachable: !isError, hasRelease: false, hasReason: false })
  if (needs === 'release')
    return <ReleaseDialog text={text} of={of} onReleased={({ id }) => onGo({ liberacao: id })} onClose={onClose} />
  return (
    <ReasonDialog
      title="Registrar fora do plano?"
      confirmText="Registrar assim mesmo"
      onConfirm={(reason) => onGo({ motivoForaDoPlano: reason })}
      onClose={onClose}
    >
      {text}
    </ReasonDialog>
  )
}
