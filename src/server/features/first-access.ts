import { hash, randomInt, timingSafeEqual } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { firstAccess } from '../../contract/first-access.ts'
import type { Config } from '../config.ts'
import { bind } from '../http/bind.ts'
import { tryOnce } from '../http/login.ts'
import { isLoopback } from '../http/origin.ts'
import { Refused } from '../http/refused.ts'
import { openSession } from '../http/session.ts'
import type { Context } from '../panel.ts'
import { deleteSetting, findSetting, saveSetting } from '../store/settings.ts'
import { countUsers, takeUsersTurn } from '../store/users.ts'
import { createUser } from './users.ts'

/** Without letters and digits that are taken for others. */
const SIGNS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 12
const CODE_HASH = 'first-access'
/** No user has such a name: it holds a blank. */
const THROTTLE = 'primeiro acesso'

/** As it is compared: people type it in groups, or in small letters. */
const hashOf = (code: string): string => hash('sha256', code.toUpperCase().replace(/[^A-Z0-9]/g, ''), 'hex')

const fileOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'primeiro-acesso')

/**
 * A new code for the first administrator, where nobody has access yet, in words for the terminal. Where there is none, a file
 * that only the panel's own account can read has it: what a service prints is read by many.
 */
export async function writeFirstCode(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { isTerminal, origin }: { isTerminal: boolean; origin: string },
): Promise<string | null> {
  const file = fileOf(config)
  if ((await countUsers(db.read)) > 0) {
    rmSync(file, { force: true })
    return null
  }
  const signs = Array.from({ length: CODE_LENGTH }, () => SIGNS.charAt(randomInt(SIGNS.length))).join('')
  const code = signs.replace(/.{4}(?=.)/g, '$&-')
  await db.transaction((tx) => saveSetting(tx, CODE_HASH, hashOf(code)))
  if (isTerminal) return `Primeiro acesso: abra ${origin} neste computador, ou por https, com o código ${code}`
  writeFileSync(file, `${code}\n`, { mode: 0o600 })
  return `Primeiro acesso: abra ${origin} neste computador, ou por https; o código está em ${file}`
}

/** As the trail names who created the first administrator. */
const caller = { userId: 0, username: 'primeiro acesso' }

export function firstAccessRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, firstAccess.state, async (_, { db }) => ({ aberto: (await countUsers(db.read)) === 0 }))

  bind(app, context, firstAccess.begin, async ({ body }, call) => {
    const { db, request, config } = call
    // whatever ALLOW_PLAIN_HTTP says: who reads along would be the administrator
    const isHere = isLoopback(request.ip) && isLoopback(request.hostname)
    if (request.protocol !== 'https' && !isHere) throw new Refused('plain_http')
    const stored = await findSetting(db.read, CODE_HASH)
    if (stored === null || (await countUsers(db.read)) > 0) throw new Refused('first_access_over')
    const isRight = await tryOnce(THROTTLE, request, call, async () =>
      timingSafeEqual(Buffer.from(hashOf(body.codigo)), Buffer.from(stored)) ? true : null,
    )
    if (!isRight) throw new Refused('first_access_code_wrong')
    const { username, fullName, password, deviceName = '' } = body
    const user = await createUser({ ...call, caller }, { username, fullName, password, role: 'admin' }, async (tx) => {
      await takeUsersTurn(tx)
      if ((await countUsers(tx)) > 0 || !(await deleteSetting(tx, CODE_HASH))) throw new Refused('first_access_over')
    })
    rmSync(fileOf(config), { force: true })
    return await openSession(user, deviceName, call)
  })
}
