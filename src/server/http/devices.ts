import { hash, randomBytes } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Outside } from '../outside.ts'
import { againWhenStored, type Tx } from '../store/db/db.ts'
import { noteDeviceUser } from '../store/devices.ts'
import { findUserByName, type User } from '../store/users.ts'
import { isSecure } from './origin.ts'
import { type Keys, readSigned } from './signatures.ts'

const DEVICE_S = 400 * 86_400
/** A cookie with a prefix that no other host can set, where the connection allows one. */
const nameOf = (request: FastifyRequest): string => (isSecure(request) ? '__Host-device' : 'device-id')

export const cookiesOf = ({ headers }: FastifyRequest): Record<string, string | undefined> =>
  headers.cookie ? fastifyCookie.parse(headers.cookie) : {}

/** By what a server knows the browser that asks: the SHA-256 of its own secret, hex; null where it shows none. */
export function readDevice(request: FastifyRequest): string | null {
  const secret = cookiesOf(request)[nameOf(request)]
  return secret ? hashOf(secret) : null
}

/** Renews the browser's device secret for 400 days, or sets one, and renews a station's. Returns the hash of the first. */
export function giveDevice(request: FastifyRequest, reply: FastifyReply): string {
  const name = nameOf(request)
  const secret = cookiesOf(request)[name] || newSecret()
  setCookie({ request, reply }, name, secret)
  const station = cookiesOf(request)[stationNameOf(request)]
  if (station) setCookie({ request, reply }, stationNameOf(request), station)
  return hashOf(secret)
}

/**
 * Name of a station's cookie, made by the server at its enrolment. The device's own cookie may have been planted by an
 * earlier visitor, and must stay: grants and receipts name it.
 */
const stationNameOf = (request: FastifyRequest): string => (isSecure(request) ? '__Host-station' : 'station-id')

/** By what a browser shows that it is a station, as hashes. */
export function readStation(request: FastifyRequest): { device: string | null; secret: string | null } {
  const secret = cookiesOf(request)[stationNameOf(request)]
  return { device: readDevice(request), secret: secret ? hashOf(secret) : null }
}

/** Returns its hash. The one before is worth nothing any more. */
export function giveStation(request: FastifyRequest, reply: FastifyReply): string {
  const secret = newSecret()
  setCookie({ request, reply }, stationNameOf(request), secret)
  return hashOf(secret)
}

export const newSecret = (): string => randomBytes(32).toString('base64url')

/** By what a secret is known here. */
export const hashOf = (secret: string): string => hash('sha256', secret, 'hex')

type Visit = { request: FastifyRequest; reply: FastifyReply }

export function setCookie({ request, reply }: Visit, name: string, secret: string, maxAge = DEVICE_S): void {
  reply.setCookie(name, secret, { path: '/', httpOnly: true, sameSite: 'strict', secure: isSecure(request), maxAge })
}

/** The signed cookie of the version before: who had logged in on this browser. */
const FORMER_COOKIE = 'device'
const Former = z.strictObject({ id: z.string(), users: z.array(z.string()) })

export function readFormerDevice(request: FastifyRequest, { keys }: { keys: Keys }): z.output<typeof Former> | null {
  const signed = cookiesOf(request)[FORMER_COOKIE]
  const former = signed ? Former.safeParse(readSigned(keys, 'device', signed)) : null
  return former?.success ? former.data : null
}

/** This person has logged in here, and so has everybody whom the former cookie knows: it hands over what it has, once. */
export async function rememberDevice(
  user: User,
  device: string,
  call: Pick<Outside, 'db' | 'now'> & { keys: Keys; request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  const { db, now, request, reply } = call
  const former = readFormerDevice(request, call)
  const remember = async (tx: Tx) => {
    await noteDeviceUser(tx, { device, userId: user.id, at: now() })
    for (const username of former?.users ?? []) {
      const known = await findUserByName(tx, username)
      if (known) await noteDeviceUser(tx, { device, userId: known.id, at: now() })
    }
  }
  await againWhenStored(() => db.transaction(remember))
  if (former) reply.setCookie(FORMER_COOKIE, '', { path: '/api/auth', maxAge: 0 })
}
