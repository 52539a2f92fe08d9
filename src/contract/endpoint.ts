import type * as z from 'zod/mini'
import type { RefusalCode } from './errors.ts'
import type { Permission } from './values.ts'

type Schema = z.ZodMiniType

/** How far the database had come that answered last: sent back, it tells a server whose database has gone back. */
export const MARK_HEADER = 'x-painel-marca'

/**
 * The same of what any act has changed, also one that no ERP hears of: a number of its own, which a version before neither gives
 * nor reads.
 */
export const CHANGES_MARK_HEADER = 'x-painel-marca-mudancas'

/** The receipt of what is offered again, beside its author's own session. */
export const RECEIPT_HEADER = 'x-painel-recibo'

/** The receipt of what a tablet was answered last: a server of that epoch that does not know it works on a fork. */
export const LAST_RECEIPT_HEADER = 'x-painel-ultimo-recibo'

/** A page says here which page it is and how many recordings wait on its device: `2.1.0-4f8a2c1;3`. */
export const DEVICE_HEADER = 'x-painel-dispositivo'

/**
 * Seconds since somebody has touched a page of this device, said with a call that is made anyway, at most once a minute: a clock of
 * its own decides nothing.
 */
export const TOUCH_HEADER = 'x-painel-toque'

/** The header that every upload carries: no form of another site can set it. Any value will do. */
export const UPLOAD_HEADER = 'x-painel-envio'

/**
 * A cookie that a page sets itself as it logs out, until somebody logs in: the session's own is out of its reach, and may outlive
 * a log-out that no server has heard. What comes with it is answered as without a session's cookie.
 */
export const LEFT_COOKIE = 'saiu'

/** Topics of live changes: a page reads its answers of a changed topic again. */
export const topics = [
  'applicators',
  'sealing-stations',
  'crimp-counters',
  'crimp-history',
  'calls',
  'wear-parts',
  'items',
  'junctions',
  'pending-recordings',
  'documents',
  'users',
  'sessions',
  'settings',
  'stations',
  'control-plans',
  'instruments',
  'measurements',
  'scraps',
  'scrap-reasons',
  'containments',
] as const
export type Topic = (typeof topics)[number]

/**
 * One row of the wire contract. The server binds a handler to it, the web calls it by name, the OpenAPI document and
 * the bad-input tests are made from it.
 */
export type Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Segments written `:name` are described by `params`. */
  path: `/api/${string}`
  /** In Portuguese: it is what the page at /docs says. */
  summary: string
  /** The permission its caller needs. */
  access: 'public' | Permission
  /** In place of a session: its cookie alone, or the delivery grant of a recording's author. */
  suffices?: 'cookie' | 'grant'
  params?: Params
  query?: Query
  body?: Body
  reply: Reply
  /** Status of the reply where it is not 200; the first is the usual one. */
  statuses?: readonly number[]
  /** The call must carry `Idempotency-Key: <uuid>`; the same key with the same content answers the same. */
  idempotent?: true
  /** The call may carry `If-Match: "<version>"`: the version of the row that its sender had seen. */
  versioned?: true
  /** The body is no JSON but the bytes of a file, as they are read. */
  upload?: true
  /** The answer is no JSON but of this media type, unless its handler knows better. */
  file?: string
  /** The caller has typed the password within the last five minutes, or is asked for it (`password_needed`). */
  confirmed?: true
  /** Its body names a badge; no other call takes one in any text. */
  byBadge?: true
  /** Keeps the database busy: one person has a few of them open at a time. */
  heavy?: true
  refusals?: readonly RefusalCode[]
  /** Whose changes make the answer old; of 'items' and 'junctions' only where it holds the one that changed. */
  live?: readonly Topic[]
}

/** A row that only reads need not say so. */
type Row<E extends Endpoint> = Omit<E, 'method'> & Partial<Pick<E, 'method'>>

export const endpoint = <
  Reply extends Schema,
  Params extends Schema = z.ZodMiniUndefined,
  Query extends Schema = z.ZodMiniUndefined,
  Body extends Schema = z.ZodMiniUndefined,
>(
  row: Row<Endpoint<Params, Query, Body, Reply>>,
): Endpoint<Params, Query, Body, Reply> => ({ method: 'GET', ...row })

/** The validated parts of the request, as a handler receives them. */
export type Input<E extends Endpoint> = {
  params: E extends Endpoint<infer P, Schema, Schema, Schema> ? z.output<P> : never
  query: E extends Endpoint<Schema, infer Q, Schema, Schema> ? z.output<Q> : never
  body: E extends Endpoint<Schema, Schema, infer B, Schema> ? z.output<B> : never
}

export type Reply<E extends Endpoint> = z.output<E['reply']>
