import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Instant, optionalText, Role, text } from './values.ts'

export const USERNAME_LENGTH_MAX = 64
/** Longer input would only cost hashing time. */
export const PASSWORD_LENGTH_MAX = 256

const SessionUser = { username: z.string(), fullName: z.string(), expiresAt: Instant, role: Role }

export const Session = z.strictObject({
  token: z.string(),
  ...SessionUser,
  /** Signed by the server, good for delivering this user's recordings only, 7 days. */
  deliveryGrant: z.string(),
})
export type Session = z.infer<typeof Session>

const NoBody = z.optional(z.nullable(z.strictObject({})))

export const sessions = {
  login: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Entrar: troca usuário e senha por uma sessão',
    access: 'public',
    body: z.strictObject({
      username: text(USERNAME_LENGTH_MAX),
      password: z.string().check(z.minLength(1), z.maxLength(PASSWORD_LENGTH_MAX)),
      /** Shown in the list of sessions; the browser or integration names itself. */
      deviceName: z.optional(optionalText(80)),
    }),
    reply: Session,
    refusals: ['credentials_invalid', 'too_many_attempts', 'overloaded'],
  }),
  validate: endpoint({
    method: 'POST',
    path: '/api/auth/validate',
    summary: 'Confirmar que a sessão vale',
    access: 'session',
    body: NoBody,
    reply: z.strictObject({ valid: z.literal(true), ...SessionUser }),
  }),
  refresh: endpoint({
    method: 'POST',
    path: '/api/auth/refresh',
    summary: 'Renovar a sessão: os dois segredos são trocados',
    access: 'session',
    body: NoBody,
    reply: Session,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'Sair: a sessão deixa de valer',
    access: 'session',
    body: NoBody,
    reply: z.strictObject({ message: z.string() }),
  }),
}
