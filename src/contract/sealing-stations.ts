import * as z from 'zod/mini'
import { NAME_LENGTH_MAX, pairName } from './applicators.ts'
import { endpoint } from './endpoint.ts'
import { pairEndpoints } from './pairs.ts'
import { Instant, text } from './values.ts'

/** A seal and the station that applies it. */
export const SealingStation = z.strictObject({
  id: z.int(),
  seal: z.string(),
  sealingStationName: z.string(),
  createdAt: Instant,
  updatedAt: Instant,
  version: z.int(),
})
export type SealingStation = z.infer<typeof SealingStation>

export const SealingStationForm = z.strictObject({
  seal: pairName('Seal é obrigatório (máximo 255 caracteres)'),
  sealingStationName: pairName('Estação de Selo é obrigatório (máximo 255 caracteres)'),
})
export type SealingStationForm = z.infer<typeof SealingStationForm>

export const sealingStations = {
  ...pairEndpoints({
    path: '/api/sealingstations',
    topic: 'sealing-stations',
    pair: SealingStation,
    form: SealingStationForm,
    summaries: {
      list: 'Estações de selo cadastradas',
      get: 'Um par de selo e estação',
      create: 'Cadastra um par de selo e estação',
      update: 'Altera um par de selo e estação',
      delete: 'Exclui um par de selo e estação',
    },
  }),
  listBySeal: endpoint({
    path: '/api/sealingstations/por-selo/:seal',
    summary: 'Estações de um selo',
    access: 'session',
    params: z.strictObject({ seal: text(NAME_LENGTH_MAX) }),
    reply: z.array(SealingStation),
    live: ['sealing-stations'],
  }),
}
