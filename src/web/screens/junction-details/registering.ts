import { useRef } from 'react'
import type { Junction } from '../../../contract/junctions.ts'
import type { LimitReason } from '../../../contract/recordings.ts'
import { type JunctionForm, junctionRefusal } from '../../../domain/acts/junctions.ts'
import { forceLimit } from '../../../domain/acts/order-limits.ts'
import { readNumber } from '../../../domain/text/numbers.ts'
import { useLimitQuestion } from '../../parts/fields/useLimitQuestion.tsx'
import { type GateFacts, usePlanGate } from '../../parts/plan/usePlanGate.tsx'
import { useSettings } from '../../parts/settings.ts'

type Pressed = { junction: Junction; form: JunctionForm; branch: string; order: string; timeZone: string }

type Questioned = {
  pressed: Omit<Pressed, 'timeZone'>
  forceMin: number | null
  onDialog: (isOpen: boolean) => void
  onMissed: () => void
}

/** Before a force below the pull test's, or work outside its plan, is registered it is asked why. */
export function useQuestionedRegister(
  { pressed, forceMin, onDialog, onMissed }: Questioned,
  send: (pressed: Pressed) => Promise<void>,
) {
  const { forceUnit, timeZone } = useSettings()
  const { ask, dialog } = useLimitQuestion(onDialog)
  const { pass, dialog: gate } = usePlanGate(onDialog)
  const facts = useRef<GateFacts | null>(null)
  const { junction, form, branch, order } = pressed
  const judge = async (reason?: LimitReason) => {
    const given = reason ? { ...form, limitReason: reason } : form
    if (!facts.current) return await send({ ...pressed, timeZone, form: given })
    const pecas = readNumber(form.quantity)
    const of = { filial: branch, posicao: junction.Z8_POSICAO, ordem: order, parte: 'juncao' as const, pecas }
    await pass({ facts: facts.current, of, reason }, (judged) =>
      send({ ...pressed, timeZone, form: { ...given, judged } }),
    )
  }
  const register = () => {
    const wrong = forceLimit(form.force, forceMin, forceUnit)?.wrong
    const isRefused = junctionRefusal(junction, form) !== null
    if (isRefused) {
      onMissed()
      // whoever registers says why it is not taken
      return void send({ ...pressed, timeZone })
    }
    if (wrong) return ask({ wrong, force: form.force, onReason: (reason) => void judge(reason) })
    void judge()
  }
  const onGate = (said: GateFacts | null) => {
    facts.current = said
  }
  return { register, dialog: dialog ?? gate, onGate }
}
