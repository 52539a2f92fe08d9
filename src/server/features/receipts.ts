import type { FastifyInstance } from 'fastify'
import { receipts } from '../../contract/receipts.ts'
import { bind } from '../http/bind.ts'
import type { Context } from '../panel.ts'
import { accept } from '../recording/acceptance.ts'
import { receipt, toReceipt } from '../recording/receipts.ts'

export function receiptRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, receipts.confirm, ({ body }, call) => accept(receipt, toReceipt(body, call), call))
}
