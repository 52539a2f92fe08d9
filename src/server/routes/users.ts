import type { FastifyInstance } from 'fastify'
import { type User, users } from '../../contract/users.ts'
import { toInstant } from '../../domain/plant-time.ts'
import { noteSessionsOver } from '../accesses.ts'
import type { Context } from '../context.ts'
import { bind } from '../http.ts'
import { Answer, Refused } from '../refused.ts'
import type { Reader } from '../store/db.ts'
import { findListedUser, type ListedUser, listUsers } from '../store/users.ts'
import { changeUser, createUser, setPassword } from '../users.ts'

const replyOf = ({ createdAt, lastUsedAt, ...user }: ListedUser): User => ({
  ...user,
  createdAt: toInstant(createdAt),
  lastUsedAt: lastUsedAt === null ? null : toInstant(lastUsedAt),
})

async function getUser(db: Reader, id: number): Promise<User> {
  const user = await findListedUser(db, id)
  if (!user) throw new Refused('not_found')
  return replyOf(user)
}

export function userRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, users.list, async (_, { db }) => (await listUsers(db.read)).map(replyOf))

  bind(app, context, users.create, async ({ body }, call) => {
    const id = await createUser(call, { ...body, fullName: body.fullName.trim() || body.username })
    return new Answer(201, await getUser(call.db.read, id))
  })

  bind(app, context, users.change, async ({ params: { id }, body: { fullName, role, active } }, call) => {
    const ended = await changeUser(call, id, {
      ...(fullName === undefined ? {} : { fullName: fullName.trim() }),
      ...(role === undefined ? {} : { role }),
      ...(active === undefined ? {} : { active }),
    })
    const user = await getUser(call.db.read, id)
    await noteSessionsOver(call, user, ended)
    return user
  })

  bind(app, context, users.setPassword, async ({ params: { id }, body: { password } }, call) => {
    // whoever finds an open session must not take the account over
    if (id === call.caller.userId) throw new Refused('own_password')
    const ended = await setPassword(call, id, { password, spared: null })
    const user = await getUser(call.db.read, id)
    await noteSessionsOver(call, user, ended)
    return user
  })
}
