import type { FastifyInstance } from 'fastify'
import { type LiveChange, liveChanges, SESSION_OVER_EVENT } from '../../contract/live-changes.ts'
import type { Context } from '../context.ts'
import { bind, type Call } from '../http.ts'
import { Refused } from '../refused.ts'
import { sessionOf } from '../session.ts'
import { listChangesSince } from '../store/live-changes.ts'
import { isSessionAlive } from '../store/sessions.ts'
import { findUserById } from '../store/users.ts'

const STREAMS_MAX = 500
const STREAMS_PER_SESSION_MAX = 6
/** Proxies and this server itself close a connection on which nothing comes for a minute. */
const COMMENT_EVERY_MS = 20_000
const CHECK_EVERY_MS = 60_000
const RETRY_MS = 3000
/** Longer than a page says that its readings are fresh, and a reading and a commit may take together. */
const TOLD_MS = 60_000
/** A reader that lags so far behind is better off beginning anew. */
const UNREAD_BYTES_MAX = 64 * 1024

/** How many streams are open, in all and under each session. */
function openSeats() {
  const taken = new Map<string, number>()
  const count = (key: string, by: number) => {
    const seats = (taken.get(key) ?? 0) + by
    if (seats > 0) taken.set(key, seats)
    else taken.delete(key)
  }
  const all = () => [...taken.values()].reduce((sum, seats) => sum + seats, 0)
  return {
    /** Returns what gives the seat back, once. */
    take(session: string): () => void {
      if (all() >= STREAMS_MAX || (taken.get(session) ?? 0) >= STREAMS_PER_SESSION_MAX) {
        throw new Refused('overloaded', { headers: { 'retry-after': '5' } })
      }
      count(session, 1)
      let isTaken = true
      return () => {
        if (isTaken) count(session, -1)
        isTaken = false
      }
    },
  }
}

export function liveChangeRoutes(app: FastifyInstance, context: Context): void {
  const seats = openSeats()
  app.addHook('preClose', async () => context.liveChanges.stop())

  bind(app, context, liveChanges.stream, async (_, call) => {
    const leave = seats.take(sessionOf(call.caller))
    try {
      await stream(call, leave)
    } catch (error) {
      leave()
      throw error
    }
    return call.reply
  })
}

/**
 * Begins to listen before it answers, with what changed a short while ago: a page that has read meanwhile misses nothing,
 * and need not read everything again.
 */
async function stream(call: Call, onEnd: () => void): Promise<void> {
  const { reply, log } = call
  const response = reply.raw
  const timers: NodeJS.Timeout[] = []
  let stopListening = (): void => undefined
  const leave = () => {
    timers.forEach(clearInterval)
    stopListening()
    onEnd()
  }
  const begin = () => {
    reply.hijack()
    response.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': liveChanges.stream.file ?? '',
      'x-accel-buffering': 'no',
    })
    response.write(`retry: ${RETRY_MS}\n\n`)
  }
  const write = (text: string) => {
    if (response.writableEnded || response.destroyed) return
    if (!response.headersSent) begin()
    // of what was written before: however much happened within one second, that alone is no lag
    if (response.writableLength > UNREAD_BYTES_MAX) response.destroy()
    else response.write(text)
  }
  const end = () => {
    write('')
    response.end()
    leave()
  }
  const endWhenOver = async () => {
    if (response.writableEnded || response.destroyed || (await isCallerThere(call))) return
    // what it has not read is not for it any more
    if (response.writableLength > 0) response.destroy()
    else response.end(`event: ${SESSION_OVER_EVENT}\ndata:\n\n`)
    leave()
  }
  // a session is not over because the database is away
  const check = () => endWhenOver().catch((err: unknown) => log.warn({ err }, 'a stream goes on unchecked'))
  const hear = (changes: LiveChange[]) => {
    const tell = () => write(changes.map(messageOf).join(''))
    if (changes.some(({ topic }) => topic === 'sessions')) void check().then(tell)
    else tell()
  }
  stopListening = await call.liveChanges.listen({ hear, end })
  timers.push(
    setInterval(() => write(':\n\n'), COMMENT_EVERY_MS),
    setInterval(() => void check(), CHECK_EVERY_MS),
  )
  response.once('close', leave)
  response.on('error', (err) => {
    log.warn({ err }, 'a stream broke off')
    leave()
  })
  const told = await listChangesSince(call.db.read, call.now() - TOLD_MS).catch((error: unknown) => {
    leave()
    if (response.headersSent) response.destroy()
    throw error
  })
  // hung up, or stopped, while this began to listen
  if (response.destroyed || response.writableEnded) return leave()
  write(`${told.map(messageOf).join('')}:\n\n`)
}

/** Whether the caller would still be let in: ended sessions and users without access are not. */
async function isCallerThere({ caller, db, now }: Call): Promise<boolean> {
  const { sessionId, userId, expiresAt } = caller
  if (sessionId !== null) return await isSessionAlive(db.read, sessionId, now())
  return expiresAt > now() && (await findUserById(db.read, userId))?.active === true
}

const messageOf = (change: LiveChange) => `data: ${JSON.stringify(change)}\n\n`
