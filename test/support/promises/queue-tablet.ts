import { randomUUID } from 'node:crypto'
import {
  CHANGES_MARK_HEADER,
  LAST_RECEIPT_HEADER,
  MARK_HEADER,
  RECEIPT_HEADER,
} from '../../../src/contract/endpoint.ts'
import type { JunctionRecording } from '../../../src/contract/junctions.ts'
import type { Receipt } from '../../../src/contract/receipts.ts'
import type { Capture, CutCrimpRecording } from '../../../src/contract/recordings.ts'
import type { Session } from '../../../src/contract/sessions.ts'
import type { Status } from '../../../src/contract/settings.ts'
import { PASSWORD } from '../harness.ts'
import { sameOrigin } from '../visitor.ts'

type Request = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers?: Record<string, string>
  payload?: object
}
export type Answer = { statusCode: number; headers: Record<string, unknown>; body: string }
/** A server in this process or in one of its own. Null: no answer came. */
export type Reached = { app: { inject: (request: Request) => PromiseLike<Answer | null> } }

export const jsonOf = <T>({ body }: Answer) => JSON.parse(body) as T

const cookieIn = ({ headers }: Answer, name: string): string | undefined =>
  [headers['set-cookie']].flat().flatMap((line) => new RegExp(`${name}=([^;]*)`).exec(String(line))?.[1] ?? [])[0]

/** Of a log-in that succeeded, on the device that `known` names. */
export const sessionIn = (answer: Answer, known = '') => {
  const device = cookieIn(answer, '__Host-device') ?? known
  const { token, deliveryGrant } = jsonOf<Session>(answer)
  return {
    token,
    device,
    deliveryGrant,
    cookie: `__Host-sid=${cookieIn(answer, '__Host-sid')}; __Host-device=${device}`,
  }
}

type Act = {
  id: string
  path: string
  payload: object & { captura?: Capture | undefined }
  triedEpoch: string | null
  answeredBefore: boolean
  receipt: string | null
}

const readMark = (signed: string) =>
  JSON.parse(Buffer.from(signed.split('.')[0] ?? '', 'base64url').toString()) as { epoch: string; seq: number }

/** As the page judges it (`src/web/device/marks.ts`). */
const laterMark = (given: string, stored: string | undefined): string => {
  if (stored === undefined) return given
  const [mark, was] = [readMark(given), readMark(stored)]
  return mark.epoch !== was.epoch || mark.seq > was.seq ? given : stored
}

/**
 * What a page keeps and says (`src/web/acts/sender.ts`, `src/web/device/marks.ts`), without its disk: acts that wait, acts
 * that were answered, the last receipt of any kind, marks.
 */
export class QueueTablet {
  /** Of which the ERP must hear. */
  readonly acts: string[] = []
  /** Of which no ERP hears: samples and calls. */
  readonly actsWithoutErp: string[] = []
  readonly #username: string
  readonly #isForgetful: boolean
  readonly #note: (id: string, answer: Answer) => void
  #token = ''
  #device = ''
  #cookie = ''
  #epoch = ''
  readonly #marks: Record<string, string> = {}
  #lastReceipt: string | null = null
  #isLastNamed = false
  #waiting: Act[] = []
  #answered: (Act & { epoch: string })[] = []

  /** A forgetful one does not say that an attempt was made before: a deliberate mistake. `note` hears what its user sees. */
  constructor(username: string, isForgetful: boolean, note: (id: string, answer: Answer) => void = () => undefined) {
    this.#username = username
    this.#isForgetful = isForgetful
    this.#note = note
  }

  get isDone(): boolean {
    return this.#waiting.length === 0
  }

  freeze(payload: CutCrimpRecording | JunctionRecording | Receipt, path = '/api/apontamentos/corte-crimpagem'): string {
    const id = this.#keep(path, payload)
    this.acts.push(id)
    return id
  }

  freezeWithoutErp(path: string, payload: object): string {
    const id = this.#keep(path, payload)
    this.actsWithoutErp.push(id)
    return id
  }

