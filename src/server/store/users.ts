import { randomUUID } from 'node:crypto'
import type { badgeStates } from '../../contract/users.ts'
import { countsRows, type Reader, type Tx } from './db/db.ts'
import { noteChanges } from './live-changes.ts'
import { saveSetting } from './settings.ts'

/** A hash that no password has. */
export const NO_PASSWORD = ''

/** Names are compared in lower case: a tablet's keyboard likes to begin with a capital. */
export const usernameKey = (username: string): string => username.trim().toLowerCase()

/** Serialises user changes, also between servers: two at once could remove the last two admins. */
export const takeUsersTurn = (tx: Tx) => saveSetting(tx, 'users-turn', randomUUID())

export const noteUser = (tx: Tx, id: number, at: number) =>
  noteChanges(
    tx,
    [
      { topic: 'users', key: String(id) },
      { topic: 'sessions', key: '' },
    ],
    at,
  )

async function findUser(db: Reader, by: { id: number } | { username: string }) {
  const row = await db
    .selectFrom('users')
    .select(['id', 'username', 'full_name as fullName', 'role', 'password_hash as passwordHash', 'active'])
    .select(['long_password as hasLongPassword', 'directory'])
    .where((e) => e.and(by))
    .executeTakeFirst()
  return row ? { ...row, hasLongPassword: row.hasLongPassword === 1, active: row.active === 1 } : null
}

/** `hasLongPassword`: enough for an admin. */
export type User = NonNullable<Awaited<ReturnType<typeof findUser>>>

export const findUserByName = (db: Reader, username: string): Promise<User | null> =>
  findUser(db, { username: usernameKey(username) })

/** By columns that every version has: a start looks before it brings the schema up to date. */
export async function findFullName(db: Reader, username: string): Promise<string | null> {
  const named = db.selectFrom('users').select('full_name').where('username', '=', username)
  return (await named.executeTakeFirst())?.full_name ?? null
}

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
    .select('u.directory')
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
  const { fullName, role, active, passwordHash, hasLongPassword, directory } = user
  await tx
    .updateTable('users')
    .set({
      ...(fullName === undefined ? {} : { full_name: fullName }),
      ...(role === undefined ? {} : { role }),
      ...(active === undefined ? {} : { active: active ? 1 : 0 }),
      ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
      ...(hasLongPassword === undefined ? {} : { long_password: hasLongPassword ? 1 : 0 }),
      ...(directory === undefined ? {} : { directory }),
    })
    .where('id', '=', id)
    .execute()
}

/** Local ones: they come in though the directory is away. */
export const countActiveAdmins = (db: Reader): Promise<number> =>
  db
    .selectFrom('users')
    .where('role', '=', 'admin')
    .where('active', '=', 1)
    .where('directory', 'is', null)
    .$call(countsRows)

/** Throws a unique violation when the name is taken. */
export async function insertUser(
  tx: Tx,
  user: Omit<User, 'id' | 'active' | 'hasLongPassword' | 'directory'> &
    Partial<Pick<User, 'hasLongPassword' | 'directory'>> & { createdAt: number },
): Promise<User> {
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
      directory: user.directory ?? null,
    })
    .execute()
  const inserted = await findUserByName(tx, user.username)
  if (!inserted) throw new Error('the user that was just inserted is not there')
  return inserted
}

/** Active ones of the directory who have a session that is live, or ended after that moment, and `also`. */
export const listDirectoryUsers = async (
  db: Reader,
  { sessionsAfter, also }: { sessionsAfter: number; also: number | null },
): Promise<Pick<User, 'id' | 'username' | 'fullName' | 'role'>[]> =>
  await db
    .selectFrom('users as u')
    .select(['u.id', 'u.username', 'u.full_name as fullName', 'u.role'])
    .where('u.directory', '=', 'present')
    .where('u.active', '=', 1)
    .where((e) =>
      e.or([
        e.exists(
          e
            .selectFrom('sessions as s')
            .select('s.id')
            .whereRef('s.user_id', '=', 'u.id')
            .where('s.expires_at', '>', sessionsAfter),
        ),
        e('u.id', '=', also ?? 0),
      ]),
    )
    .orderBy('u.id')
    .execute()

export const countUsers = (db: Reader): Promise<number> => db.selectFrom('users').$call(countsRows)
