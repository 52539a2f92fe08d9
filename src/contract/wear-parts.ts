import * as z from 'zod/mini'
import { NAME_LENGTH_MAX } from './applicators.ts'
import {
  newPartFields,
  PARTS_AT_ONCE_MAX,
  partKinds,
  removalReasons,
  replacementFields,
  WearPart,
} from './crimp-counters.ts'
import { endpoint } from './endpoint.ts'
import { Instant, RowKey, text } from './values.ts'

export const REMOVED_PARTS_MAX = 50

/** The parts of one tool: those that it has, and those that it had, the last removed first. */
export const ToolParts = z.strictObject({
  miniaplicator: z.string(),
  mounted: z.array(z.strictObject({ ...WearPart.shape, mountedBy: z.string() })),
  removed: z.array(
    z.strictObject({
      id: z.int(),
      kind: z.enum(partKinds),
      code: z.string(),
      numberOfCrimps: z.int(),
      limitOfCrimps: z.int(),
      removedAt: Instant,
      removedBy: z.string(),
      reason: z.enum(removalReasons),
      /** The call by which it went; null where it went otherwise. Servers of the version before leave it out. */
      chamado: z.optional(z.nullable(z.int())),
    }),
  ),
})
export type ToolParts = z.infer<typeof ToolParts>

export const NewPart = z.strictObject({ kind: z.enum(partKinds), ...newPartFields })
export type NewPart = z.infer<typeof NewPart>

const unit = z.strictObject({ miniaplicador: text(NAME_LENGTH_MAX) })

export const wearParts = {
  list: endpoint({
    path: '/api/ferramentas/:miniaplicador/pecas',
    summary: 'Peças de desgaste de um mini aplicador: montadas e retiradas',
    access: 'read',
    params: unit,
    reply: ToolParts,
    refusals: ['not_found'],
    live: ['crimp-counters', 'wear-parts'],
  }),
  mount: endpoint({
    method: 'POST',
    path: '/api/ferramentas/:miniaplicador/pecas',
    summary: `Monta peças num mini aplicador: todas ou nenhuma, até ${PARTS_AT_ONCE_MAX}`,
    access: 'maintain',
    params: unit,
    body: z.strictObject({ parts: z.array(NewPart).check(z.minLength(1), z.maxLength(PARTS_AT_ONCE_MAX)) }),
    reply: ToolParts,
    statuses: [201],
    refusals: ['not_found', 'part_mounted'],
  }),
  replace: endpoint({
    method: 'POST',
    path: '/api/pecas/:id/troca',
    summary: 'Troca uma peça por outra da mesma espécie',
    access: 'maintain',
    params: RowKey,
    body: z.strictObject(replacementFields),
    reply: ToolParts,
    refusals: ['not_found', 'part_removed', 'part_mounted'],
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/pecas/:id/retirada',
    summary: 'Retira uma peça, sem outra no lugar',
    access: 'maintain',
    params: RowKey,
    body: z.strictObject({ reason: z.enum(removalReasons) }),
    reply: ToolParts,
    refusals: ['not_found', 'part_removed'],
  }),
}
