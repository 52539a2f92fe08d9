import { type ReactNode, useState } from 'react'
import type { LimitReason } from '../../contract/recordings.ts'
import type { ReleaseForm } from '../../contract/releases.ts'
import type { PlanMode } from '../../contract/settings.ts'
import type { FieldLimit } from '../../domain/forms/order-limits.ts'
import type { Judged } from '../../domain/forms/recording-form.ts'
import { deferred } from '../device/deferred.ts'
import { lateDialog } from '../parts/Late.tsx'
import type { GateFacts } from '../parts/plan/PlanGate.tsx'
import { useSettings } from '../parts/settings.ts'

/** Facts of a form at the press of 'Registrar', for its checks. */
export type PressFacts = {
  force: string
  forceLimit: FieldLimit | undefined
  /** Null: no plan speaks of it. `place` and its pieces are those that a release would be good for. */
  plan: { facts: GateFacts; place: Omit<ReleaseForm, 'usuario' | 'senha' | 'motivo' | 'atos' | 'digitados'> } | null
}

/** Answers that are registered with the form. */
type Answers = { limitReason?: LimitReason; judged?: Judged }

type Draw<Answer> = (on: { onAnswer: (answer: Answer) => void; onClose: () => void }) => ReactNode

type Asking = {
  /** Null: the dialog was closed without an answer. */
  ask: <Answer>(draw: Draw<Answer>) => Promise<Answer | null>
  modes: { planMode: PlanMode; instrumentMode: PlanMode }
  /** Answers to the checks before this one. */
  given: Answers
}

/** Passes with answers to its question, if it had one; null: nothing is registered. */
type Check = (facts: PressFacts, asking: Asking) => Promise<Answers | null> | Answers

const ReasonDialog = lateDialog(
  deferred(async () => (await import('../parts/fields/ReasonDialog.tsx')).ReasonDialog, { warm: ['soon'] }),
)
const planGate = deferred(() => import('../parts/plan/PlanGate.tsx'))

/** A force below the minimum of the order or of the pull test needs a reason. */
const explainsForce: Check = async ({ force, forceLimit }, { ask }) => {
  const wrong = forceLimit?.wrong
  if (wrong === undefined) return {}
  const limitReason = await ask<LimitReason>(({ onAnswer, onClose }) => (
    <ReasonDialog
      title="Registrar com força abaixo do mínimo?"
      confirmText="Registrar"
      onConfirm={onAnswer}
      onClose={onClose}
    >
      Força informada: <strong className="code">{force}</strong>. {wrong}.
    </ReasonDialog>
  ))
  return limitReason && { limitReason }
}

/** Work outside its plan needs a reason or a release of quality, by the plant's mode. A reason given just before is enough. */
const followsPlan: Check = async ({ plan }, { ask, modes, given: { limitReason } }) => {
  if (plan === null) return {}
  const { facts, place } = plan
  const { planMode, instrumentMode } = modes
  const isObjected = facts.outside.length > 0 || facts.due.length > 0
  const inForce = [...(isObjected ? [planMode] : []), ...(facts.gauges.length > 0 ? [instrumentMode] : [])]
  const judgedAs = (more: Judged): Answers => ({ judged: { plano: facts.plan, ...more } })
  if (inForce.every((mode) => mode === 'observar')) return judgedAs({})
  if (limitReason && !inForce.includes('bloquear')) return judgedAs({ motivoForaDoPlano: limitReason })
  const file = await planGate.open().catch(() => null)
  // without its script the dialog cannot ask: the server notes the finding
  if (!file) return judgedAs({})
  const judged = await ask<Judged>(({ onAnswer, onClose }) => (
    <file.PlanGate {...modes} {...{ facts, onClose }} of={{ ...place, ...facts.looked }} onGo={onAnswer} />
  ))
  return judged && judgedAs(judged)
}

/** Run in this order before 'Registrar'; a new question is one more row. */
const checks: readonly Check[] = [explainsForce, followsPlan]

/** Runs the checks of a form, with one dialog for their questions. */
export function useChecks(onDialog?: (isOpen: boolean) => void) {
  const { planMode, instrumentMode = 'observar' } = useSettings()
  const [dialog, setDialog] = useState<ReactNode>(null)
  const show = (shown: ReactNode) => {
    setDialog(shown)
    onDialog?.(shown !== null)
  }
  const ask = <Answer,>(draw: Draw<Answer>) =>
    new Promise<Answer | null>((resolve) => {
      const end = (answer: Answer | null) => {
        show(null)
        resolve(answer)
      }
      show(draw({ onAnswer: end, onClose: () => end(null) }))
    })
  /** Null: a question was left without an answer. */
  const check = async (facts: PressFacts): Promise<Answers | null> => {
    let given: Answers = {}
    for (const one of checks) {
      const answers = await one(facts, { ask, modes: { planMode, instrumentMode }, given })
      if (answers === null) return null
      given = { ...given, ...answers }
    }
    return given
  }
  return { check, dialog }
}
