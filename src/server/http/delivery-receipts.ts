import type { FastifyRequest } from 'fastify'
import { RECEIPT_HEADER } from '../../contract/endpoint.ts'
import type { Outside } from '../outside.ts'
import { type Caller, DeliveryReceipt, TRUSTED } from './caller.ts'
import { readDevice } from './devices.ts'
import { findAuthor } from './grants.ts'
import type { Budgets } from './limits.ts'
import { Refused } from './refused.ts'
import { type Keys, readSigned, sign } from './signatures.ts'

type Answered = { id: string; contentHash: string }
type Author = Pick<Caller, 'userId' | 'username' | 'fullName'>

/** Undefined for a program: it has no queue. */
export function signReceipt(
  { id, contentHash }: Answered,
  { userId: user, username, fullName }: Author,
  { epoch, request, keys }: { keys: Keys } & { epoch: string | null; request: FastifyRequest },
): string | undefined {
  const device = readDevice(request)
  if (device === null || epoch === null) return undefined
  const receipt: DeliveryReceipt = { id, contentHash, epoch, user, username, fullName, device }
  return sign(keys, 'delivery-receipt', receipt)
}

export function readReceipt(signed: unknown, { keys }: { keys: Keys }): DeliveryReceipt | null {
  if (typeof signed !== 'string') return null
  const read = DeliveryReceipt.safeParse(readSigned(keys, 'delivery-receipt', signed))
  return read.success ? read.data : null
}

/** The receipt of this very act and content, if one comes with it. A receipt alone authorises only what it was given for. */
export function readOwnReceipt(
  { id, contentHash }: Answered,
  { caller, request, keys }: { caller: Caller; request: FastifyRequest; keys: Keys },
): DeliveryReceipt | null {
  const receipt = caller.receipt ?? readShownReceipt(caller, request, { keys })
  const isIts = receipt?.id === id && receipt.contentHash === contentHash
  if (caller.receipt !== null && !isIts) throw new Refused('session_missing')
  return isIts ? receipt : null
}

/** Reads the receipt that comes beside a session: good where it is its author's, in its browser. */
function readShownReceipt(
  { username }: Pick<Caller, 'username'>,
  request: FastifyRequest,
  context: { keys: Keys },
): DeliveryReceipt | null {
  const receipt = readReceipt(request.headers[RECEIPT_HEADER], context)
  return receipt?.username === username && receipt.device === readDevice(request) ? receipt : null
}

/** The author of what is offered again; null where no key of ours has signed it. */
export async function findCallerByReceipt(
  signed: string,
  request: FastifyRequest,
  context: Pick<Outside, 'db' | 'now'> & { keys: Keys; budgets: Budgets },
): Promise<Caller | null> {
  const receipt = readReceipt(signed, context)
  if (!receipt) return null
  const { username, device } = receipt
  context.budgets.take('receiptsOfDevice', device)
  context.budgets.take('receiptsOfPerson', username)
  const { author } = await findAuthor(context.db.read, receipt)
  const isHere = readDevice(request) === device
  return {
    ...author,
    role: 'operador',
    sessionId: null,
    expiresAt: context.now(),
    ...TRUSTED,
    receipt,
    retention: isHere ? null : { why: 'other_browser', sessionId: '', device, deviceName: '' },
  }
}
