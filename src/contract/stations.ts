import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Instant, RowId, text } from './values.ts'

export const Station = z.strictObject({
  id: z.int(),
  name: z.string(),
  enrolledBy: z.string(),
  enrolledAt: Instant,
  /** The device that asks. */
  isCurrent: z.boolean(),
})
export type Station = z.infer<typeof Station>

/** Devices on which badges hold. */
export const stations = {
  current: endpoint({
    path: '/api/estacao',
    summary: 'Se o dispositivo que pergunta é uma estação compartilhada',
    access: 'public',
    reply: z.strictObject({ isShared: z.boolean() }),
    live: ['stations'],
  }),
  enrol: endpoint({
    method: 'POST',
    path: '/api/estacao',
    summary: 'Faz do dispositivo que pergunta uma estação compartilhada',
    access: 'administer',
    confirmed: true,
    body: z.strictObject({ name: text(80) }),
    reply: z.array(Station),
    refusals: ['device_unknown'],
  }),
  list: endpoint({
    path: '/api/estacoes',
    summary: 'As estações compartilhadas',
    access: 'administer',
    reply: z.array(Station),
    live: ['stations'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/estacoes/:id',
    summary: 'O dispositivo não é mais uma estação compartilhada, e as sessões abertas nele com crachá acabam',
    access: 'administer',
    confirmed: true,
    params: z.strictObject({ id: RowId }),
    reply: z.array(Station),
    refusals: ['not_found'],
  }),
}
