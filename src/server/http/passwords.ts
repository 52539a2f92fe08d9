import crypto, { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

let common: ReadonlySet<string> | undefined

/** Whether the password is on a list of common ones. The head of each list names its source. */
export function isCommon(password: string): boolean {
  common ??= new Set(
    readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# ')),
  )
  return common.has(password.toLowerCase())
}

/** OWASP's first choice for argon2id: 19 MiB, 2 passes, 1 lane. */
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const TAG_BYTES = 32

/** All asynchronous hashing shares a few threads with file access: two at once, a short queue, then no. */
const RUNNING_MAX = 2
const WAITING_MAX = 20

/** Too many people are logging in at this instant. */
export class PasswordsBusy extends Error {}

export type Passwords = {
  /** PHC string. */
  hash(password: string): Promise<string>
  /** Takes as long for a user who does not exist (`stored` null) as for one who does. */
  verify(password: string, stored: string | null): Promise<boolean>
}

export function openPasswords(): Passwords {
  let running = 0
  const waiting: (() => void)[] = []

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= RUNNING_MAX) {
      if (waiting.length >= WAITING_MAX) throw new PasswordsBusy('too many passwords are being checked')
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  const tagOf = (password: string, nonce: Buffer) =>
    inTurn(() =>
      promisify(crypto.argon2)('argon2id', {
        message: password.normalize('NFC'),
        nonce,
        parallelism: LANES,
        tagLength: TAG_BYTES,
        memory: MEMORY_KIB,
        passes: PASSES,
      }),
    )

  return {
    async hash(password) {
      const nonce = randomBytes(16)
      const tag = await tagOf(password, nonce)
      const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
      return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${text(nonce)}$${text(tag)}`
    },
    async verify(password, stored) {
      const [, , , , nonce = '', tag = ''] = (stored ?? '').split('$')
      const wanted = Buffer.from(tag, 'base64')
      const found = await tagOf(password, nonce === '' ? randomBytes(16) : Buffer.from(nonce, 'base64'))
      return stored !== null && wanted.length === found.length && timingSafeEqual(wanted, found)
    },
  }
}
