import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { sayingName } from './names.ts'
import { Password, Username } from './sessions.ts'
import { Instant, Role, RowKey } from './values.ts'

export const FULL_NAME_LENGTH_MAX = 120

export const FullName = sayingName(FULL_NAME_LENGTH_MAX)

/** `no_pin`: it waits for its owner to set one. `blocked`: too many wrong PINs, an administrator unblocks it. */
export const badgeStates = ['none', 'no_pin', 'good', 'blocked'] as const

export const User = z.strictObject({
  id: z.int(),
  username: z.string(),
  fullName: z.string(),
  role: Role,
  active: z.boolean(),
  /** The company's directory has name, role and password. */
  isFromDirectory: z.boolean(),
  badge: z.enum(badgeStates),
  createdAt: Instant,
  /** Null until the first login, and after a long absence. */
  lastUsedAt: z.nullable(Instant),
})
export type User = z.infer<typeof User>

/** The longest text of an import that fits into one call. */
export const IMPORT_LENGTH_MAX = 48_000

export const users = {
  list: endpoint({
    path: '/api/usuarios',
    summary: 'Usuários do painel',
    access: 'administer',
    reply: z.array(User),
    live: ['users', 'sessions'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/usuarios',
    summary: 'Cria um usuário',
    access: 'administer',
    confirmed: true,
    body: z.strictObject({ username: Username, fullName: FullName, role: Role, password: Password }),
    reply: User,
    statuses: [201],
    refusals: ['user_exists', 'password_short', 'password_weak', 'overloaded'],
  }),
  /** Text of the file, decoded by the page: the encoding of its bytes is known on the device that made it. */
  importAll: endpoint({
    method: 'POST',
    path: '/api/importacoes/usuarios',
    summary: 'Cria os usuários de um CSV (nome;usuario;papel;senha), todos ou nenhum; como prévia, só os confere',
    access: 'administer',
    confirmed: true,
    body: z.strictObject({ content: z.string().check(z.maxLength(IMPORT_LENGTH_MAX)), preview: z.boolean() }),
    reply: z.array(
      z.strictObject({
        line: z.int(),
        username: z.string(),
        fullName: z.string(),
        role: Role,
        hasPassword: z.boolean(),
      }),
    ),
    refusals: ['import_refused', 'user_exists', 'overloaded'],
  }),
  change: endpoint({
    method: 'PUT',
    path: '/api/usuarios/:id',
    summary: 'Muda nome, papel ou acesso; sem acesso, as sessões do usuário acabam na hora',
    access: 'administer',
    confirmed: true,
    params: RowKey,
    body: z.strictObject({
      fullName: z.optional(FullName),
      role: z.optional(Role),
      active: z.optional(z.boolean()),
    }),
    reply: User,
    refusals: ['not_found', 'last_admin', 'promotion_short', 'directory_user'],
  }),
  setPassword: endpoint({
    method: 'PUT',
    path: '/api/usuarios/:id/senha',
    summary: 'Troca a senha de outra pessoa; as sessões dela acabam',
    access: 'administer',
    confirmed: true,
    params: RowKey,
    body: z.strictObject({ password: Password }),
    reply: User,
    refusals: ['not_found', 'own_password', 'directory_user', 'password_short', 'password_weak', 'overloaded'],
  }),
}
