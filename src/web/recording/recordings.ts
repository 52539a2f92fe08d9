import { issueText } from '../../contract/errors.ts'
import type { CutItem, Part } from '../../contract/items.ts'
import { type Junction, JunctionRecording, junctions } from '../../contract/junctions.ts'
import { Receipt, receipts } from '../../contract/receipts.ts'
import {
  type Capture,
  CutCrimpRecording,
  type RecordingAnswer,
  recordingStatuses,
  recordings,
} from '../../contract/recordings.ts'
import { buildJunctionPayload, type JunctionForm } from '../../domain/junctions.ts'
import { plantDay } from '../../domain/plant-time.ts'
import { buildPayload, type RecordingForms } from '../../domain/recording-form.ts'
import { captureOf } from '../../domain/recordings.ts'
import { deviceNow, knowsServerClock, serverNow } from '../device/clock.ts'
import { currentUser } from '../device/credentials.ts'
import { hasLocks, ifFree } from '../device/locks.ts'
import { logFailure } from '../device/log.ts'
import { keepLastReceipt } from '../device/marks.ts'
import { preferences } from '../device/preferences.ts'
import { keepStorage } from '../device/store.ts'
import { ApiError, type CallOptions, call, isEndOfSession, isServerSilent } from '../server/api.ts'
import { validate } from '../server/session.ts'
import { knownCoveredUntil, knownEpoch } from '../server/status.ts'
import { changed, drop, keep, listWaiting, settle } from './outbox.ts'
import type { FrozenCutCrimp, FrozenJunction, FrozenReceipt, FrozenRecording, WaitingRecording } from './queue.ts'
import { ATTEMPT_MS_MAX, attemptEnd, clockShiftMs, laneOf } from './queue.ts'

/** What the server said to one attempt. */
export type Answered =
  | { fate: 'accepted'; answer: RecordingAnswer }
  /** For good: it is not recorded. */
  | { fate: 'refused'; error: ApiError }
  /** Not taken under its author's grant: the author has to log in here. */
  | { fate: 'author_needed' }
  /** Stored, and no part of anything until an admin decides; its author may still bring it under a session. */
  | { fate: 'retained'; message: string }
  /** Nobody knows whether the server has it; `error` is what came instead of an answer. */
  | { fate: 'unanswered'; error: unknown }

/** What became of a press on 'Registrar'. */
export type Fate =
  | Extract<Answered, { fate: 'accepted' | 'refused' }>
  /** In this device's queue, to be delivered whatever happens next. */
  | { fate: 'saved' }
  /** The device could not keep it, so nothing was sent. */
  | { fate: 'not_kept' }

const DELIVERY_MS_MAX = 15_000

const definitiveStatuses = [400, 403, 404, 409, 422]

/** A proxy's page says nothing about the recording, whatever its status. */
export const isDefinitive = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  definitiveStatuses.includes(error.status) &&
  !error.code.startsWith('http_') &&
  // an older server does not know where a newer page sends to: no answer
  error.code !== 'not_found'

const isAnswer = (answer: Partial<RecordingAnswer> | null): answer is RecordingAnswer =>
  typeof answer?.message === 'string' && recordingStatuses.some((status) => status === answer.status)

/** `crypto.randomUUID` exists in secure contexts only; a plant may run on plain HTTP. */
export function newId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Tells this page from other tabs of this device. */
export const pageId = newId()

/** Who does it, and when; under an id of its own. */
function frozenNow() {
  const user = currentUser()
  return {
    id: newId(),
    username: user?.username ?? '',
    grant: user?.deliveryGrant ?? '',
    frozenAt: new Date(serverNow()).toISOString(),
    ...(knowsServerClock() ? {} : { ownClock: { page: pageId, elapsedMs: performance.now() } }),
  }
}

const authorNow = (registeredAt: string) => ({ registeredAt, deviceName: preferences().deviceName })

/** The content as it stands at 'Registrar'. Ask `refusalOf` first. */
export function frozenFrom(item: CutItem, part: Part, forms: RecordingForms): FrozenCutCrimp {
  const now = frozenNow()
  const displayName = currentUser()?.fullName || now.username
  const payload = buildPayload(item, part, forms, { ...authorNow(now.frozenAt), displayName })
  return { ...now, branch: payload.EMPRESA, barcode: payload.COD_BARRA, part, payload }
}

