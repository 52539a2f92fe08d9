import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import type { ErpGateway } from './erp/gateway.ts'
import type { Db } from './store/db/db.ts'

/** Everything the server touches that is not a pure function. Built once in start.ts, or by the tests' harness. */
export type Outside = {
  config: Config
  db: Db
  erp: ErpGateway
  /** Epoch milliseconds. */
  now: () => number
  /** Milliseconds on a clock that nobody can set. */
  elapsedMs: () => number
  /** By how much this server's own clock and the database's differ. */
  clockApartMs: () => number
  /** Ends the wait of one answer to a recording for the ERP: from then on it promises delivery. */
  answerWait: () => AbortSignal
  log: FastifyBaseLogger
}
