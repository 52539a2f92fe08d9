import { containmentDecisions, type DecisionForm } from '../../../../contract/containment-decisions.ts'
import { type Containment, containments } from '../../../../contract/containments.ts'
import { scraps } from '../../../../contract/scraps.ts'
import { call } from '../../../server/api.ts'
import { useSave } from '../../../server/save.ts'
import { usePressKey } from '../shown.ts'

/** Answers that a decision makes old. */
export const decidedAnswers = [containments.detail, containments.list, containments.items, scraps.list]

type Options = { toast: string; onSaved: () => void; reread?: () => Promise<void> }

/** Sends one press: all of its rows or none, and once however often it is sent. */
export function useDecide({ id }: Pick<Containment, 'id'>, options: Options) {
  const keyOf = usePressKey()
  return useSave({
    send: (body: DecisionForm) =>
      call(containmentDecisions.decide, { params: { id }, body }, { idempotencyKey: keyOf(body) }),
    changes: decidedAnswers,
    isDoneWhenShown: true,
    ...options,
  })
}
