import { randomUUID } from 'node:crypto'
import { MARK_HEADER, RECEIPT_HEADER } from '../../../src/contract/endpoint.ts'
import type { Capture, CutCrimpRecording } from '../../../src/contract/recordings.ts'
import type { Status } from '../../../src/contract/settings.ts'
import type { TestPanel } from '../harness.ts'
import { browserOf, pairOf, sameOrigin } from '../visitor.ts'

type Act = {
  id: string
  payload: CutCrimpRecording
  triedEpoch: string | null
  answeredBefore: boolean
  receipt: string | null
}

/** What a page keeps and says (`src/web/recording/sender.ts`), without its disk: acts that wait, acts that were answered, a mark. */
export class QueueTablet {
  readonly acts: string[] = []
  readonly #username: string
  readonly #isForgetful: boolean
  #token = ''
  #cookie = ''
  #epoch = ''
  #mark = ''
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
    const id = randomUUID()
    this.acts.push(id)
    this.#waiting.push({ id, payload, triedEpoch: null, answeredBefore: false, receipt: null })
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

  #headersOf({ id, receipt }: Act): Record<string, string> {
    return {
      ...sameOrigin,
      cookie: this.#cookie,
      'idempotency-key': id,
      ...(this.#mark ? { [MARK_HEADER]: this.#mark } : {}),
      ...(receipt ? { [RECEIPT_HEADER]: receipt } : {}),
    }
  }

  /** Sends what waits, once each; what is not heard stays. */
  async send(panel: TestPanel, isHeard = true): Promise<void> {
    await this.#readStatus(panel)
    for (const act of [...this.#waiting]) {
      act.triedEpoch ??= this.#epoch
      const payload = { ...act.payload, captura: this.#captureOf(act) }
      const url = '/api/apontamentos/corte-crimpagem'
      const ask = () => panel.ask(this.#token, { method: 'POST', url, headers: this.#headersOf(act), payload })
      let answer = await ask()
      if (answer.statusCode === 401) {
        await this.#logIn(panel)
        answer = await ask()
      }
      // another database, none, or a session that has just ended: what is there now comes first
      if ([401, 503].includes(answer.statusCode)) return await this.#readStatus(panel)
      if (answer.statusCode > 202) throw new Error(`answered ${answer.statusCode}: ${answer.body}`)
      if (!isHeard) continue
      this.#mark = String(answer.headers[MARK_HEADER])
      this.#waiting = this.#waiting.filter(({ id }) => id !== act.id)
      this.#answered.push({ ...act, epoch: this.#epoch, receipt: answer.json<{ recibo?: string }>().recibo ?? null })
    }
  }
}