type Place = { branch: string; order: string; timeZone: string }

/** As `frozenFrom`, of a junction. Ask `junctionRefusal` first. */
export function frozenJunction(
  junction: Junction,
  form: JunctionForm,
  { branch, order, timeZone }: Place,
): FrozenJunction {
  const now = frozenNow()
  const { username, frozenAt } = now
  const day = plantDay(Date.parse(frozenAt), timeZone)
  const payload = buildJunctionPayload(junction, form, { ...authorNow(frozenAt), branch, order, username, day })
  return { ...now, kind: 'junction', branch, order, junction: payload.POSICAO, payload }
}

export function frozenReceipt(branch: string, barcode: string): FrozenReceipt {
  const now = frozenNow()
  const payload = { filial: branch, codigoBarras: barcode, captura: captureOf(authorNow(now.frozenAt)) }
  return { ...now, kind: 'receipt', branch, barcode, payload }
}

const fieldNames: [prefix: RegExp, name: string][] = [
  [/^FORCA/, 'Força de extração'],
  [/^ALTURA/, 'Altura de crimpagem'],
  [/^LOTE/, 'Lote'],
  [/^MAQUINA/, 'Máquina'],
  [/^QTD_(REALIZADA|APONTADA)/, 'Quantidade de peças'],
  [/^TERMINAL/, 'Terminal'],
]

const fieldName = (field: string): string => fieldNames.find(([prefix]) => prefix.test(field))?.[1] ?? field

/** A refusal in words, with the fields that it is about: whoever corrects them must know which. */
export const refusalWords = ({ message, details }: ApiError): string =>
  [message, ...details.map((one) => `${fieldName(one.field)}: ${one.message}.`)].join(' ')

type Content =
  | Pick<FrozenCutCrimp, 'kind' | 'payload'>
  | Pick<FrozenJunction, 'kind' | 'payload'>
  | Pick<FrozenReceipt, 'kind' | 'payload'>

/** What the server would never take, in words; null when all is well. Once called saved it could not be corrected. */
export function problemOf({ kind, payload }: Content): string | null {
  const schema = kind === 'junction' ? JunctionRecording : kind === 'receipt' ? Receipt : CutCrimpRecording
  const [issue] = schema.safeParse(payload, { reportInput: true }).error?.issues ?? []
  if (!issue) return null
  return `Erro: ${fieldName(String(issue.path[0] ?? ''))}: ${issueText(issue)}`
}

const isByAuthor = ({ username }: FrozenRecording) => currentUser()?.username === username
/** A recording belongs to who made it: with somebody else or nobody logged in it travels under its author's grant. */
const authorityOf = ({ grant, receipt }: FrozenRecording) => ({
  authorization: receipt ? `Receipt ${receipt}` : `Grant ${grant}`,
})

/** `more`: what the queue adds to what the operator's own attempt would say. */
function post(frozen: FrozenRecording, more: Capture | null, options: CallOptions): Promise<RecordingAnswer> {
  const withCapture = <Payload extends { captura?: Capture | undefined }>(payload: Payload): Payload =>
    more ? { ...payload, captura: { ...payload.captura, ...more } } : payload
  if (frozen.kind === 'receipt') return call(receipts.confirm, { body: withCapture(frozen.payload) }, options)
  if (!frozen.kind) return call(recordings.createCutCrimp, { body: withCapture(frozen.payload) }, options)
  // The screens read a junction again: its percentage is the ERP's own.
  return call(junctions.record, { body: withCapture(frozen.payload) }, options).then((answer) => ({
    ...answer,
    item: null,
  }))
}

async function send(frozen: FrozenRecording, more: Capture | null, answerMsMax: number): Promise<Answered> {
  const byAuthor = isByAuthor(frozen)
  try {
    const answer = await post(frozen, more, {
      idempotencyKey: frozen.id,
      answerMsMax,
      ...(byAuthor ? { receipt: frozen.receipt } : authorityOf(frozen)),
    })
    if (!isAnswer(answer)) return { fate: 'unanswered', error: null }
    return answer.retido ? { fate: 'retained', message: answer.message } : { fate: 'accepted', answer }
  } catch (error) {
    if (isDefinitive(error)) return { fate: 'refused', error }
    if (error instanceof ApiError && error.status === 401) {
      if (byAuthor) void validate()
      // Refused under its author's grant it says nothing about who is logged in.
      else if (isEndOfSession(error)) return { fate: 'author_needed' }
    }
    return { fate: 'unanswered', error }
  }
}

