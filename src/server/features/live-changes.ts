import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import {
  ALIVE_EVENT,
  ALIVE_EVERY_S,
  type LiveChange,
  liveChanges,
  SESSION_OVER_EVENT,
} from '../../contract/live-changes.ts'
import { bind } from '../http/bind.ts'
import { personOf, sessionOf } from '../http/caller.ts'
import { readDevice } from '../http/devices.ts'
import { limits } from '../http/limits.ts'
import { type Holder, openSlots } from '../http/slots.ts'
import type { Call, Context } from '../panel.ts'
import { listChangesSince } from '../store/live-changes.ts'
import { findLiveSession } from '../store/sessions.ts'
import { findUserById } from '../store/users.ts'
import { messagesOf } from '../upkeep/live-changes.ts'

/** The last two hundred are for people who have one or two screens open: no ten people shut out all others. */
const SLOTS = { refusal: 'too_many_streams', retryAfterS: 5, max: 1000, keptForOthers: 200, few: 3 } as const
/** Proxies and this server itself close a connection on which nothing comes for a minute, and a page opens it anew before. */
const ALIVE_EVERY_MS = ALIVE_EVERY_S * 1000
const ALIVE = `event: ${ALIVE_EVENT}\ndata:\n\n`
const CHECK_EVERY_MS = 60_000
const RETRY_MS = 3000
/** Longer than a page takes its data for fresh, plus a slow reading and a slow commit. */
const MISSED_MS = 60_000
/** For so long streams that open gather, and then one read of what they missed is for all. */
const GATHERED_MS = 100
/** A reader with a larger backlog is cut off: it reconnects and refetches. */
const UNREAD_BYTES_MAX = 64 * 1024

/** A device id is the caller's own claim, so the session has the same limit. */
const holdersOf = ({ caller, request }: Call): Holder[] => {
  const device = readDevice(request)
  const { max } = limits.streamsOfDevice
  return [
    { holder: sessionOf(caller), max },
    { holder: personOf(caller), max: limits.streamsOfPerson.max },
    ...(device === null ? [] : [{ holder: `device ${device}`, max }]),
  ]
}

/** After a restart all tablets open theirs at once: one read, which begins when they listen already, is for many. */
function openMissed({ db, now }: Context): () => Promise<string> {
  let next: Promise<string> | null = null
  const read = async () => {
    await wait(GATHERED_MS)
    next = null
    return messagesOf(await listChangesSince(db.read, now() - MISSED_MS))
  }
  return () => (next ??= read())
}

export function liveChangeRoutes(app: FastifyInstance, context: Context): void {
  const slots = openSlots(SLOTS)
  const readMissed = openMissed(context)
  app.addHook('preClose', async () => context.liveChanges.stop())

  bind(app, context, liveChanges.stream, async (_, call) => {
    const leave = slots.take(holdersOf(call), personOf(call.caller))
    try {
      await stream(call, leave, readMissed)
    } catch (error) {
      leave()
      throw error
    }
    return call.reply
  })
}

/**
 * Subscribes before it answers, and begins with recent changes: a page that has read meanwhile misses nothing and need not
 * refetch everything.
 */
async function stream(call: Call, onEnd: () => void, readMissed: () => Promise<string>): Promise<void> {
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
  const check = () =>
    endWhenOver().catch((err: unknown) => log.warn({ err, repeats: true }, 'a stream goes on unchecked'))
  const hear = (changes: LiveChange[], messages: string) => {
    const tell = () => write(messages)
    if (changes.some(({ topic }) => topic === 'sessions')) void check().then(tell)
    else tell()
  }
  stopListening = await call.liveChanges.listen({ hear, end })
  timers.push(
    setInterval(() => write(ALIVE), ALIVE_EVERY_MS),
    setInterval(() => void check(), CHECK_EVERY_MS),
  )
  response.once('close', leave)
  response.on('error', (err) => {
    log.warn({ err, repeats: true }, 'a stream broke off')
    leave()
  })
  // hung up, or stopped with its database, while this began to listen
  const isOver = () => response.destroyed || response.writableEnded
  const missed = await readMissed().catch((error: unknown) => {
    leave()
    if (isOver()) return ''
    if (response.headersSent) response.destroy()
    throw error
  })
  if (isOver()) return leave()
  write(`${missed}:\n\n${ALIVE}`)
}

/** Whether the caller would still be let in: ended sessions and users without access are not. */
async function isCallerThere({ caller, db, now }: Call): Promise<boolean> {
  const { sessionId, userId, expiresAt } = caller
  if (sessionId !== null) return (await findLiveSession(db.read, sessionId, now())) !== null
  return expiresAt > now() && (await findUserById(db.read, userId))?.active === true
}
