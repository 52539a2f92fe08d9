import * as z from 'zod/mini'
import { endpoint, topics } from './endpoint.ts'

/**
 * One change: the key of `items` is the barcode, of `junctions` the order, of `measurements` the tool or the place
 * measured, elsewhere the row's; empty when many changed.
 */
export const LiveChange = z.strictObject({ topic: z.enum(topics), key: z.string() })
export type LiveChange = z.infer<typeof LiveChange>

/** The event that ends the stream of a session that was ended, or of a user without access. */
export const SESSION_OVER_EVENT = 'encerrada'

/** Names the event of a change whose topic the version before does not know: its page fails at one that comes without a name. */
export const CHANGE_EVENT = 'mudanca'

/** Comes with the stream's beginning and then every `ALIVE_EVERY_S`; a page that does not know it leaves it aside. */
export const ALIVE_EVENT = 'vivo'
export const ALIVE_EVERY_S = 15

/**
 * On every answer of a server whose streams say that they live, with how often, in seconds: of a server of the version before, which
 * does not say so, no silence means anything.
 */
export const ALIVE_HEADER = 'x-painel-vivo'

export const liveChanges = {
  stream: endpoint({
    path: '/api/eventos',
    summary:
      "O que muda, enquanto muda (server-sent events), sem nome de evento ou em 'mudanca'; 'vivo' vem a cada 15 s, e 'encerrada' diz que a sessão acabou",
    access: 'board',
    suffices: 'cookie',
    reply: LiveChange,
    file: 'text/event-stream',
    refusals: ['too_many_streams', 'overloaded'],
  }),
}
