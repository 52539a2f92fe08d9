import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Instant, text } from './values.ts'

export const NAME_LENGTH_MAX = 255
/** What the pick dialogs give when nothing is registered. Such a recording counts for no tool. */
export const UNREGISTERED = 'Sem Cadastro'

/** A terminal and the mini applicator that crimps it. */
export const ApplicatorPair = z.strictObject({
  id: z.int(),
  terminal: z.string(),
  miniaplicator: z.string(),
  createdAt: Instant,
  updatedAt: Instant,
})
export type ApplicatorPair = z.infer<typeof ApplicatorPair>

export const applicators = {
  list: endpoint({
    method: 'GET',
    path: '/api/miniaplicadores',
    summary: 'Mini aplicadores cadastrados, um por par de terminal e mini aplicador',
    access: 'session',
    reply: z.array(ApplicatorPair),
  }),
  listByTerminal: endpoint({
    method: 'GET',
    path: '/api/miniaplicadores/por-terminal/:terminal',
    summary: 'Mini aplicadores de um terminal',
    access: 'session',
    params: z.strictObject({ terminal: text(NAME_LENGTH_MAX) }),
    reply: z.array(ApplicatorPair),
  }),
}
