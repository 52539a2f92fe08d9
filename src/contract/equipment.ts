import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { parts } from './items.ts'
import { BranchCode, Day, Instant } from './values.ts'

/** With how many days before today its figures are compared. */
export const COMPARED_DAYS = 7
/** The last recording of a machine is not looked for further back. */
export const LAST_RECORDING_DAYS_MAX = 90

export const LastRecording = z.strictObject({
  quando: Instant,
  parte: z.enum([...parts, 'juncao']),
  ordem: z.string(),
  /** Number of the item in its product; empty where this server has no copy of it, and for a junction. */
  item: z.string(),
  /** Empty for a junction, which has a position instead. */
  codigoBarras: z.string(),
  posicao: z.string(),
  pecas: z.int(),
  /** Pieces of the order still without this part; null where this server has no copy that says so. */
  restam: z.nullable(z.int()),
  operador: z.string(),
})
export type LastRecording = z.infer<typeof LastRecording>

const ProducedPieces = z.strictObject({
  pecas: z.int(),
  /** Mean of those of the seven days or shifts before that produced anything; null when none did. */
  media: z.nullable(z.int()),
})
export type ProducedPieces = z.infer<typeof ProducedPieces>

/** Pieces of each hour from the beginning of this shift on, and of the same shift of the day before. */
const HourlyPieces = z.strictObject({ turno: z.array(z.int()), ontem: z.array(z.int()) })
export type HourlyPieces = z.infer<typeof HourlyPieces>

/** A machine of the plant, and what was recorded with it. Pieces are those of all its recordings: cut, crimped, joined. */
export const Equipment = z.strictObject({
  id: z.string(),
  fabricante: z.string(),
  descricao: z.string(),
  /** False for a machine that was recorded with and that the ERP does not list. */
  cadastrada: z.boolean(),
  ultimo: z.nullable(LastRecording),
  hoje: ProducedPieces,
  turno: ProducedPieces,
  /** Left out by a server of the version before. */
  porHora: z.optional(HourlyPieces),
  /** The tool that was last used on it, and its counter. */
  miniaplicador: z.nullable(z.strictObject({ nome: z.string(), crimpagens: z.int(), limite: z.int() })),
  /** Recordings that the ERP has not confirmed yet. */
  aguardandoErp: z.int(),
})
export type Equipment = z.infer<typeof Equipment>

export const EquipmentList = z.strictObject({
  dia: Day,
  turno: z.strictObject({ inicio: Instant, fim: Instant }),
  /** When the ERP gave its list of machines; null while it has never given one. */
  cadastroLidoEm: z.nullable(Instant),
  /** In the order of their ids, as a person counts: PR2 before PR10. */
  equipamentos: z.array(Equipment),
})
export type EquipmentList = z.infer<typeof EquipmentList>

export const equipment = {
  list: endpoint({
    path: '/api/equipamentos',
    summary: 'Máquinas da filial com o que foi apontado nelas hoje, neste turno e por último',
    access: 'board',
    query: z.strictObject({ filial: BranchCode }),
    reply: EquipmentList,
    refusals: ['unknown_plant'],
    live: ['crimp-counters', 'pending-recordings'],
  }),
}
