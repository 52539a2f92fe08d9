import * as z from 'zod/mini'

const dateFormats = ['AAAA-MM-DD', 'AAAAMMDD'] as const
export type DateFormat = (typeof dateFormats)[number]

/**
 * What differs from one Protheus to the next beyond address and login; the file that `ERP_CONFIG` names. The defaults
 * fit the contract we propose to a plant.
 */
export const ErpSettings = z.strictObject({
  /** Below ERP_URL. `{id}` is filled in. */
  paths: z.prefault(
    z.strictObject({
      token: z._default(z.string(), '/api/oauth2/v1/token'),
      items: z._default(z.string(), '/p1/ApontamentoProducao/itens'),
      recordings: z._default(z.string(), '/p1/ApontamentoProducao/apontamentos'),
      receipts: z._default(z.string(), '/p1/ApontamentoProducao/conferencia'),
      machines: z._default(z.string(), '/p1/ApontamentoProducao/maquinas'),
      junctions: z._default(z.string(), '/p1/ApontamentoProducao/juncoes'),
      junctionDetails: z._default(z.string(), '/p1/ApontamentoProducao/juncoes/detalhes'),
      junctionRecordings: z._default(z.string(), '/p1/ApontamentoProducao/juncoes/apontamentos'),
      integrations: z._default(z.string(), '/p1/ApontamentoProducao/integracoes/{id}'),
      probe: z._default(z.string(), '/p1/ApontamentoProducao/status'),
    }),
    {},
  ),
  /** How the day of a write is written. */
  dateFormats: z.prefault(
    z.strictObject({
      receipts: z._default(z.enum(dateFormats), 'AAAAMMDD'),
      junctionRecordings: z._default(z.enum(dateFormats), 'AAAA-MM-DD'),
    }),
    {},
  ),
  auth: z._default(z.enum(['token', 'basic']), 'token'),
  /** Where the token call carries its parameters: both are in the field. */
  tokenParameters: z._default(z.enum(['query', 'form']), 'form'),
  /** Label of force on screen; the ERP does not say its unit. */
  forceUnit: z._default(z.enum(['N', 'kgf']), 'N'),
})
export type ErpSettings = z.infer<typeof ErpSettings>
