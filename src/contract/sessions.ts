import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdKey, Instant, optionalText, Role, text } from './values.ts'

export const USERNAME_LENGTH_MAX = 64
/** Longer input would only cost hashing time. */
export const PASSWORD_LENGTH_MAX = 256
const PASSWORD_LENGTH_MIN = 8
/** Minimum for people who give access to others. A shorter one set before stays good. */
export const ADMIN_PASSWORD_LENGTH_MIN = 10

/** A name given to a new user: it can be typed on any keyboard. */
export const Username = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(USERNAME_LENGTH_MAX),
    z.regex(/^[\w.@-]*$/, 'Use letras sem acento, números, ponto, hífen, _ ou @'),
  )
/** A password given to a user; the words it must not be are in `domain/people/passwords.ts`. */
export const Password = z
  .string()
  .check(
    z.minLength(PASSWORD_LENGTH_MIN, `A senha precisa de pelo menos ${PASSWORD_LENGTH_MIN} caracteres`),
    z.maxLength(PASSWORD_LENGTH_MAX, 'A senha é longa demais'),
  )
/** To be compared with the one that is kept. */
export const TypedPassword = z.string().check(z.minLength(1), z.maxLength(PASSWORD_LENGTH_MAX))

const SessionUser = {
  username: z.string(),
  fullName: z.string(),
  expiresAt: Instant,
  role: Role,
  /** Opened by badge and PIN: with an operator's permissions until its password is confirmed. */
  byBadge: z.boolean(),
  /** The session of a board on a wall: it lasts 30 days and may do nothing but show the board. */
  isBoard: z.boolean(),
  /** The company's directory has the password: it is not changed here. */
  isFromDirectory: z.boolean(),
}

export const Session = z.strictObject({
  token: z.string(),
  ...SessionUser,
  /**
   * Signed by the server, good for delivering this user's recordings from this browser only, until 7 days after the session's end.
   * Null for a program.
   */
  deliveryGrant: z.nullable(z.string()),
  /** Signed by the server, good for ending this session and nothing else, also where the network comes back later. Null for a program. */
  logoutSecret: z.nullable(z.string()),
  /** At a log-in, where there were any since the one before: how often somebody typed a wrong PIN for this person's badge. */
  wrongPins: z.optional(z.strictObject({ count: z.int(), since: Instant })),
})
export type Session = z.infer<typeof Session>

/** Where somebody is logged in. */
export const OpenSession = z.strictObject({
  id: Id,
  username: z.string(),
  fullName: z.string(),
  /** As the device names itself; may be empty. */
  deviceName: z.string(),
  /** False for integrations and other programs. */
  isBrowser: z.boolean(),
  /** 'Chrome · Windows'; empty where it is not known. */
  agent: z.string(),
  /** Address that it was opened from; empty in sessions of versions before. */
  address: z.string(),
  /** Which page it has, as that says itself; empty in sessions of programs and before its first report. */
  page: z.string(),
  createdAt: Instant,
  /** To the minute. */
  lastUsedAt: Instant,
  expiresAt: Instant,
  /** The one that asks. */
  isCurrent: z.boolean(),
})
export type OpenSession = z.infer<typeof OpenSession>

const LOGOUT_SECRET_LENGTH_MAX = 500

const NoBody = z.optional(z.nullable(z.strictObject({})))

export const sessions = {
  login: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Entrar: troca usuário e senha por uma sessão',
    access: 'public',
    body: z.strictObject({
      username: text(USERNAME_LENGTH_MAX),
      password: TypedPassword,
      /** Shown in the list of sessions; the browser or integration names itself. */
      deviceName: z.optional(optionalText(80)),
    }),
    reply: Session,
    refusals: [
      'credentials_invalid',
      'credentials_with_domain',
      'too_many_attempts',
      'overloaded',
      'directory_unavailable',
    ],
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
    access: 'account',
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
  leave: endpoint({
    method: 'POST',
    path: '/api/auth/saida',
    summary: 'Sair com o segredo que a entrada deu só para isso, também mais tarde: a sessão dele deixa de valer',
    access: 'public',
    body: z.strictObject({ segredo: text(LOGOUT_SECRET_LENGTH_MAX) }),
    reply: z.strictObject({ message: z.string() }),
    refusals: ['session_missing'],
  }),
  list: endpoint({
    path: '/api/sessoes',
    summary: 'Onde quem pergunta está conectado; para administradores, onde todos estão',
    access: 'account',
    reply: z.array(OpenSession),
    live: ['sessions'],
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/api/sessoes/:id',
    summary: 'Encerra uma sessão na hora: a própria, ou sendo administrador a de qualquer um',
    access: 'account',
    params: IdKey,
    reply: IdKey,
    refusals: ['not_found'],
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/auth/confirm',
    summary: 'Confirma a senha de quem pergunta: por 5 minutos a sessão pode mudar usuários e configuração',
    access: 'account',
    body: z.strictObject({ password: TypedPassword }),
    reply: z.strictObject({ message: z.string() }),
    refusals: ['current_password_wrong', 'too_many_attempts', 'overloaded', 'directory_unavailable'],
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/api/auth/password',
    summary: 'Troca a própria senha; as outras sessões de quem pergunta acabam',
    access: 'account',
    body: z.strictObject({ currentPassword: TypedPassword, password: Password }),
    reply: z.strictObject({ message: z.string() }),
    refusals: [
      'current_password_wrong',
      'password_same',
      'password_short',
      'password_weak',
      'directory_user',
      'too_many_attempts',
      'overloaded',
      'directory_unavailable',
    ],
  }),
}
