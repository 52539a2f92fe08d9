import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { csvAnswer } from './files.ts'
import { characteristics, findings, MEASUREMENTS_OF_RECORDING_MAX, Reading } from './measurements.ts'
import { MeasuredPart, placeFields, requirePlace } from './places.ts'
import { TypedPassword, USERNAME_LENGTH_MAX } from './sessions.ts'
import { planModes } from './settings.ts'
import {
  OCCURRENCES_PAGE,
  occurrenceFilter,
  occurrenceTotals,
  Page,
  situations,
  Treatment,
  TreatmentForm,
} from './treatments.ts'
import { Id, Instant, Pieces, RowKey, saying, text } from './values.ts'

export const RELEASE_REASON_LENGTH_MAX = 200

/** The measurements shown to the person who releases. */
const looked = {
  /** The newest samples of this place; a page of the version before names none, and nothing else here. */
  atos: z.optional(z.array(Id).check(z.maxLength(MEASUREMENTS_OF_RECORDING_MAX))),
  /** Values measured in the form of which there is no sample yet. */
  digitados: z.optional(
    z
      .array(z.strictObject({ caracteristica: z.enum(characteristics), valor: Reading }))
      .check(z.maxLength(characteristics.length)),
  ),
  /** The most pieces it covers; without it: those of the recording that names it. */
  pecas: z.optional(Pieces),
}

export const Release = z.strictObject({ id: Id, por: z.string(), em: Instant })
export type Release = z.infer<typeof Release>

export const ReleaseForm = z
  .strictObject({
    usuario: text(USERNAME_LENGTH_MAX),
    senha: TypedPassword,
    ...placeFields,
    parte: MeasuredPart,
    ...looked,
    motivo: saying(RELEASE_REASON_LENGTH_MAX),
  })
  .check(requirePlace)
export type ReleaseForm = z.infer<typeof ReleaseForm>

export const releases = {
  give: endpoint({
    method: 'POST',
    path: '/api/liberacoes',
    summary: 'Libera um apontamento que o plano bloqueia: quem pode mudar planos escreve usuário e senha no tablet',
    access: 'record',
    body: ReleaseForm,
    reply: Release,
    statuses: [201],
    refusals: [
      'unknown_plant',
      'release_login_wrong',
      'not_allowed',
      'too_many_attempts',
      'overloaded',
      'directory_unavailable',
    ],
  }),
}

export const PLAN_FINDINGS_LISTED_MAX = 500

/** A finding noted on a recording outside its plan. Texts are empty where there is nothing to say. */
export const PlanFinding = z.strictObject({
  id: z.int(),
  em: Instant,
  achado: z.enum(findings),
  /** The plant's mode at that moment. */
  modo: z.enum(planModes),
  /** As it was said at 'Registrar'. */
  motivo: z.string(),
  liberadoPor: z.string(),
  /** Recorded and released by one person. */
  liberadoPorQuemApontou: z.boolean(),
  /** Released by a page that did not say which samples were looked at. */
  liberadoSemAmostras: z.boolean(),
  apontamento: Id,
  filial: z.string(),
  ordem: z.string(),
  codigoBarras: z.string(),
  posicao: z.string(),
  parte: z.enum(['cabo', 'l1', 'l2', 'juncao', 'recebimento']),
  terminal: z.string(),
  pecas: z.int(),
  maquina: z.string(),
  operador: z.string(),
  situacao: z.enum(situations),
  tratamentos: z.array(Treatment),
  /** Tool and gauge by which its chart is found; left out, as the next, by a server of the version before. */
  miniaplicador: z.optional(z.string()),
  bitola: z.optional(z.nullable(z.int())),
  /** Those of `caracteristicas` that were ever measured there, so that they have a chart. */
  cartas: z.optional(z.array(z.enum(characteristics))),
  /** The characteristics outside; without any the missing ones, where another part of the first piece was measured. */
  caracteristicas: z.optional(z.array(z.enum(characteristics))),
})
export type PlanFinding = z.infer<typeof PlanFinding>

const filter = {
  ...occurrenceFilter,
  achado: z.optional(z.enum(findings)),
  /** Findings alone that were released by the person who recorded. */
  proprio: z.optional(z.enum(['sim'])),
}

export const planFindings = {
  list: endpoint({
    path: '/api/planos-de-controle/ocorrencias',
    summary: `O que se apontou fora do plano, o mais novo antes, ${OCCURRENCES_PAGE} por página; sem página até ${PLAN_FINDINGS_LISTED_MAX}`,
    access: 'read',
    heavy: true,
    query: z.strictObject({ ...filter, pagina: Page }),
    reply: z.strictObject({ ...occurrenceTotals, ocorrencias: z.array(PlanFinding) }),
    refusals: ['unknown_plant', 'period_reversed'],
    live: ['pending-recordings', 'measurements'],
  }),
  csv: endpoint({
    path: '/api/planos-de-controle/ocorrencias/csv',
    summary: 'Todas as ocorrências do filtro, como planilha',
    access: 'read',
    heavy: true,
    ...csvAnswer,
    query: z.strictObject(filter),
    refusals: ['unknown_plant', 'period_reversed'],
  }),
  treat: endpoint({
    method: 'POST',
    path: '/api/planos-de-controle/ocorrencias/:id/tratamentos',
    summary: 'Anota o que se fez de uma ocorrência; nada do que foi anotado muda',
    access: 'plans',
    params: RowKey,
    body: TreatmentForm,
    reply: z.array(Treatment),
    statuses: [201],
    refusals: ['not_found'],
  }),
}
