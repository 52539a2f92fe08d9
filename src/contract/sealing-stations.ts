import * as z from 'zod/mini'
import { NAME_LENGTH_MAX } from './applicators.ts'
import { endpoint } from './endpoint.ts'
import { Instant, text } from './values.ts'

/** A seal and the station that applies it. */
export const SealingStation = z.strictObject({
  id: z.int(),
  seal: z.string(),
  sealingStationName: z.string(),
  createdAt: Instant,
  updatedAt: Instant,
})
export type SealingStation = z.infer<typeof SealingStation>

export const sealingStations = {
  list: endpoint({
    method: 'GET',
    path: '/api/sealingstations',
    summary: 'Estações de selo cadastradas',
    access: 'session',
    reply: z.array(SealingStation),
  }),
  listBySeal: endpoint({
    method: 'GET',
    path: '/api/sealingstations/por-selo/:seal',
    summary: 'Estações de um selo',
    access: 'session',
    params: z.strictObject({ seal: text(NAME_LENGTH_MAX) }),
    reply: z.array(SealingStation),
  }),
}
