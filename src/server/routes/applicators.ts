import type { FastifyInstance } from 'fastify'
import { applicators } from '../../contract/applicators.ts'
import type { Context } from '../context.ts'
import { bind } from '../http.ts'
import { listApplicators } from '../store/applicators.ts'

export function applicatorRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, applicators.list, (_, { db }) => listApplicators(db.read))
  bind(app, context, applicators.listByTerminal, ({ params }, { db }) => listApplicators(db.read, params))
}
