import { hash, randomUUID } from 'node:crypto'
import { get, type IncomingMessage, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { openDb } from '../src/server/store/db/db.ts'
import { insertSecrets, insertSession } from '../src/server/store/sessions.ts'
import { insertUser } from '../src/server/store/users.ts'

/** Of one person, as where ten share a tablet in turns: what one person may have open is limited. */
const TABLETS_OF_PERSON = 30
const RECORD = '/api/apontamentos/corte-crimpagem'
const AGAIN_AFTER_MS = 1000

export type Tablet = {
  token: string
  /** How often its event stream was opened, and how often that said something. */
  opened: number
  heard: number
}

/** Sessions as so many log-ins leave them, without the many passwords. */
export async function addTablets(file: string, count: number): Promise<Tablet[]> {
  const db = openDb({ kind: 'sqlite', file })
  const createdAt = Date.now()
  const tablets = Array.from({ length: count }, () => ({ token: randomUUID(), opened: 0, heard: 0 }))
  await db.transaction(async (tx) => {
    for (const [at, { token }] of tablets.entries()) {
      // the ids of an empty table
      const userId = Math.floor(at / TABLETS_OF_PERSON) + 1
      if (at % TABLETS_OF_PERSON === 0) {
        const [username, fullName] = [`operador${userId}`, `Operador ${userId}`]
        await insertUser(tx, { username, fullName, role: 'operador', passwordHash: '', createdAt })
      }
      const expiresAt = createdAt + 86_400_000
      const session = { userId, browser: false, deviceName: '', device: null, createdAt, expiresAt }
      await insertSession(tx, { ...session, id: token })
      await insertSecrets(tx, token, 1, { token: hash('sha256', token) })
    }
  })
  await db.close()
  return tablets
}

/** Reads its event stream, and opens it anew wherever it ends, until `isOver`. */
export async function listen(port: number, tablet: Tablet, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await new Promise<void>((resolve) => {
      const headers = { authorization: `Bearer ${tablet.token}` }
      const asking = get({ port, path: '/api/eventos', headers, agent: false }, (response: IncomingMessage) => {
        tablet.opened++
        response.on('data', () => tablet.heard++)
        response.once('close', resolve)
      })
      asking.once('error', () => resolve())
    })
    await wait(AGAIN_AFTER_MS)
  }
}

type Question = { path: string; body?: string; id?: string }

/** Status of the answer; null where none came. */
function ask(port: number, { token }: Tablet, { path, body, id = '' }: Question): Promise<number | null> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': id }),
  }
  const method = body === undefined ? 'GET' : 'POST'
  return new Promise((resolve) => {
    const call = request({ port, path, method, headers, agent: false }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? null))
      response.once('error', () => resolve(null))
    })
    call.once('error', () => resolve(null))
    call.end(body)
  })
}

/** Records once, under one id until the server has answered; says what the first answer took, null where none came. */
export async function record(
  port: number,
  tablet: Tablet,
  content: object,
): Promise<{ id: string; tookMs: number | null }> {
  const id = randomUUID()
  const body = JSON.stringify(content)
  for (let tries = 1; ; tries++) {
    const begunAt = performance.now()
    const status = await ask(port, tablet, { path: RECORD, body, id })
    const tookMs = tries === 1 ? performance.now() - begunAt : null
    if (status === 200 || status === 201 || status === 202) return { id, tookMs }
    if (status !== null && status < 500 && status !== 429) throw new Error(`a recording was answered ${status}`)
    await wait(AGAIN_AFTER_MS)
  }
}

/** How long a read took; null where no good answer came. */
export async function read(port: number, tablet: Tablet, path: string): Promise<number | null> {
  const begunAt = performance.now()
  const status = await ask(port, tablet, { path })
  return status === 200 ? performance.now() - begunAt : null
}
