import type { Outside } from '../outside.ts'
import type { Delivery } from '../store/outbox.ts'
import { orderOf } from './kinds.ts'

/** So many different orders that the ERP answers alike, one after the other: the trouble is not theirs. */
const ORDERS_ALIKE = 3
const PROBE_EVERY_MS = 60_000

/** A closed month stops the cuts of one plant and neither its junctions nor the other plant. */
type Kind = Pick<Delivery, 'branch' | 'operation'>

export type WritePause = ReturnType<typeof openWritePause>

/** An ERP that says the same of whatever it gets would fill Pendências with what one cause keeps out. */
export function openWritePause({ now, log }: Pick<Outside, 'now' | 'log'>) {
  const heard = new Map<string, { words: string; orders: Set<string>; probeAt: number }>()
  const keyOf = ({ branch, operation }: Kind) => `${branch}|${operation}`
  const isOn = (kind: Kind) => (heard.get(keyOf(kind))?.orders.size ?? 0) >= ORDERS_ALIKE
  return {
    isOn,
    /** Of any kind. */
    isAnyOn: () => [...heard.values()].some(({ orders }) => orders.size >= ORDERS_ALIKE),
    /** Milliseconds until one may be tried; 0: this one may leave now, and while there is a pause it is the try. */
    waitMs(kind: Kind): number {
      const answers = heard.get(keyOf(kind))
      if (!answers || !isOn(kind)) return 0
      const leftMs = answers.probeAt - now()
      // a clock that was put back must not make the pause longer
      if (leftMs > 0 && leftMs <= PROBE_EVERY_MS) return leftMs
      answers.probeAt = now() + PROBE_EVERY_MS
      return 0
    },
    /** Notes the ERP's words to a write that it did not confirm. */
    noteWords(delivery: Delivery, words: string) {
      const before = heard.get(keyOf(delivery))
      const answers = before?.words === words ? before : { words, orders: new Set<string>(), probeAt: 0 }
      if (answers.orders.size < ORDERS_ALIKE) answers.orders.add(orderOf(delivery))
      if (answers.orders.size === ORDERS_ALIKE && answers.probeAt === 0) {
        answers.probeAt = now() + PROBE_EVERY_MS
        const { branch, operation } = delivery
        log.error({ branch, operation, erp: words }, 'the ERP answers the same to different orders: sending pauses')
      }
      heard.set(keyOf(delivery), answers)
    },
    /** True where this ended a pause: what waits for it may leave. */
    noteConfirmed(kind: Kind) {
      const wasOn = isOn(kind)
      heard.delete(keyOf(kind))
      if (wasOn) log.info({ branch: kind.branch, operation: kind.operation }, 'the ERP confirms again: sending goes on')
      return wasOn
    },
  }
}
