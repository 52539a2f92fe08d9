import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { sayingName } from './names.ts'
import { Instant, RowKey } from './values.ts'

/** shared: badges hold there. board: it stands on a wall, and consulta's session lasts there. */
const stationKinds = ['shared', 'board'] as const
export type StationKind = (typeof stationKinds)[number]

export const Station = z.strictObject({
  id: z.int(),
  name: z.string(),
  enrolledBy: z.string(),
  enrolledAt: Instant,
  /** The device that asks. */
  isCurrent: z.boolean(),
  kind: z.enum(stationKinds),
  /** False: of a version before, known by its device alone until it is enrolled anew. */
  hasSecret: z.boolean(),
})
export type Station = z.infer<typeof Station>

/** Devices on which badges hold, and boards. */
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
    summary: 'Faz do dispositivo que pergunta uma estação compartilhada, ou com kind=board um quadro',
    access: 'administer',
    confirmed: true,
    body: z.strictObject({ name: sayingName(80), kind: z.optional(z.enum(stationKinds)) }),
    reply: z.array(Station),
    refusals: ['device_unknown'],
  }),
  list: endpoint({
    path: '/api/estacoes',
    summary: 'As estações compartilhadas e os quadros',
    access: 'administer',
    reply: z.array(Station),
    live: ['stations'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/estacoes/:id',
    summary: 'O dispositivo não é mais uma estação ou um quadro, e as sessões que só valem nele por isso acabam',
    access: 'administer',
    confirmed: true,
    params: RowKey,
    reply: z.array(Station),
    refusals: ['not_found'],
  }),
}