  #keep(path: string, payload: object): string {
    const id = randomUUID()
    this.#waiting.push({ id, path, payload, triedEpoch: null, answeredBefore: false, receipt: null })
    return id
  }

  /** The page is loaded again, or nobody answered: whoever does next may work on another database. */
  reload(): void {
    this.#isLastNamed = false
  }

  async #readStatus(panel: Reached): Promise<boolean> {
    const answer = await panel.app.inject({ url: '/api/status' })
    if (answer?.statusCode !== 200) return false
    // a server that does not reach its database names none
    this.#epoch = jsonOf<Status>(answer).epoch ?? this.#epoch
    if (this.#epoch === '') return false
    const forgotten = this.#answered.filter((act) => act.epoch !== this.#epoch)
    this.#answered = this.#answered.filter((act) => act.epoch === this.#epoch)
    this.#waiting.unshift(...forgotten.map((act) => ({ ...act, answeredBefore: true })))
    return true
  }

  #captureOf({ answeredBefore, triedEpoch }: Act): Capture {
    const isTried = !this.#isForgetful && triedEpoch !== this.#epoch
    return {
      salvoNoDispositivo: true,
      ...(answeredBefore ? { respondidoAntes: true } : {}),
      ...(isTried ? { tentadoAntes: { epoca: triedEpoch ?? '' } } : {}),
    }
  }

  /** The same browser each time. */
  async #logIn({ app }: Reached): Promise<boolean> {
    const headers = { ...sameOrigin, cookie: `__Host-device=${this.#device}` }
    const payload = { username: this.#username, password: PASSWORD }
    const answer = await app.inject({ method: 'POST', url: '/api/auth/login', headers, payload })
    if (answer?.statusCode !== 200) return false
    const { token, device, cookie } = sessionIn(answer, this.#device)
    this.#token = token
    this.#device = device
    this.#cookie = cookie
    return true
  }

  /** Under its session, or another one where that has ended. */
  async #ask(panel: Reached, url: string, more: { headers?: Record<string, string>; payload?: object } = {}) {
    const ask = () => {
      const last = this.#lastReceipt && !this.#isLastNamed ? { [LAST_RECEIPT_HEADER]: this.#lastReceipt } : {}
      const own = { authorization: `Bearer ${this.#token}`, cookie: this.#cookie }
      const headers = { ...sameOrigin, ...own, ...this.#marks, ...last, ...more.headers }
      return panel.app.inject({ method: 'POST', url, ...more, headers })
    }
    const answer = await ask()
    if (answer?.statusCode !== 401) return answer
    return (await this.#logIn(panel)) ? await ask() : null
  }

  /** Sends what waits, once each; what is not heard stays. */
  async send(panel: Reached, isHeard = true): Promise<void> {
    if (!(await this.#readStatus(panel))) return this.reload()
    // as a page that was loaded again, which knows a session
    if (!this.#isLastNamed && this.#lastReceipt) {
      const answer = await this.#ask(panel, '/api/auth/validate')
      if (answer?.statusCode !== 200) return void (await this.#readStatus(panel))
    }
    for (const act of [...this.#waiting]) {
      act.triedEpoch ??= this.#epoch
      const payload = { ...act.payload, captura: { ...act.payload.captura, ...this.#captureOf(act) } }
      const headers = { 'idempotency-key': act.id, ...(act.receipt ? { [RECEIPT_HEADER]: act.receipt } : {}) }
      const answer = await this.#ask(panel, act.path, { headers, payload })
      if (answer === null) return this.reload()
      // another database, none, an ERP that cannot be read, too much at once, or a session that has just ended: it waits
      if ([401, 429, 502, 503, 504].includes(answer.statusCode)) return void (await this.#readStatus(panel))
      if (answer.statusCode > 202) throw new Error(`answered ${answer.statusCode}: ${answer.body}`)
      if (!isHeard) {
        this.reload()
        continue
      }
      this.#settle(act, answer)
    }
  }

  #settle(act: Act, answer: Answer): void {
    const receipt = jsonOf<{ recibo?: string }>(answer).recibo ?? null
    for (const header of [MARK_HEADER, CHANGES_MARK_HEADER]) {
      this.#marks[header] = laterMark(String(answer.headers[header]), this.#marks[header])
    }
    this.#isLastNamed = true
    this.#lastReceipt = receipt ?? this.#lastReceipt
    this.#waiting = this.#waiting.filter(({ id }) => id !== act.id)
    this.#answered.push({ ...act, epoch: this.#epoch, receipt })
    this.#note(act.id, answer)
  }
}
