import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { RetainedWhy } from '../../contract/retained-deliveries.ts'
import type { Role } from '../../contract/values.ts'

/**
 * A tablet's receipt of an answered act: authority to offer exactly this content again, in its author's name, from the
 * browser that got it, to a database that went back.
 */
export const DeliveryReceipt = z.strictObject({
  id: z.string(),
  contentHash: z.string(),
  epoch: z.string(),
  user: z.int(),
  username: z.string(),
  fullName: z.string(),
  device: z.string(),
})
export type DeliveryReceipt = z.output<typeof DeliveryReceipt>

/** Whose work may not be taken as it comes, and for which device its grant was given. */
export type Retention = { why: RetainedWhy; sessionId: string; device: string; deviceName: string }

/** The authenticated caller. `sessionId` is null when a password or a grant authenticated the call. */
export type Caller = {
  userId: number
  username: string
  fullName: string
  role: Role
  sessionId: string | null
  /** Its session was opened by badge and PIN. */
  byBadge?: boolean
  /** Its session is a board's, and good for that alone. */
  isBoard?: boolean
  isFromDirectory?: boolean
  expiresAt: number
  /** The receipt that authorises this call without a session, for its own content alone. */
  receipt: DeliveryReceipt | null
  /** This database may be older than what the caller delivers: the ERP is asked about it first. */
  isForgotten: boolean
  /** Not null: what the caller delivers is stored as it is, and an admin decides. */
  retention: Retention | null
}

/** Fields of a caller with a live session. */
export const TRUSTED = { receipt: null, isForgotten: false, retention: null }

/** Under which the calls of one log-in are counted; a password with every call has none. */
export const sessionOf = ({ sessionId, userId }: Caller): string => sessionId ?? `user ${userId}`

/** Key under which a person's calls are counted, whatever the session or device. */
export const personOf = ({ username }: Pick<Caller, 'username'>): string => `person ${username}`

/** A request with its caller. */
export type Asking<C extends Caller | null = Caller> = { caller: C; request: FastifyRequest; reply: FastifyReply }
