import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { RECEIPT_HEADER } from '../contract/endpoint.ts'
import type { Context } from './context.ts'
import { readDevice } from './devices.ts'
import { NOBODY_ID } from './grants.ts'
import { type Caller, TRUSTED } from './session.ts'
import { readSigned, sign } from './signatures.ts'
import { findUserById } from './store/users.ts'

/**
 * What a tablet holds of each answered act: authority to offer exactly this content again, in its author's name, in the browser
 * that it was given to, to a database that went back.
 */
const DeliveryReceipt = z.strictObject({
  id: z.string(),
  contentHash: z.string(),
  epoch: z.string(),
  user: z.int(),
  username: z.string(),
  fullName: z.string(),
  device: z.string(),
})
export type DeliveryReceipt = z.output<typeof DeliveryReceipt>

type Answered = { id: string; contentHash: string }
type Author = Pick<Caller, 'userId' | 'username' | 'fullName'>

/** Undefined for who is no browser: a program keeps no queue. */
export function signReceipt(
  { id, contentHash }: Answered,
  { userId: user, username, fullName }: Author,
  { epoch, request, keys }: Pick<Context, 'keys'> & { epoch: string | null; request: FastifyRequest },
): string | undefined {
  const device = readDevice(request)
  if (device === null || epoch === null) return undefined
  const receipt: DeliveryReceipt = { id, contentHash, epoch, user, username, fullName, device }
  return sign(keys, 'delivery-receipt', receipt)
}

export function readReceipt(signed: unknown, { keys }: Pick<Context, 'keys'>): DeliveryReceipt | null {
  if (typeof signed !== 'string') return null
  const read = DeliveryReceipt.safeParse(readSigned(keys, 'delivery-receipt', signed))
  return read.success ? read.data : null
}

/** What comes beside a session: good where it is its author's, in its browser. */
export function readShownReceipt(
  { username }: Pick<Caller, 'username'>,
  request: FastifyRequest,
  context: Pick<Context, 'keys'>,
): DeliveryReceipt | null {
  const receipt = readReceipt(request.headers[RECEIPT_HEADER], context)
  return receipt?.username === username && receipt.device === readDevice(request) ? receipt : null
}

/** The author of what is offered again; null where no key of ours has signed it. */
export async function findCallerByReceipt(
  signed: string,
  request: FastifyRequest,
  context: Context,
): Promise<Caller | null> {
  const receipt = readReceipt(signed, context)
  if (!receipt) return null
  const { user: id, username, fullName, device } = receipt
  context.budgets.take('receipt', device)
  const found = await findUserById(context.db.read, id)
  const user = found?.username === username ? found : null
  const isHere = readDevice(request) === device
  return {
    userId: user?.id ?? NOBODY_ID,
    username,
    fullName: user?.fullName ?? fullName,
    role: 'operador',
    sessionId: null,
    expiresAt: context.now(),
    ...TRUSTED,
    receipt,
    retention: isHere ? null : { why: 'other_browser', sessionId: '', device, deviceName: '' },
  }
}
