import { type ReactNode, useState } from 'react'
import type { LimitReason } from '../../../contract/recordings.ts'
import type { ReleaseForm } from '../../../contract/releases.ts'
import type { Judged } from '../../../domain/acts/recording-form.ts'
import type { InstrumentFinding } from '../../../domain/quality/instruments.ts'
import type { GateSamples } from '../../../domain/quality/plan-gate.ts'
import { useSettings } from '../settings.ts'

/** What the plan has to say to 'Registrar'. */
export type GateFacts = GateSamples & {
  plan: number
  /** Of the gauges that the form's samples were taken with. */
  gauges: readonly InstrumentFinding[]
  /** What a release of it would be bound to. */
  looked: Required<Pick<ReleaseForm, 'atos' | 'digitados'>>
}

type Pressed = {
  facts: GateFacts
  /** The place of work and the pieces that a release would be good for. */
  of: Omit<ReleaseForm, 'usuario' | 'senha' | 'motivo' | 'atos' | 'digitados'>
  /** One that was just said: one is enough. */
  reason: LimitReason | undefined
}

/** Before work outside its plan is registered it is asked why, or waits for quality, as the plant has it. */
export function usePlanGate(onOpenChange?: (isOpen: boolean) => void) {
  const { planMode, instrumentMode = 'observar' } = useSettings()
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
    const isObjected = facts.outside.length > 0 || facts.due.length > 0
    const modes = [...(isObjected ? [planMode] : []), ...(facts.gauges.length > 0 ? [instrumentMode] : [])]
    if (modes.every((mode) => mode === 'observar')) return await goOn({})
    if (reason && !modes.includes('bloquear')) return await goOn({ motivoForaDoPlano: reason })
    const file = await import('./PlanGate.tsx').catch(() => null)
    // nobody can be asked: it is noted at the server
    if (!file) return await goOn({})
    const onClose = () => show(null)
    show(
      <file.PlanGate
        {...{ planMode, instrumentMode, facts, onClose }}
        of={{ ...of, ...facts.looked }}
        onGo={(judged) => void goOn(judged)}
      />,
    )
  }
  return { pass, dialog }
}
