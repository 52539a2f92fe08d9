import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { CutItem } from './items.ts'
import { Junction, JunctionAnswer, JunctionRecording, junctionRefusals } from './junctions.ts'
import { Receipt } from './receipts.ts'
import { CutCrimpRecording, cutCrimpRefusals, RecordingAnswer } from './recordings.ts'
import { Id, IdKey, Instant, optionalText, saying } from './values.ts'

export const REASON_LENGTH_MAX = 500

/**
 * 'aguardando': on its way to the ERP. 'recusado': the ERP or a rule of ours said no after somebody saw it as saved.
 * 'incerto': only a person can tell whether the ERP has it.
 */
const pendingSituations = ['aguardando', 'recusado', 'incerto'] as const
export type PendingSituation = (typeof pendingSituations)[number]

const common = {
  id: Id,
  situacao: z.enum(pendingSituations),
  /** Why it waits, in words for a person; null while nothing has happened. */
  motivo: z.nullable(z.string()),
  /** When this server accepted it. */
  desde: Instant,
  /** When the operator pressed 'Registrar'. */
  registradoEm: Instant,
  operador: z.string(),
  /** Recorded by whoever asks. Left out by a server of the version before. */
  propria: z.optional(z.boolean()),
  /** How often it was sent to the ERP. */
  tentativas: z.int(),
  /** The author and admins, unless it is on its way. */
  podeCorrigir: z.boolean(),
  /** Admins, unless it has been on its way for less than an hour. */
  podeDecidir: z.boolean(),
  /** Admins, where there is something that can be asked about and sent. */
  podeReenviar: z.boolean(),
}

/** The item or junction is as last known; null when there is no copy. */
export const PendingRecording = z.discriminatedUnion('tipo', [
  z.strictObject({
    ...common,
    tipo: z.literal('corte-crimpagem'),
    apontamento: CutCrimpRecording,
    item: z.nullable(CutItem),
  }),
  z.strictObject({
    ...common,
    tipo: z.literal('juncao'),
    apontamento: JunctionRecording,
    item: z.nullable(Junction),
  }),
  z.strictObject({ ...common, tipo: z.literal('recebimento'), apontamento: Receipt, item: z.nullable(CutItem) }),
])
export type PendingRecording = z.infer<typeof PendingRecording>
export type PendingCutCrimp = Extract<PendingRecording, { tipo: 'corte-crimpagem' }>

export const PENDING_COUNT_MAX = 500

const done = z.strictObject({ message: z.string() })

const correctionRefusals = ['not_found', 'not_allowed'] as const

export const pendingRecordings = {
  list: endpoint({
    path: '/api/pendencias',
    summary:
      'Apontamentos que o ERP ainda não confirmou ou que exigem ação, primeiro estes; dos mais antigos aos mais novos',
    access: 'read',
    reply: z.strictObject({ pendencias: z.array(PendingRecording), total: z.int() }),
    live: ['pending-recordings'],
  }),
  correct: endpoint({
    method: 'POST',
    path: '/api/pendencias/:id/correcao',
    summary: 'Corrigir e reenviar: um apontamento novo toma o lugar do pendente',
    access: 'record',
    params: IdKey,
    body: CutCrimpRecording,
    reply: RecordingAnswer,
    statuses: [201, 202],
    idempotent: true,
    refusals: [...correctionRefusals, ...cutCrimpRefusals],
  }),
  correctJunction: endpoint({
    method: 'POST',
    path: '/api/pendencias/:id/correcao-juncao',
    summary: 'Corrigir e reenviar um apontamento de junção',
    access: 'record',
    params: IdKey,
    body: JunctionRecording,
    reply: JunctionAnswer,
    statuses: [201, 202],
    idempotent: true,
    refusals: [...correctionRefusals, ...junctionRefusals],
  }),
  markDelivered: endpoint({
    method: 'POST',
    path: '/api/pendencias/:id/entregue',
    summary: 'Marcar como entregue: o ERP já tem este apontamento',
    access: 'decide',
    params: IdKey,
    body: z.strictObject({ motivo: z.optional(optionalText(REASON_LENGTH_MAX)) }),
    reply: done,
    refusals: ['not_found', 'pending_settled', 'pending_under_way'],
  }),
  discard: endpoint({
    method: 'POST',
    path: '/api/pendencias/:id/descarte',
    summary: 'Descartar com um motivo: as peças saem do contador',
    access: 'decide',
    params: IdKey,
    body: z.strictObject({ motivo: saying(REASON_LENGTH_MAX) }),
    reply: done,
    refusals: ['not_found', 'pending_settled', 'pending_under_way'],
  }),
  resend: endpoint({
    method: 'POST',
    path: '/api/pendencias/reenvio',
    summary: 'Reenviar ao ERP, que antes é consultado; o que ninguém sabe decidir fica como está',
    access: 'decide',
    body: z.strictObject({ ids: z.array(Id).check(z.minLength(1), z.maxLength(PENDING_COUNT_MAX)) }),
    reply: z.strictObject({
      message: z.string(),
      reenviados: z.int(),
      /** Settled meanwhile, worked on at this moment, or without anything that could be sent. */
      mantidos: z.int(),
    }),
    refusals: [],
  }),
}
