import type { badgeStates } from '../../contract/users.ts'
import type { Role } from '../../contract/values.ts'
import type { Reader, Tx } from './db/db.ts'

export type User = {
  id: number
  username: string
  fullName: string
  role: Role
  passwordHash: string
  /** Enough for an admin. */
  hasLongPassword: boolean
  active: boolean
}

/** Names are compared in lower case: a tablet's keyboard likes to begin with a capital. */
export const usernameKey = (username: string): string => username.trim().toLowerCase()

async function findUser(db: Reader, by: { id: number } | { username: string }): Promise<User | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'username', 'full_name as fullName', 'role', 'password_hash as passwordHash', 'active'])
    .select('long_password as hasLongPassword')
    .where((e) => e.and(by))
    .executeTakeFirst()
  return row ? { ...row, hasLongPassword: row.hasLongPassword === 1, active: row.active === 1 } : null
}

export const findUserByName = (db: Reader, username: string): Promise<User | null> =>
  findUser(db, { username: usernameKey(username) })

export const findUserById = (db: Reader, id: number): Promise<User | null> => findUser(db, { id })

export type ListedUser = Omit<User, 'passwordHash' | 'hasLongPassword'> & {
  badge: (typeof badgeStates)[number]
  createdAt: number
  lastUsedAt: number | null
}

const listed = (db: Reader) =>
  db
    .selectFrom('users as u')
    .leftJoin('badges as b', 'b.user_id', 'u.id')
    .select(['b.code_hash', 'b.pin_hash', 'b.blocked_at'])
    .select(['u.id', 'u.username', 'u.full_name as fullName', 'u.role', 'u.active', 'u.created_at as createdAt'])
    .select((e) =>
      e
        .selectFrom('sessions as s')
        .select((s) => s.fn.max<number | null>('s.last_used_at').as('at'))
        .whereRef('s.user_id', '=', 'u.id')
        .as('lastUsedAt'),
    )

type ListedRow = Awaited<ReturnType<ReturnType<typeof listed>['execute']>>[number]
const toListed = ({ code_hash, pin_hash, blocked_at, ...row }: ListedRow): ListedUser => ({
  ...row,
  active: row.active === 1,
  badge: code_hash === null ? 'none' : blocked_at !== null ? 'blocked' : pin_hash === null ? 'no_pin' : 'good',
})

export const listUsers = async (db: Reader): Promise<ListedUser[]> =>
  (await listed(db).orderBy('u.username').execute()).map(toListed)

export async function findListedUser(db: Reader, id: number): Promise<ListedUser | null> {
  const row = await listed(db).where('u.id', '=', id).executeTakeFirst()
  return row ? toListed(row) : null
}

export async function updateUser(tx: Tx, id: number, user: Partial<Omit<User, 'id' | 'username'>>): Promise<void> {
  const { fullName, role, active, passwordHash, hasLongPassword } = user
  await tx
    .updateTable('users')
    .set({
      ...(fullName === undefined ? {} : { full_name: fullName }),
      ...(role === undefined ? {} : { role }),
      ...(active === undefined ? {} : { active: active ? 1 : 0 }),
      ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
      ...(hasLongPassword === undefined ? {} : { long_password: hasLongPassword ? 1 : 0 }),
    })
    .where('id', '=', id)
    .execute()
}

export async function countActiveAdmins(db: Reader): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('role', '=', 'admin')
    .where('active', '=', 1)
    .executeTakeFirstOrThrow()
  return Number(row.n)
}

/** Throws a unique violation when the name is taken. */
export async function insertUser(
  tx: Tx,
  user: Omit<User, 'id' | 'active' | 'hasLongPassword'> & { hasLongPassword?: boolean; createdAt: number },
): Promise<void> {
  await tx
    .insertInto('users')
    .values({
      username: usernameKey(user.username),
      full_name: user.fullName,
      role: user.role,
      password_hash: user.passwordHash,
      long_password: user.hasLongPassword ? 1 : 0,
      active: 1,
      created_at: user.createdAt,
    })
    .execute()
}

export async function countUsers(db: Reader): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select((e) => e.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(row.n)
}
