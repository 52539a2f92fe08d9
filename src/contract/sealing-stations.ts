import * as z from 'zod/mini'
import { NAME_LENGTH_MAX, pairName } from './applicators.ts'
import { endpoint } from './endpoint.ts'
import { Instant, RowKey, text } from './values.ts'

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
  list: endpoint({
    path: '/api/sealingstations',
    summary: 'Estações de selo cadastradas',
    access: 'read',
    reply: z.array(SealingStation),
    live: ['sealing-stations'],
  }),
  get: endpoint({
    path: '/api/sealingstations/:id',
    summary: 'Um par de selo e estação',
    access: 'read',
    params: RowKey,
    reply: SealingStation,
    refusals: ['not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/sealingstations',
    summary: 'Cadastra um par de selo e estação',
    access: 'tools',
    body: SealingStationForm,
    reply: SealingStation,
    statuses: [201],
    refusals: ['pair_exists', 'too_many_pairs'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/sealingstations/:id',
    summary: 'Altera um par de selo e estação',
    access: 'tools',
    params: RowKey,
    body: SealingStationForm,
    reply: SealingStation,
    versioned: true,
    refusals: ['not_found', 'pair_exists', 'changed_meanwhile'],
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/sealingstations/:id',
    summary: 'Exclui um par de selo e estação',
    access: 'tools',
    params: RowKey,
    reply: z.strictObject({ id: z.int() }),
    versioned: true,
    refusals: ['not_found', 'changed_meanwhile'],
  }),
  listBySeal: endpoint({
    path: '/api/sealingstations/por-selo/:seal',
    summary: 'Estações de um selo',
    access: 'read',
    params: z.strictObject({ seal: text(NAME_LENGTH_MAX) }),
    reply: z.array(SealingStation),
    live: ['sealing-stations'],
  }),
}
