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

/** All asynchronous hashing shares a few threads with file access: two at once, a short queue in fair shares, then no. */
const RUNNING_MAX = 2
const WAITING_MAX = 20

/** Too many people are logging in at this instant. */
export class PasswordsBusy extends Error {}

export type Passwords = ReturnType<typeof openPasswords>

type Waiting = { go: () => void; refuse: (error: Error) => void }

/**
 * One queue for each place, served in turn (round robin). Where all of them together are full the longest loses its youngest:
 * a loop at one station or address costs nobody else a place.
 */
function openQueue() {
  const places = new Map<string, Waiting[]>()
  let length = 0

  function refuseOne(newcomer: string): void {
    const lengthOf = (place: string) => places.get(place)?.length ?? 0
    const longest = [...places.keys()].reduce((a, b) => (lengthOf(b) > lengthOf(a) ? b : a), newcomer)
    const busy = new PasswordsBusy('too many passwords are being checked')
    const refused = lengthOf(longest) > lengthOf(newcomer) + 1 ? places.get(longest)?.pop() : null
    if (!refused) throw busy
    length--
    refused.refuse(busy)
  }

  return {
    wait(place: string): Promise<void> {
      if (length >= WAITING_MAX) refuseOne(place)
      length++
      return new Promise((go, refuse) => {
        places.set(place, [...(places.get(place) ?? []), { go, refuse }])
      })
    },
    next(): Waiting | null {
      const [first] = places
      if (!first) return null
      const [place, [next, ...rest]] = first
      places.delete(place)
      if (rest.length > 0) places.set(place, rest)
      length--
      return next ?? null
    },
  }
}

export function openPasswords() {
  let running = 0
  const queue = openQueue()

  async function inTurn<T>(place: string, work: () => Promise<T>): Promise<T> {
    if (running >= RUNNING_MAX) await queue.wait(place)
    else running++
    try {
      return await work()
    } finally {
      const next = queue.next()
      if (next) next.go()
      else running--
    }
  }

  const tagOf = (password: string, nonce: Buffer, place: string) =>
    inTurn(place, () =>
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
    /** PHC string. */
    async hash(password: string) {
      const nonce = randomBytes(16)
      const tag = await tagOf(password, nonce, '')
      const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
      return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${text(nonce)}$${text(tag)}`
    },
    /** Takes as long for a user who does not exist (`stored` null) as for one who does. `place`: in the queue, of whoever asks. */
    async verify(password: string, stored: string | null, place = '') {
      const [, , , , nonce = '', tag = ''] = (stored ?? '').split('$')
      const wanted = Buffer.from(tag, 'base64')
      const found = await tagOf(password, nonce === '' ? randomBytes(16) : Buffer.from(nonce, 'base64'), place)
      return stored !== null && wanted.length === found.length && timingSafeEqual(wanted, found)
    },
  }
}