/** What an act made without the server's clock must say of its time. */
function shifted(frozen: FrozenRecording, more: Capture | null): Capture | null {
  const clocks = { page: pageId, elapsedMs: performance.now(), deviceMs: deviceNow(), serverMs: serverNow() }
  const desvioMs = clockShiftMs(frozen, clocks)
  return desvioMs === 0 ? more : { ...more, desvioMs }
}

/** Under the epoch known before it was sent: one learnt later need not be that of the database that answered. */
async function sendAndSettle(waiting: WaitingRecording, more: Capture | null, answerMsMax: number) {
  const epoch = knownEpoch()
  const answered = await send(waiting, shifted(waiting, more), answerMsMax)
  if (answered.fate !== 'accepted') return answered
  const answeredAt = new Date(serverNow()).toISOString()
  // Should this fail, it is sent once more under the same id and gets the same answer.
  const receipt = answered.answer.recibo
  keepLastReceipt(receipt)
  await settle(waiting, { answeredAt, epoch, receipt }, knownCoveredUntil()).catch((error) =>
    logFailure('Apontamento não baixado da fila', error),
  )
  return answered
}

/** A delivery from the queue: the operator was told 'salvo', so the server parks it where it would have refused. */
export function deliver(waiting: WaitingRecording): Promise<Answered> {
  const { answeredBefore, triedEpoch } = waiting
  const isTriedElsewhere = Boolean(triedEpoch) && triedEpoch !== knownEpoch()
  const more = {
    salvoNoDispositivo: true,
    ...(answeredBefore ? { respondidoAntes: true } : {}),
    ...(isTriedElsewhere && triedEpoch ? { tentadoAntes: { epoca: triedEpoch } } : {}),
  }
  return sendAndSettle(waiting, more, DELIVERY_MS_MAX)
}

/**
 * In front of the operator, who reads a refusal and corrects it. What the browser says of the network is not asked: the
 * server may be on this very machine.
 */
async function attempt(waiting: WaitingRecording): Promise<Fate> {
  const lane = laneOf(waiting)
  const next = (await listWaiting()).find((other) => other.problem === null && laneOf(other) === lane)
  const isFirst = next?.position === waiting.position
  // the queue asks first which database is there
  if (!isFirst || isServerSilent() || !waiting.triedEpoch) return { fate: 'saved' }
  const answered = await sendAndSettle(waiting, null, ATTEMPT_MS_MAX)
  if (answered.fate !== 'accepted' && answered.fate !== 'refused') return { fate: 'saved' }
  if (answered.fate === 'refused') {
    await drop(waiting).catch((error) => logFailure('Apontamento recusado não saiu da fila', error))
  }
  return answered
}

type OnKept = () => void

type Go = (waiting: WaitingRecording) => Promise<Fate>

async function keepAnd(frozen: FrozenRecording, onKept: OnKept, isToBeTried: boolean, go: Go) {
  let waiting: WaitingRecording
  try {
    const attempt = hasLocks() ? null : { page: pageId, until: attemptEnd(serverNow()) }
    waiting = await keep(frozen, { attempt, triedEpoch: isToBeTried ? knownEpoch() : null })
  } catch (error) {
    logFailure('Apontamento não guardado no dispositivo', error)
    return { fate: 'not_kept' } as const
  }
  onKept()
  return go(waiting).catch((error: unknown): Fate => {
    logFailure('Apontamento guardado e não enviado', error)
    return { fate: 'saved' }
  })
}

/** 'Registrar': on disk first, then sent, unless earlier ones of its lane are still to go or nobody is there. */
export async function record(frozen: FrozenRecording, onKept: OnKept): Promise<Fate> {
  void keepStorage()
  const fate =
    (await ifFree(laneOf(frozen), () => keepAnd(frozen, onKept, !isServerSilent(), attempt))) ??
    (await keepAnd(frozen, onKept, false, async () => ({ fate: 'saved' })))
  if (fate.fate === 'saved') changed()
  return fate
}
