import type { FastifyInstance } from 'fastify'
import { receipts } from '../../contract/receipts.ts'
import { acceptRecording } from '../acts/acceptance.ts'
import { receipt, toReceipt } from '../acts/receipts.ts'
import { bind } from '../http/bind.ts'
import type { Context } from '../panel.ts'

export function receiptRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, receipts.confirm, ({ body }, call) => acceptRecording(receipt, toReceipt(body, call), call))
}
