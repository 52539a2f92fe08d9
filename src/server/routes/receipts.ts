import type { FastifyInstance } from 'fastify'
import { receipts } from '../../contract/receipts.ts'
import { accept } from '../acceptance.ts'
import type { Context } from '../context.ts'
import { bind } from '../http.ts'
import { receipt, toReceipt } from '../receipts.ts'

export function receiptRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, receipts.confirm, ({ body }, call) => accept(receipt, toReceipt(body, call), call))
}
