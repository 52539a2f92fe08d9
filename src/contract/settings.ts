import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const VERSION = 'v2.0'

export const Plant = z.strictObject({ code: z.string(), label: z.string() })
export type Plant = z.infer<typeof Plant>

export const settings = {
  /** What the screens need to know of this installation. */
  get: endpoint({
    method: 'GET',
    path: '/api/configuracao',
    summary: 'Nome da unidade, filiais e unidade de força desta instalação',
    access: 'session',
    reply: z.strictObject({
      siteName: z.string(),
      plants: z.array(Plant),
      timeZone: z.string(),
      forceUnit: z.string(),
    }),
  }),
}

export const Status = z.strictObject({
  api: z.literal('online'),
  database: z.enum(['mysql', 'sqlite', 'offline']),
  erp: z.enum(['online', 'offline']),
  /** Recordings that the ERP has not yet confirmed, plus those that need a person. */
  pending: z.int(),
  version: z.string(),
})
export type Status = z.infer<typeof Status>

export const status = {
  get: endpoint({
    method: 'GET',
    path: '/api/status',
    summary: 'Indicadores do cabeçalho',
    access: 'public',
    reply: Status,
  }),
}
