import { type ReactNode, useState } from 'react'
import type { LimitReason } from '../../../contract/recordings.ts'
import type { ReleaseForm } from '../../../contract/releases.ts'
import type { PlanGateFacts } from '../../../domain/plan-gate.ts'
import type { Judged } from '../../../domain/recording-form.ts'
import { useSettings } from '../settings.ts'

/** What the plan has to say to 'Registrar'. */
export type GateFacts = Pick<PlanGateFacts, 'verdict' | 'due'> & { plan: number }

type Pressed = {
  facts: GateFacts
  /** The place of work that a release would be good for. */
  of: Omit<ReleaseForm, 'usuario' | 'senha' | 'motivo'>
  /** One that was just said: one is enough. */
  reason: LimitReason | undefined
}

/** Before work outside its plan is registered it is asked why, or waits for quality, as the plant has it. */
export function usePlanGate(onOpenChange?: (isOpen: boolean) => void) {
  const { planMode: mode } = useSettings()
  const [dialog, setDialog] = useState<ReactNode>(null)
  const show = (shown: ReactNode) => {
    setDialog(shown)
    onOpenChange?.(shown !== null)
  }
  const pass = async ({ facts, of, reason }: Pressed, go: (judged: Judged) => Promise<void>): Promise<void> => {
    const goOn = async (more: Judged) => {
      show(null)
      await go({ plano: facts.plan, ...more })
    }
    const isObjected = facts.verdict === 'fora' || facts.due.length > 0
    if (mode === 'observar' || !isObjected) return await goOn({})
    if (mode === 'avisar' && reason) return await goOn({ motivoForaDoPlano: reason })
    const file = await import('./PlanGate.tsx').catch(() => null)
    // nobody can be asked: it is noted at the server
    if (!file) return await goOn({})
    const onClose = () => show(null)
    show(<file.PlanGate {...{ mode, facts, of, onClose }} onGo={(judged) => void goOn(judged)} />)
  }
  return { pass, dialog }
}
