import * as z from 'zod/mini'
import { type Endpoint, endpoint, type Topic } from './endpoint.ts'
import { RowId } from './values.ts'

type Register<Pair extends z.ZodMiniType, Form extends z.ZodMiniType> = {
  path: Endpoint['path']
  topic: Topic
  pair: Pair
  form: Form
  summaries: { list: string; get: string; create: string; update: string; delete: string }
}

const Key = z.strictObject({ id: RowId })

/** The endpoints of a register of two names that belong together. */
export function pairEndpoints<Pair extends z.ZodMiniType, Form extends z.ZodMiniType>(register: Register<Pair, Form>) {
  const { path, topic, pair, form, summaries } = register
  return {
    list: endpoint({
      path,
      summary: summaries.list,
      access: 'session',
      reply: z.array(pair),
      live: [topic],
    }),
    get: endpoint({
      path: `${path}/:id`,
      summary: summaries.get,
      access: 'session',
      params: Key,
      reply: pair,
      refusals: ['not_found'],
    }),
    create: endpoint({
      method: 'POST',
      path,
      summary: summaries.create,
      access: 'session',
      body: form,
      reply: pair,
      statuses: [201],
      refusals: ['pair_exists', 'too_many_pairs'],
    }),
    update: endpoint({
      method: 'PUT',
      path: `${path}/:id`,
      summary: summaries.update,
      access: 'session',
      params: Key,
      body: form,
      reply: pair,
      versioned: true,
      refusals: ['not_found', 'pair_exists', 'changed_meanwhile'],
    }),
    delete: endpoint({
      method: 'DELETE',
      path: `${path}/:id`,
      summary: summaries.delete,
      access: 'session',
      params: Key,
      reply: z.strictObject({ id: z.int() }),
      versioned: true,
      refusals: ['not_found', 'changed_meanwhile'],
    }),
  }
}
