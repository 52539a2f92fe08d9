import * as z from 'zod/mini'
import { MILLI_MAX } from './control-plans.ts'
import { endpoint } from './endpoint.ts'
import { optionalName, sayingName } from './names.ts'
import { Day, RowKey } from './values.ts'

export const INSTRUMENT_CODE_LENGTH_MAX = 40
export const DESCRIPTION_LENGTH_MAX = 120

/** Which gauge it is. */
export const instrumentKinds = ['micrometro', 'paquimetro', 'dinamometro', 'outro'] as const
export type InstrumentKind = (typeof instrumentKinds)[number]

export const InstrumentForm = z.strictObject({
  codigo: sayingName(INSTRUMENT_CODE_LENGTH_MAX),
  descricao: optionalName(DESCRIPTION_LENGTH_MAX),
  /** The step of its display, in thousandths. */
  resolucao: z.int().check(z.minimum(1), z.maximum(MILLI_MAX)),
  /** The last day on which its calibration holds; without it nobody knows. */
  calibradoAte: z.optional(Day),
  ativo: z.boolean(),
  /** Left out it stays as it is, as a page of the version before leaves it. */
  tipo: z.optional(z.enum(instrumentKinds)),
})
export type InstrumentForm = z.infer<typeof InstrumentForm>

/** A gauge: micrometer, pull tester and the like. */
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
    params: RowKey,
    body: InstrumentForm,
    reply: Instrument,
    versioned: true,
    refusals: ['not_found', 'instrument_exists', 'changed_meanwhile'],
  }),
}
