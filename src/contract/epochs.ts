import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { REASON_LENGTH_MAX } from './pending-recordings.ts'
import { Instant, saying } from './values.ts'

/** How a device shows that this database is younger than what it has seen of it: by the number of its newest delivery, or change. */
export const markKinds = ['deliveries', 'changes'] as const
export type MarkKind = (typeof markKinds)[number]
const witnessKinds = [...markKinds, 'receipt'] as const
export type WitnessKind = (typeof witnessKinds)[number]

/** An administrator's decision where no second device bears out the doubt. */
const epochDecisions = ['comecar', 'nada-falta'] as const
export type EpochDecision = (typeof epochDecisions)[number]

const Missing = z.strictObject({
  kind: z.enum(witnessKinds),
  /** How many deliveries or changes more that device had seen; null where it names one act. */
  count: z.nullable(z.int()),
  actId: z.nullable(z.string()),
  /** The last user of that device; empty where nobody is known by that. */
  fullName: z.string(),
  seenAt: Instant,
})

export const EpochState = z.strictObject({
  /** Null in the first epoch of a database. */
  begun: z.nullable(z.strictObject({ at: Instant, why: z.string() })),
  /** Set while a device misses something here. */
  doubt: z.nullable(z.strictObject({ since: Instant, decideFrom: Instant, missing: z.array(Missing) })),
})
export type EpochState = z.infer<typeof EpochState>

export const epochs = {
  get: endpoint({
    path: '/api/sistema/epoca',
    summary: 'Quando e por que começou a época do banco, e o que dispositivos dizem faltar nele',
    access: 'administer',
    reply: EpochState,
  }),
  decide: endpoint({
    method: 'POST',
    path: '/api/sistema/epoca',
    summary: 'Decide se o banco voltou no tempo, onde só um dispositivo o diz há 15 minutos',
    access: 'administer',
    confirmed: true,
    body: z.strictObject({ decisao: z.enum(epochDecisions), motivo: saying(REASON_LENGTH_MAX) }),
    reply: EpochState,
    refusals: ['epoch_not_decidable'],
  }),
}
