import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { JunctionRecording } from './junctions.ts'
import { REASON_LENGTH_MAX } from './pending-recordings.ts'
import { Receipt } from './receipts.ts'
import { CutCrimpRecording } from './recordings.ts'
import { Id, Instant, saying } from './values.ts'

/**
 * Why what came under a grant waits for an admin: who or what ended its session, or that it came from another browser,
 * too late, or under a session that this database does not know.
 */
const retainedWhys = [
  'admin',
  'other_device',
  'admin_password',
  'deactivated',
  'secret_reused',
  'expired',
  'other_browser',
  'session_unknown',
] as const
export type RetainedWhy = (typeof retainedWhys)[number]

export const RETAINED_MESSAGE = 'Guardado. Um administrador decide.'
/** Answers a sample or a call that is stored but neither counts nor sounds. */
export const UNCONFIRMED_MESSAGE = 'Guardado sem confirmação do autor. Peça que ele entre neste dispositivo.'
export const RETAINED_COUNT_MAX = 500

const common = {
  id: Id,
  /** The author that the delivery names. */
  autor: z.string(),
  /** As the device names itself; may be empty. */
  dispositivo: z.string(),
  /** The same for all that came for one device: its author and its device make a group. */
  grupo: z.string(),
  motivo: z.enum(retainedWhys),
  registradoEm: Instant,
  /** When this server was given it. */
  desde: Instant,
}

export const RetainedDelivery = z.discriminatedUnion('tipo', [
  z.strictObject({ ...common, tipo: z.literal('corte-crimpagem'), apontamento: CutCrimpRecording }),
  z.strictObject({ ...common, tipo: z.literal('juncao'), apontamento: JunctionRecording }),
  z.strictObject({ ...common, tipo: z.literal('recebimento'), apontamento: Receipt }),
])
export type RetainedDelivery = z.infer<typeof RetainedDelivery>

export const retainedDeliveries = {
  list: endpoint({
    path: '/api/retidos',
    summary: 'Apontamentos que chegaram depois de encerrada a sessão de quem os fez; dos mais antigos aos mais novos',
    access: 'read',
    reply: z.strictObject({ retidos: z.array(RetainedDelivery), total: z.int() }),
    live: ['pending-recordings'],
  }),
  decide: endpoint({
    method: 'POST',
    path: '/api/retidos/decisao',
    summary: 'Aceitar (em nome de quem os fez) ou descartar apontamentos retidos, com um motivo',
    access: 'decide',
    body: z.strictObject({
      ids: z.array(Id).check(z.minLength(1), z.maxLength(RETAINED_COUNT_MAX)),
      decisao: z.enum(['aceitar', 'descartar']),
      motivo: saying(REASON_LENGTH_MAX),
    }),
    reply: z.strictObject({
      message: z.string(),
      decididos: z.int(),
      /** Decided meanwhile, or left for another try: the answer does not wait for ever. */
      mantidos: z.int(),
    }),
    refusals: [],
  }),
}
