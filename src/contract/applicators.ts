import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { writtenName } from './names.ts'
import { Instant, RowKey, text } from './values.ts'

export const NAME_LENGTH_MAX = 255
/** The pick dialogs give this when nothing is registered. Such a recording counts for no tool. */
export const UNREGISTERED = 'Sem Cadastro'
/** Mean something else where the address of a counter names its unit. */
const reservedNames = ['history', 'export-csv', 'maintenance-pending', '.', '..']

/** A terminal and the mini applicator that crimps it. */
export const ApplicatorPair = z.strictObject({
  id: z.int(),
  terminal: z.string(),
  miniaplicator: z.string(),
  createdAt: Instant,
  updatedAt: Instant,
  version: z.int(),
})
export type ApplicatorPair = z.infer<typeof ApplicatorPair>

/** Half of a pair that identifies itself. `wrong` is what a form says of another one. */
export const pairName = (wrong: string) => writtenName(NAME_LENGTH_MAX, wrong)

export const ApplicatorForm = z.strictObject({
  terminal: pairName('Terminal é obrigatório (máximo 255 caracteres)'),
  miniaplicator: pairName('Miniaplicador é obrigatório (máximo 255 caracteres)').check(
    z.refine(
      (name) => name.toLowerCase() !== UNREGISTERED.toLowerCase(),
      `'${UNREGISTERED}' não conta crimpagens: escolha outro nome`,
    ),
    z.refine((name) => !reservedNames.includes(name.toLowerCase()), 'Este nome é reservado: escolha outro nome'),
  ),
})
export type ApplicatorForm = z.infer<typeof ApplicatorForm>

export const applicators = {
  list: endpoint({
    path: '/api/miniaplicadores',
    summary: 'Mini aplicadores cadastrados, um por par de terminal e mini aplicador',
    access: 'read',
    reply: z.array(ApplicatorPair),
    live: ['applicators'],
  }),
  get: endpoint({
    path: '/api/miniaplicadores/:id',
    summary: 'Um par de terminal e mini aplicador',
    access: 'read',
    params: RowKey,
    reply: ApplicatorPair,
    refusals: ['not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/miniaplicadores',
    summary: 'Cadastra um par de terminal e mini aplicador',
    access: 'tools',
    body: ApplicatorForm,
    reply: ApplicatorPair,
    statuses: [201],
    refusals: ['pair_exists', 'too_many_pairs'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/miniaplicadores/:id',
    summary: 'Altera um par; os contadores dos mini aplicadores ficam onde estão',
    access: 'tools',
    params: RowKey,
    body: ApplicatorForm,
    reply: ApplicatorPair,
    versioned: true,
    refusals: ['not_found', 'pair_exists', 'changed_meanwhile'],
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/miniaplicadores/:id',
    summary: 'Exclui um par; o contador do mini aplicador fica guardado',
    access: 'tools',
    params: RowKey,
    reply: z.strictObject({ id: z.int() }),
    versioned: true,
    refusals: ['not_found', 'changed_meanwhile'],
  }),
  listByTerminal: endpoint({
    path: '/api/miniaplicadores/por-terminal/:terminal',
    summary: 'Mini aplicadores de um terminal',
    access: 'read',
    params: z.strictObject({ terminal: text(NAME_LENGTH_MAX) }),
    reply: z.array(ApplicatorPair),
    live: ['applicators'],
  }),
}
