import * as z from 'zod/mini'

const dateFormats = ['AAAA-MM-DD', 'AAAAMMDD'] as const
export type DateFormat = (typeof dateFormats)[number]

/** Words that confirm a recording beside a field of our own: sets of parts of words, all of which one sentence must hold. */
const positiveWords = [
  'realizad sucesso',
  'registrad sucesso',
  'gravad sucesso',
  'incluíd sucesso',
  'apontad sucesso',
  'confirmad sucesso',
]
const positiveFields = { REGISTRO: ['*'], STATUS: ['1'], SUCCESS: ['true'], SUCESSO: ['true'], OK: ['true'] }

/** The positive words that an answer needs. An error or a foreign id never confirms, whatever stands here. */
const confirming = (defaults: { fields: Record<string, string[]>; anyObject: boolean }) =>
  z.prefault(
    z.strictObject({
      /** Our `ID_INTEGRACAO` comes back. */
      ownId: z._default(z.boolean(), true),
      /** Fields, each with the values that confirm; `*`: any but blank, zero and false. */
      fields: z._default(
        z.record(z.string().check(z.minLength(1)), z.array(z.string().check(z.minLength(1)))),
        defaults.fields,
      ),
      /** Each: parts of words that the only sentence of the answer must all hold. */
      words: z._default(z.array(z.string().check(z.regex(/\p{L}{3}/u))), positiveWords),
      /** Any object that is no error. */
      anyObject: z._default(z.boolean(), defaults.anyObject),
    }),
    {},
  )

/**
 * How one Protheus differs from the next beyond address and login: the file that `ERP_CONFIG` names. The defaults fit the
 * contract that we propose to a plant.
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
      integrations: z._default(
        z.string().check(z.includes('{id}', 'Falta {id}')),
        '/p1/ApontamentoProducao/integracoes/{id}',
      ),
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
  /** Confirmations of a write, by the name of its path. */
  confirms: z.prefault(
    z.strictObject({
      recordings: confirming({ fields: positiveFields, anyObject: false }),
      // received is received: to send it once more would change nothing
      receipts: confirming({ fields: { ...positiveFields, Z1_CONFERE: ['S'] }, anyObject: true }),
      junctionRecordings: confirming({ fields: positiveFields, anyObject: false }),
    }),
    {},
  ),
  auth: z._default(z.enum(['token', 'basic']), 'token'),
  /** Where the token call carries its parameters: both are in the field. */
  tokenParameters: z._default(z.enum(['query', 'form']), 'form'),
  /** Label of force on screen; the ERP does not say its unit. */
  forceUnit: z._default(z.enum(['N', 'kgf']), 'N'),
  /** How many decimals of a millimetre the ERP has for a height: what is measured finer is rounded away from nominal. */
  heightDecimals: z._default(z.int().check(z.minimum(0), z.maximum(3)), 2),
})
export type ErpSettings = z.infer<typeof ErpSettings>
export type WritePath = keyof ErpSettings['confirms']
export type Confirming = ErpSettings['confirms'][WritePath]
