import type { CutItem, Part } from '../contract/items.ts'
import { type RecordingAnswer, recordingStatuses, recordings } from '../contract/recordings.ts'
import { buildPayload, type RecordingForms } from '../domain/recording-form.ts'
import { ApiError, call, serverNow } from './api.ts'
import { currentUser } from './credentials.ts'
import { type FrozenRecording, findFrozen, freeze, listFrozen, release } from './outbox.ts'
import { validate } from './session.ts'

export type Fate =
  | { fate: 'accepted'; answer: RecordingAnswer }
  /** Answered for good: it is not recorded, and may be corrected and registered as a new act. */
  | { fate: 'refused'; error: ApiError }
  /** Nobody knows. It stays frozen; `error` is what came instead of an answer. */
  | { fate: 'unanswered'; error: unknown }
  /** Another tab has had the answer meanwhile. */
  | { fate: 'settled_elsewhere' }
  /** The device could not keep it, so nothing was sent. */
  | { fate: 'not_kept' }

/** The server waits 2.5 s for the ERP; what takes much longer is a network that will not answer. */
const ANSWER_MS_MAX = 15_000

const definitiveStatuses = [400, 403, 404, 409, 422]

/** A proxy's page says nothing about the recording, whatever its status. */
export const isDefinitive = (error: unknown): error is ApiError =>
  error instanceof ApiError && definitiveStatuses.includes(error.status) && !error.code.startsWith('http_')

const isAnswer = (answer: Partial<RecordingAnswer> | null): answer is RecordingAnswer =>
  typeof answer?.message === 'string' && recordingStatuses.some((status) => status === answer.status)

/** `crypto.randomUUID` exists in secure contexts only; a plant may run on plain HTTP. */
function newId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The content as it stands at 'Registrar', under an id of its own. Ask `refusalOf` first. */
export function frozenFrom(item: CutItem, part: Part, forms: RecordingForms): FrozenRecording {
  const user = currentUser()
  const frozenAt = new Date(serverNow()).toISOString()
  const payload = buildPayload(item, part, forms, {
    displayName: user?.fullName || user?.username || '',
    registeredAt: frozenAt,
  })
  return {
    id: newId(),
    username: user?.username ?? '',
    grant: user?.deliveryGrant ?? '',
    branch: payload.EMPRESA,
    barcode: payload.COD_BARRA,
    part,
    payload,
    frozenAt,
  }
}

/** Two tabs must not send one recording at the same time. Without locks the server tells repetitions by their id. */
const alone = <Result>(id: string, work: () => Promise<Result>): Promise<Result> =>
  navigator.locks ? navigator.locks.request(`apontamento:${id}`, work) : work()

/** A recording belongs to who made it: with somebody else logged in it travels under its author's grant. */
const authorizationOf = ({ username, grant }: FrozenRecording) =>
  currentUser()?.username === username ? {} : { authorization: `Grant ${grant}` }

async function send(frozen: FrozenRecording): Promise<Fate> {
  try {
    const answer = await call(
      recordings.createCutCrimp,
      { body: frozen.payload },
      { idempotencyKey: frozen.id, answerMsMax: ANSWER_MS_MAX, ...authorizationOf(frozen) },
    )
    return isAnswer(answer) ? { fate: 'accepted', answer } : { fate: 'unanswered', error: null }
  } catch (error) {
    if (isDefinitive(error)) return { fate: 'refused', error }
    if (error instanceof ApiError && error.status === 401) void validate()
    return { fate: 'unanswered', error }
  }
}

async function deliver(frozen: FrozenRecording): Promise<Fate> {
  const fate = await send(frozen)
  const isSettled = fate.fate === 'accepted' || fate.fate === 'refused'
  // Should this fail, the recording is sent once more under the same id and gets the same answer.
  if (isSettled) await release(frozen.id).catch((error) => console.error('Apontamento não removido da fila', error))
  return fate
}

/** The first 'Registrar': on disk first, then sent. */
export const record = (frozen: FrozenRecording): Promise<Fate> =>
  alone(frozen.id, async () => {
    try {
      await freeze(frozen)
    } catch (error) {
      console.error('Apontamento não guardado no dispositivo', error)
      return { fate: 'not_kept' }
    }
    return deliver(frozen)
  })

/** The same id and the same content again. */
export const resend = (frozen: FrozenRecording): Promise<Fate> =>
  alone(frozen.id, async () => ((await findFrozen(frozen.id)) ? deliver(frozen) : { fate: 'settled_elsewhere' }))

/** Everything that still waits for an answer, in the order in which it was done. Stops where nobody is there. */
export async function resendAll(onFate: (frozen: FrozenRecording, fate: Fate) => void): Promise<void> {
  for (const frozen of await listFrozen()) {
    const fate = await resend(frozen)
    onFate(frozen, fate)
    if (fate.fate === 'unanswered' && !(fate.error instanceof ApiError)) return
  }
}
