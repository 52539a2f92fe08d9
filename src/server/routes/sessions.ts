import type { FastifyInstance } from 'fastify'
import { sessions } from '../../contract/sessions.ts'
import { toInstant } from '../../domain/plant-time.ts'
import type { Context } from '../context.ts'
import { bind } from '../http.ts'
import { checkPassword, rememberDevice } from '../login.ts'
import { closeSession, openSession, rotateSession } from '../session.ts'

export function sessionRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, sessions.login, async ({ body }, call) => {
    const user = await checkPassword(body, call.request, context)
    const session = await openSession(user, body.deviceName ?? '', call)
    rememberDevice(user, call.request, call.reply, context)
    return session
  })

  bind(app, context, sessions.validate, async (_, { caller }) => ({
    valid: true as const,
    username: caller.username,
    fullName: caller.fullName,
    expiresAt: toInstant(caller.expiresAt),
    role: caller.role,
  }))

  bind(app, context, sessions.refresh, (_, call) => rotateSession(call.caller, call))

  bind(app, context, sessions.logout, async (_, call) => {
    await closeSession(call.caller, call)
    return { message: 'Sessão encerrada' }
  })
}
