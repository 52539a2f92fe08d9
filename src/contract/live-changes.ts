import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** What a page may have read that is now another. */
export const topics = [
  'applicators',
  'sealing-stations',
  'crimp-counters',
  'crimp-history',
  'items',
  'junctions',
  'pending-recordings',
  'documents',
] as const
export type Topic = (typeof topics)[number]

/** What changed: of `items` the key is the barcode, of `junctions` the order, elsewhere the row's; empty when it was many. */
export const LiveChange = z.strictObject({ topic: z.enum(topics), key: z.string() })
export type LiveChange = z.infer<typeof LiveChange>

export const liveChanges = {
  stream: endpoint({
    method: 'GET',
    path: '/api/eventos',
    summary: 'O que muda, enquanto muda (server-sent events)',
    access: 'cookie',
    reply: LiveChange,
    file: 'text/event-stream',
  }),
}
