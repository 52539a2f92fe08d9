import type { WorkAct } from '../acts/act.ts'
import type { FrozenAct } from '../acts/kinds.ts'
import { useRecorder } from '../acts/useRecorder.ts'
import { type Answers, type PressFacts, useChecks } from './useChecks.tsx'

type Subject<F extends FrozenAct, Pressed> = Parameters<typeof useRecorder<F, Pressed>>[1] & {
  /** Null: nothing of it is checked. */
  factsOf: (pressed: Pressed) => PressFacts | null
  withAnswers: (pressed: Pressed, answers: Answers) => Pressed
  /** Marks in the form what is missing. */
  onPressed: (pressed: Pressed, isComplete: boolean) => void
  onDialog?: (isOpen: boolean) => void
}

/** The form of work that makes pieces: the checks before 'Registrar', their dialog, and its recorder. */
export function useWorkForm<F extends FrozenAct, Pressed>(kind: WorkAct<F, Pressed>, subject: Subject<F, Pressed>) {
  const { factsOf, withAnswers, onPressed, onDialog, ...screen } = subject
  const recorder = useRecorder(kind, screen)
  const { check, dialog } = useChecks(onDialog)
  const register: typeof recorder.register = async (pressed, steps) => {
    const isComplete = kind.work.refusalOf(pressed) === null
    onPressed(pressed, isComplete)
    const facts = isComplete ? factsOf(pressed) : null
    const answers = facts ? await check(facts) : {}
    if (answers) await recorder.register(withAnswers(pressed, answers), steps)
  }
  return { ...recorder, register, dialog }
}
