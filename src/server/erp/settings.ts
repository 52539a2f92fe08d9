import * as z from 'zod/mini'

/**
 * What differs from one Protheus to the next beyond address and login; the file that `ERP_CONFIG` names. The defaults
 * fit the contract we propose to a plant.
 */
export const ErpSettings = z.strictObject({
  /** Below ERP_URL. `{id}` is filled in. */
  paths: z._default(
    z.strictObject({
      token: z._default(z.string(), '/api/oauth2/v1/token'),
      items: z._default(z.string(), '/p1/ApontamentoProducao/itens'),
      recordings: z._default(z.string(), '/p1/ApontamentoProducao/apontamentos'),
      machines: z._default(z.string(), '/p1/ApontamentoProducao/maquinas'),
      integrations: z._default(z.string(), '/p1/ApontamentoProducao/integracoes/{id}'),
      probe: z._default(z.string(), '/p1/ApontamentoProducao/status'),
    }),
    {
      token: '/api/oauth2/v1/token',
      items: '/p1/ApontamentoProducao/itens',
      recordings: '/p1/ApontamentoProducao/apontamentos',
      machines: '/p1/ApontamentoProducao/maquinas',
      integrations: '/p1/ApontamentoProducao/integracoes/{id}',
      probe: '/p1/ApontamentoProducao/status',
    },
  ),
  auth: z._default(z.enum(['token', 'basic']), 'token'),
  /** Where the token call carries its parameters: both are in the field. */
  tokenParameters: z._default(z.enum(['query', 'form']), 'form'),
  /** Label of force on screen; the ERP does not say its unit. */
  forceUnit: z._default(z.enum(['N', 'kgf']), 'N'),
})
export type ErpSettings = z.infer<typeof ErpSettings>
