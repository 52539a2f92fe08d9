import * as z from 'zod/mini'
import { MILLI_MAX } from './control-plans.ts'
import { endpoint } from './endpoint.ts'
import { Day, optionalText, RowId, text } from './values.ts'

export const INSTRUMENT_CODE_LENGTH_MAX = 40
export const DESCRIPTION_LENGTH_MAX = 120

export const InstrumentForm = z.strictObject({
  codigo: text(INSTRUMENT_CODE_LENGTH_MAX).check(z.regex(/\S/u, 'Campo obrigatório')),
  descricao: optionalText(DESCRIPTION_LENGTH_MAX),
  /** What its display moves by, in thousandths. */
  resolucao: z.int().check(z.minimum(1), z.maximum(MILLI_MAX)),
  /** The last day on which its calibration holds; without it nobody knows. */
  calibradoAte: z.optional(Day),
  ativo: z.boolean(),
})
export type InstrumentForm = z.infer<typeof InstrumentForm>

/** What somebody measures with. */
export const Instrument = z.strictObject({ ...InstrumentForm.shape, id: z.int(), version: z.int() })
export type Instrument = z.infer<typeof Instrument>

export const instruments = {
  list: endpoint({
    path: '/api/instrumentos',
    summary: 'Instrumentos de medição, com o dia até o qual estão calibrados',
    access: 'read',
    reply: z.array(Instrument),
    live: ['instruments'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/instrumentos',
    summary: 'Cadastra um instrumento de medição',
    access: 'plans',
    body: InstrumentForm,
    reply: Instrument,
    statuses: [201],
    refusals: ['instrument_exists'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/instrumentos/:id',
    summary: 'Altera um instrumento de medição; o que não se usa mais fica inativo',
    access: 'plans',
    params: z.strictObject({ id: RowId }),
    body: InstrumentForm,
    reply: Instrument,
    versioned: true,
    refusals: ['not_found', 'instrument_exists', 'changed_meanwhile'],
  }),
}
