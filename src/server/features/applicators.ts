import type { FastifyInstance } from 'fastify'
import { applicators } from '../../contract/applicators.ts'
import { bind } from '../http/bind.ts'
import type { Context } from '../panel.ts'
import {
  deleteApplicator,
  findApplicator,
  insertApplicator,
  listApplicators,
  updateApplicator,
} from '../store/applicators.ts'
import { pairHandlers } from './pairs.ts'

const handlers = pairHandlers({
  kind: 'applicator',
  // a pair is also a terminal of its unit's counter, or of two when it changes hands
  changesOf: (id) => [
    { topic: 'applicators', key: String(id) },
    { topic: 'crimp-counters', key: '' },
  ],
  list: listApplicators,
  find: findApplicator,
  insert: insertApplicator,
  update: updateApplicator,
  delete: deleteApplicator,
})

export function applicatorRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, applicators.list, (_, { db }) => listApplicators(db.read))
  bind(app, context, applicators.listByTerminal, ({ params }, { db }) => listApplicators(db.read, params))
  bind(app, context, applicators.get, handlers.get)
  bind(app, context, applicators.create, handlers.create)
  bind(app, context, applicators.update, handlers.update)
  bind(app, context, applicators.delete, handlers.delete)
}
