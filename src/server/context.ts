import type { FastifyBaseLogger } from 'fastify'
import type { Accesses } from './accesses.ts'
import type { Config } from './config.ts'
import type { DeliveryBudgets } from './delivery-budgets.ts'
import type { ErpGateway } from './erp/gateway.ts'
import type { ErpReads } from './erp-reads.ts'
import type { LiveChanges } from './live-changes.ts'
import type { LogKeeper } from './log-keeper.ts'
import type { Marks } from './marks.ts'
import type { Metrics } from './metrics.ts'
import type { Outbox } from './outbox.ts'
import type { Passwords } from './passwords.ts'
import type { Keys } from './signatures.ts'
import type { Db } from './store/db.ts'

/** Everything the server touches that is not a pure function. Built once in main.ts, or by the tests' harness. */
export type Context = {
  config: Config
  db: Db
  erp: ErpGateway
  erpReads: ErpReads
  outbox: Outbox
  liveChanges: LiveChanges
  passwords: Passwords
  marks: Marks
  budgets: DeliveryBudgets
  /** Sign delivery grants, receipts and marks; the same for all servers of a plant. */
  keys: Keys
  /** Epoch milliseconds. */
  now: () => number
  /** Milliseconds on a clock that nobody can set. */
  elapsedMs: () => number
  /** By how much this server's own clock and the database's differ. */
  clockApartMs: () => number
  /** How long a recording's answer waits for the ERP before it says 'saved, on its way'. */
  answerWaitMs: number
  log: FastifyBaseLogger
  accesses: Accesses
  /** Keeps in the database what is logged. */
  logKeeper: LogKeeper
  /** Null where nobody may read them. */
  metrics: Metrics | null
}
