import { randomUUID } from 'node:crypto'
import {
  CHANGES_MARK_HEADER,
  LAST_RECEIPT_HEADER,
  MARK_HEADER,
  RECEIPT_HEADER,
} from '../../../src/contract/endpoint.ts'
import type { Capture, CutCrimpRecording } from '../../../src/contract/recordings.ts'
import type { Status } from '../../../src/contract/settings.ts'
import type { TestPanel } from '../harness.ts'
import { browserOf, pairOf, sameOrigin } from '../visitor.ts'

type Act = {
  id: string
  path: string
  payload: object
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
 * What a page keeps and says (`src/web/recording/sender.ts`, `src/web/device/marks.ts`), without its disk: acts that wait, acts
 * that were answered, the last receipt of any kind, marks.
 */
export class QueueTablet {
  /** Of which the ERP must hear. */
  readonly acts: string[] = []
  /** Of which no ERP hears: samples and calls. */
  readonly actsWithoutErp: string[] = []
  readonly #username: string
  readonly #isForgetful: boolean
  #token = ''
  #cookie = ''
  #epoch = ''
  readonly #marks: Record<string, string> = {}
  #lastReceipt: string | null = null
  #isLastNamed = false
  #waiting: Act[] = []
  #answered: (Act & { epoch: string })[] = []

  /** A forgetful one does not say that an attempt was made before: a deliberate mistake. */
  constructor(username: string, isForgetful: boolean) {
    this.#username = username
    this.#isForgetful = isForgetful
  }

  get isDone(): boolean {
    return this.#waiting.length === 0
  }

  freeze(payload: CutCrimpRecording): void {
    this.acts.push(this.#keep('/api/apontamentos/corte-crimpagem', payload))
  }

  freezeWithoutErp(path: string, payload: object): void {
    this.actsWithoutErp.push(this.#keep(path, payload))
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

  async #readStatus(panel: TestPanel): Promise<void> {
    const { epoch } = (await panel.app.inject('/api/status')).json<Status>()
    this.#epoch = epoch ?? ''
    const forgotten = this.#answered.filter((act) => act.epoch !== this.#epoch)
    this.#answered = this.#answered.filter((act) => act.epoch === this.#epoch)
    this.#waiting.unshift(...forgotten.map((act) => ({ ...act, answeredBefore: true })))
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
  async #logIn(panel: TestPanel): Promise<void> {
    const device = /__Host-device=[^;]*/.exec(this.#cookie)?.[0] ?? ''
    const pair = pairOf(await browserOf(panel).login(this.#username, undefined, { ...sameOrigin, cookie: device }))
    this.#token = pair.token
    this.#cookie = `__Host-sid=${pair.cookie}; __Host-device=${pair.device}`
  }

  /** Under its session, or another one where that has ended. */
  async #ask(panel: TestPanel, path: string, more: { headers?: Record<string, string>; payload?: object } = {}) {
    const ask = () => {
      const last = this.#lastReceipt && !this.#isLastNamed ? { [LAST_RECEIPT_HEADER]: this.#lastReceipt } : {}
      const headers = { ...sameOrigin, cookie: this.#cookie, ...this.#marks, ...last, ...more.headers }
      return panel.ask(this.#token, { method: 'POST', url: path, ...more, headers })
    }
    const answer = await ask()
    if (answer.statusCode !== 401) return answer
    await this.#logIn(panel)
    return await ask()
  }

  /** Sends what waits, once each; what is not heard stays. */
  async send(panel: TestPanel, isHeard = true): Promise<void> {
    await this.#readStatus(panel)
    // as a page that was loaded again, which knows a session
    if (!this.#isLastNamed && this.#lastReceipt) {
      const { statusCode } = await this.#ask(panel, '/api/auth/validate')
      if (statusCode !== 200) return await this.#readStatus(panel)
    }
    for (const act of [...this.#waiting]) {
      act.triedEpoch ??= this.#epoch
      const payload = { ...act.payload, captura: this.#captureOf(act) }
      const headers = { 'idempotency-key': act.id, ...(act.receipt ? { [RECEIPT_HEADER]: act.receipt } : {}) }
      const answer = await this.#ask(panel, act.path, { headers, payload })
      // another database, none, or a session that has just ended: what is there now comes first
      if ([401, 503].includes(answer.statusCode)) return await this.#readStatus(panel)
      if (answer.statusCode > 202) throw new Error(`answered ${answer.statusCode}: ${answer.body}`)
      if (!isHeard) {
        this.reload()
        continue
      }
      const receipt = answer.json<{ recibo?: string }>().recibo ?? null
      for (const header of [MARK_HEADER, CHANGES_MARK_HEADER]) {
        this.#marks[header] = laterMark(String(answer.headers[header]), this.#marks[header])
      }
      this.#isLastNamed = true
      this.#lastReceipt = receipt ?? this.#lastReceipt
      this.#waiting = this.#waiting.filter(({ id }) => id !== act.id)
      this.#answered.push({ ...act, epoch: this.#epoch, receipt })
    }
  }
}
