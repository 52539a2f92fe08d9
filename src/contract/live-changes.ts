import * as z from 'zod/mini'
import { endpoint, topics } from './endpoint.ts'

/**
 * What changed: of `items` the key is the barcode, of `junctions` the order, of `measurements` the tool or what was measured,
 * elsewhere the row's; empty when it was many.
 */
export const LiveChange = z.strictObject({ topic: z.enum(topics), key: z.string() })
export type LiveChange = z.infer<typeof LiveChange>

/** The event that ends the stream of a session that was ended, or of a user without access. */
export const SESSION_OVER_EVENT = 'encerrada'

/** Comes with the stream's beginning and then three times a minute: a page opens one that has fallen silent anew. */
export const ALIVE_EVENT = 'vivo'

export const liveChanges = {
  stream: endpoint({
    path: '/api/eventos',
    summary:
      "O que muda, enquanto muda (server-sent events); o evento 'vivo' vem a cada 20 s, e 'encerrada' diz que a sessão acabou",
    access: 'board',
    suffices: 'cookie',
    reply: LiveChange,
    file: 'text/event-stream',
    refusals: ['too_many_streams', 'overloaded'],
  }),
}
