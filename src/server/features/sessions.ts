import type { FastifyInstance } from 'fastify'
import type { Input } from '../../contract/endpoint.ts'
import { type OpenSession, sessions } from '../../contract/sessions.ts'
import { isAllowed } from '../../domain/people/permissions.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { noteSessionsOver } from '../http/accesses.ts'
import { bind } from '../http/bind.ts'
import type { Caller } from '../http/caller.ts'
import { checkPassword, confirmPassword, findUserByPassword } from '../http/login.ts'
import { Refused } from '../http/refused.ts'
import { closeSession, openSession, rotateSession, sessionUserOf } from '../http/session.ts'
import { endByLogout } from '../http/session-ends.ts'
import type { Call, Context } from '../panel.ts'
import { noteChanges } from '../store/live-changes.ts'
import { findLiveSession, type LiveSession, listLiveSessions, revokeSession } from '../store/sessions.ts'
import { recordAuditEvent } from '../upkeep/audit.ts'
import { withWrongPins } from './badges.ts'
import { setPassword } from './users.ts'

const SESSIONS_LISTED_MAX = 500

export function sessionRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, sessions.login, async ({ body }, call) => {
    const user = await checkPassword(body, call.request, context)
    const session = await openSession(user, body.deviceName ?? '', call)
    return await withWrongPins(session, user, call)
  })

  bind(app, context, sessions.validate, async (_, { caller }) => ({
    valid: true as const,
    ...sessionUserOf(caller),
  }))

  bind(app, context, sessions.refresh, (_, call) => rotateSession(call.caller, call))

  bind(app, context, sessions.logout, async (_, call) => {
    await closeSession(call.caller, call)
    await call.accesses.note('logged_out', call.request, call.caller, {})
    return { message: 'Sessão encerrada' }
  })

  bind(app, context, sessions.leave, async ({ body: { segredo } }, call) => {
    const left = await endByLogout(segredo, call)
    if (left !== null) await call.accesses.note('logged_out', call.request, left, {})
    return { message: 'Sessão encerrada' }
  })

  bind(app, context, sessions.list, async (_, { db, caller, now }) => {
    const userId = isAllowed(caller.role, 'administer') ? null : caller.userId
    const live = await listLiveSessions(db.read, { userId, now: now(), countMax: SESSIONS_LISTED_MAX })
    return live.map((session) => replyOf(session, caller))
  })

  bind(app, context, sessions.end, async ({ params: { id } }, call) => {
    await endSession(id, call)
    return { id }
  })

  bind(app, context, sessions.confirm, async ({ body: { password } }, call) => {
    await confirmPassword(password, call)
    return { message: 'Senha confirmada' }
  })

  bind(app, context, sessions.changePassword, async ({ body }, call) => {
    await changePassword(body, call)
    return { message: 'Senha trocada' }
  })
}

const replyOf = (session: LiveSession, caller: Caller): OpenSession => ({
  id: session.id,
  username: session.username,
  fullName: session.fullName,
  deviceName: session.deviceName,
  isBrowser: session.browser,
  agent: session.agent ?? '',
  address: session.address ?? '',
  page: session.page ?? '',
  createdAt: toInstant(session.createdAt),
  lastUsedAt: toInstant(session.lastUsedAt),
  expiresAt: toInstant(session.expiresAt),
  isCurrent: session.id === caller.sessionId,
})

const whyOf = (session: LiveSession, caller: Caller) => {
  if (session.id === caller.sessionId) return 'logout'
  return session.userId === caller.userId ? 'other_device' : 'admin'
}

async function endSession(id: string, call: Call): Promise<void> {
  const { db, caller, now } = call
  const ended = await db.transaction(async (tx) => {
    const session = await findLiveSession(tx, id, now())
    const isTheirs = isAllowed(caller.role, 'administer') || session?.userId === caller.userId
    if (!session || !isTheirs) throw new Refused('not_found')
    const { username: name, deviceName } = session
    await revokeSession(tx, id, { at: now(), why: whyOf(session, caller) })
    await recordAuditEvent(tx, call, { action: 'session_ended', kind: 'session', id, name, was: { deviceName } })
    await noteChanges(tx, [{ topic: 'sessions', key: '' }], now())
    return session
  })
  const { deviceName } = ended
  await call.accesses.note('session_over', call.request, ended, { by: caller.username, deviceName })
}

/** A finder of an open session lacks the old password, and guesses are throttled as at log-in. */
async function changePassword(
  { currentPassword, password }: Input<typeof sessions.changePassword>['body'],
  call: Call,
): Promise<void> {
  const { username, sessionId } = call.caller
  if (password.normalize('NFC') === currentPassword.normalize('NFC')) throw new Refused('password_same')
  const user = await findUserByPassword({ username, password: currentPassword }, call.request, call)
  if (!user) throw new Refused('current_password_wrong')
  const ended = await setPassword(call, user.id, { password, spared: sessionId, replaced: user.passwordHash })
  await noteSessionsOver(call, user, ended)
}
