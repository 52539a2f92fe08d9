import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { csvAnswer } from './files.ts'
import { callStates } from './maintenance-calls.ts'
import { characteristics, measurementActions } from './measurements.ts'
import {
  OCCURRENCES_PAGE,
  occurrenceFilter,
  occurrenceTotals,
  Page,
  situations,
  Treatment,
  TreatmentForm,
} from './treatments.ts'
import { Id, IdKey, Instant } from './values.ts'

/** A characteristic outside its plan, and what is known of what followed at its place. */
export const OutsideReading = z.strictObject({
  caracteristica: z.enum(characteristics),
  valores: z.array(z.int()),
  /** The limit of the plan that judged it; null where that plan has none. */
  minimo: z.nullable(z.int()),
  maximo: z.nullable(z.int()),
  /** The first good one after it. */
  medida: z.nullable(z.strictObject({ id: Id, em: Instant })),
  chamado: z.nullable(z.strictObject({ numero: z.int(), situacao: z.enum(callStates), abertoEm: Instant })),
  /** Good pieces recorded there since, as long as nothing good was measured. */
  apontadas: z.int(),
})
export type OutsideReading = z.infer<typeof OutsideReading>

/** Samples that were taken together, of which some are outside. Texts are empty where there is nothing to say. */
export const OutsideAct = z.strictObject({
  id: Id,
  filial: z.string(),
  ordem: z.string(),
  codigoBarras: z.string(),
  posicao: z.string(),
  parte: z.enum(['l1', 'l2', 'juncao']),
  terminal: z.string(),
  maquina: z.string(),
  miniaplicador: z.string(),
  /** By which its chart is found; left out by a server of the version before. */
  bitola: z.optional(z.nullable(z.int())),
  acao: z.nullable(z.enum(measurementActions)),
  operador: z.string(),
  medidoEm: Instant,
  recebidoEm: Instant,
  liberadoPor: z.string(),
  leituras: z.array(OutsideReading),
  situacao: z.enum(situations),
  tratamentos: z.array(Treatment),
  /** By whom it was taken out and why; null: it counts. */
  tirada: z.nullable(z.strictObject({ por: z.string(), motivo: z.string(), porQuemMediu: z.boolean() })),
  /** Too long ago for nobody to have done anything about it. */
  semResposta: z.boolean(),
})
export type OutsideAct = z.infer<typeof OutsideAct>

/** Samples that were taken out, in place of those that count: all, or those that their own operator took out. */
export const takenOutChoices = ['sim', 'por-quem-mediu'] as const
export type TakenOutChoice = (typeof takenOutChoices)[number]

const filter = {
  ...occurrenceFilter,
  tipo: z.optional(z.enum(characteristics)),
  tiradas: z.optional(z.enum(takenOutChoices)),
}

export const outsideActs = {
  list: endpoint({
    path: '/api/planos-de-controle/medicoes-fora',
    summary: `Medições fora do plano e o que seguiu a cada uma, a mais nova antes, ${OCCURRENCES_PAGE} por página`,
    access: 'read',
    heavy: true,
    query: z.strictObject({ ...filter, pagina: Page }),
    reply: z.strictObject({
      ...occurrenceTotals,
      medicoes: z.array(OutsideAct),
      /** In the period, whatever else is asked for. */
      semResposta: z.int(),
    }),
    refusals: ['unknown_plant', 'period_reversed'],
    live: ['measurements', 'calls', 'pending-recordings'],
  }),
  csv: endpoint({
    path: '/api/planos-de-controle/medicoes-fora/csv',
    summary: 'Todas as medições fora do filtro, como planilha',
    access: 'read',
    heavy: true,
    ...csvAnswer,
    query: z.strictObject(filter),
    refusals: ['unknown_plant', 'period_reversed'],
  }),
  treat: endpoint({
    method: 'POST',
    path: '/api/planos-de-controle/medicoes-fora/:id/tratamentos',
    summary: 'Anota o que se fez de uma medição fora; nada do que foi anotado muda',
    access: 'plans',
    params: IdKey,
    body: TreatmentForm,
    reply: z.array(Treatment),
    statuses: [201],
    refusals: ['not_found'],
  }),
}
