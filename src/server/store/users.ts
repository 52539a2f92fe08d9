import type { Role } from '../../contract/values.ts'
import type { Reader, Tx } from './db.ts'

export type User = { id: number; username: string; fullName: string; role: Role; passwordHash: string; active: boolean }

/** Names are compared in lower case: a tablet's keyboard likes to begin with a capital. */
export const usernameKey = (username: string): string => username.trim().toLowerCase()

const usersOf = (db: Reader) =>
  db.selectFrom('users').select(['id', 'username', 'full_name', 'role', 'password_hash', 'active'])

type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof usersOf>['executeTakeFirst']>>>

const toUser = (row: Row | undefined): User | null =>
  row
    ? {
        id: row.id,
        username: row.username,
        fullName: row.full_name,
        role: row.role,
        passwordHash: row.password_hash,
        active: row.active === 1,
      }
    : null

export const findUserByName = async (db: Reader, username: string): Promise<User | null> =>
  toUser(await usersOf(db).where('username', '=', usernameKey(username)).executeTakeFirst())

export const findUserById = async (db: Reader, id: number): Promise<User | null> =>
  toUser(await usersOf(db).where('id', '=', id).executeTakeFirst())

/** Throws a unique violation when the name is taken. */
export async function insertUser(
  tx: Tx,
  user: { username: string; fullName: string; role: Role; passwordHash: string; createdAt: number },
): Promise<void> {
  await tx
    .insertInto('users')
    .values({
      username: usernameKey(user.username),
      full_name: user.fullName,
      role: user.role,
      password_hash: user.passwordHash,
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
