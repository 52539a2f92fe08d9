import type { FastifyRequest } from 'fastify'
import type { AccessAction } from '../../contract/audit-entries.ts'
import { dayStartMs, plantDay } from '../../domain/plant/plant-time.ts'
import type { Outside } from '../outside.ts'
import { insertAccess, isAccessNoted, type NewAuditEntry } from '../store/audit-entries.ts'
import { findUserByName, type User } from '../store/users.ts'
import type { Asking } from './caller.ts'

type Somebody = { userId: number; username: string }

export type Accesses = {
  /** Log-ins, log-outs and ended sessions: one line each. */
  note(action: AccessAction, from: Pick<FastifyRequest, 'ip'>, who: Somebody, details: object): Promise<void>
  /** Programs that send the password with each call: one line per plant day and address, of all servers. */
  notePasswordUse(from: Pick<FastifyRequest, 'ip'>, who: Somebody): Promise<void>
  /** Refusals: one line per person, address and reason until the next flush, then a count. */
  noteRefused(action: AccessAction, request: FastifyRequest, who: Somebody, details: object): Promise<void>
  /** Refusals for lack of permission (403). */
  noteDenied(request: FastifyRequest, who?: Somebody): Promise<void>
  /** Writes how often what was refused was repeated; called once a minute. */
  flush(): Promise<void>
}

const STRANGER: Somebody = { userId: 0, username: 'desconhecido' }
const MANY: Somebody = { userId: 0, username: 'vários' }

/** Different refusals written between two flushes: guesses from a thousand addresses fill the trail no faster. */
const LINES_MAX = 100
const ADDRESS_LENGTH_MAX = 64
/** People and addresses that a server remembers for a day; beyond them it asks the database again. */
const SHOWN_MAX = 10_000

/** Records log-ins and refusals. A line that the database refuses goes to the log and locks nobody out. */
export function openAccesses({ config, db, now, log }: Pick<Outside, 'config' | 'db' | 'now' | 'log'>): Accesses {
  let repeated = new Map<string, { access: NewAuditEntry; more: number }>()
  /** People who sent a password today, with their addresses. */
  let shown = new Set<string>()

  async function write(access: NewAuditEntry): Promise<void> {
    const { action, userId, userName: user, subject, details } = access
    const line = { access: action, user, userId, address: subject.id }
    const isRefused = ['login_failed', 'login_throttled', 'access_refused'].includes(action)
    // what a device calls itself stays out of the log: a secret may have been typed there
    if (isRefused) log.warn({ ...line, ...details }, 'an access was refused')
    else log.info(line, 'somebody came in or left')
    try {
      await db.transaction((tx) => insertAccess(tx, access))
    } catch (error) {
      log.warn({ err: error, repeats: true }, 'an access could not be written down')
    }
  }

  const accessOf = (action: AccessAction, address: string, { userId, username }: Somebody, details: object) => ({
    at: now(),
    action,
    userId,
    userName: username,
    subject: { kind: 'address' as const, id: address.slice(0, ADDRESS_LENGTH_MAX) },
    reason: null,
    details,
  })

  const noteRefused: Accesses['noteRefused'] = async (action, { ip }, who, details) => {
    const key = JSON.stringify([action, who.username, ip, details])
    const isRoom = repeated.has(key) || repeated.size < LINES_MAX
    const [place, access] = isRoom
      ? [key, accessOf(action, ip, who, details)]
      : [action, accessOf(action, '', MANY, {})]
    const earlier = repeated.get(place)
    if (earlier) earlier.more++
    else {
      repeated.set(place, { access, more: 0 })
      await write(access)
    }
  }

  const notePasswordUse: Accesses['notePasswordUse'] = async ({ ip }, who) => {
    const day = plantDay(now(), config.timeZone)
    const key = JSON.stringify([day, who.userId, ip])
    if (shown.has(key)) return
    if (shown.size >= SHOWN_MAX) shown = new Set()
    shown.add(key)
    const access = accessOf('logged_in', ip, who, { basic: true })
    if (!(await isAccessNoted(db.read, access, dayStartMs(day, config.timeZone)))) await write(access)
  }

  return {
    notePasswordUse,
    note: (action, { ip }, who, details) => write(accessOf(action, ip, who, details)),
    noteRefused,
    noteDenied: (request, who = STRANGER) =>
      noteRefused('access_refused', request, who, { call: `${request.method} ${request.routeOptions.url ?? ''}` }),
    async flush() {
      const ended = [...repeated.values()]
      repeated = new Map()
      for (const { access, more } of ended) {
        if (more > 0) await write({ ...access, at: now(), details: { ...access.details, more } })
      }
    },
  }
}

/** Writes which sessions ended because their owner's password or access changed. */
export async function noteSessionsOver(
  { accesses, caller, request }: Asking & { accesses: Accesses },
  { id, username }: Pick<User, 'id' | 'username'>,
  sessions: number,
): Promise<void> {
  if (sessions === 0) return
  await accesses.note('session_over', request, { userId: id, username }, { by: caller.username, sessions })
}

/** People type their password into the name box, so an unknown name is stored as its length. */
export async function noteRefusedLogin(
  action: 'login_failed' | 'login_throttled',
  typed: string,
  request: FastifyRequest,
  { db, accesses }: Pick<Outside, 'db'> & { accesses: Accesses },
): Promise<void> {
  const user = await findUserByName(db.read, typed)
  const who = user ? { userId: user.id, username: user.username } : STRANGER
  await accesses.noteRefused(action, request, who, user ? {} : { typedLength: typed.length })
}
