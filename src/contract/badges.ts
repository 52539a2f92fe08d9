import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Session, TypedPassword } from './sessions.ts'
import { User } from './users.ts'
import { optionalText, RowKey, text } from './values.ts'

export const PIN_LENGTH_MIN = 4
export const PIN_LENGTH_MAX = 6
/** Wrong ones that lock a badge on a device, where each hour forgets half of them, and for how long. */
export const PIN_TRIES_MAX = 5
export const BADGE_LOCK_MS = 15 * 60_000
/** Wrong ones on whatever devices that block a badge until an administrator lifts it. */
export const BADGE_TRIES_A_DAY_MAX = 10

const PIN_WRONG = `O PIN tem de ${PIN_LENGTH_MIN} a ${PIN_LENGTH_MAX} números`
const Pin = z
  .string()
  .check(z.minLength(PIN_LENGTH_MIN, PIN_WRONG), z.maxLength(PIN_LENGTH_MAX, PIN_WRONG), z.regex(/^\d*$/, PIN_WRONG))

/** A card and a PIN in place of name and password, on devices that an administrator has made shared stations. */
export const badges = {
  enter: endpoint({
    method: 'POST',
    path: '/api/auth/cracha',
    summary: 'Entrar com crachá e PIN numa estação compartilhada: a sessão que havia nela dá lugar à nova',
    access: 'public',
    byBadge: true,
    body: z.strictObject({ codigo: text(40), pin: Pin, deviceName: z.optional(optionalText(80)) }),
    reply: Session,
    refusals: [
      'badge_elsewhere',
      'badge_wrong',
      'badge_without_pin',
      'badge_locked',
      'badge_blocked',
      'too_many_attempts',
      'overloaded',
    ],
  }),
  setOwnPin: endpoint({
    method: 'PUT',
    path: '/api/auth/pin',
    summary: 'Define o próprio PIN do crachá',
    access: 'account',
    body: z.strictObject({ currentPassword: TypedPassword, pin: Pin }),
    reply: z.strictObject({ message: z.string() }),
    refusals: ['current_password_wrong', 'pin_weak', 'too_many_attempts', 'overloaded'],
  }),
  issue: endpoint({
    method: 'POST',
    path: '/api/usuarios/:id/cracha',
    summary: 'Emite um crachá novo; o anterior deixa de valer. O código só é mostrado aqui',
    access: 'administer',
    confirmed: true,
    params: RowKey,
    reply: z.strictObject({ codigo: z.string() }),
    statuses: [201],
    refusals: ['not_found', 'badge_useless'],
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/usuarios/:id/cracha',
    summary: 'O crachá deixa de valer, e as sessões abertas com ele acabam',
    access: 'administer',
    confirmed: true,
    params: RowKey,
    reply: User,
    refusals: ['not_found'],
  }),
  unblock: endpoint({
    method: 'POST',
    path: '/api/usuarios/:id/cracha/liberacao',
    summary: 'Libera um crachá bloqueado por PIN errado',
    access: 'administer',
    confirmed: true,
    params: RowKey,
    reply: User,
    refusals: ['not_found'],
  }),
  setPin: endpoint({
    method: 'PUT',
    path: '/api/usuarios/:id/pin',
    summary: 'Define o PIN de outra pessoa',
    access: 'administer',
    confirmed: true,
    params: RowKey,
    body: z.strictObject({ pin: Pin }),
    reply: User,
    refusals: ['not_found', 'pin_weak', 'overloaded'],
  }),
}
