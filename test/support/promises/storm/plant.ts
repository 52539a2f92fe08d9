import { request } from 'node:http'
import type { Random } from '../../../../demo/simulator/random.ts'
import type { ErpSimulator } from '../../../../demo/simulator/simulator.ts'
import type { Session } from '../../../../src/contract/sessions.ts'
import { PASSWORD } from '../../harness.ts'
import { type Answer, jsonOf, type Reached } from '../queue-tablet.ts'
import type { Section } from '../workload.ts'
import type { Change, Journal } from './world.ts'

export type Plant = {
  journal: Journal
  simulator: ErpSimulator
  sections: Section[]
  /** Positions of junctions. */
  positions: string[]
  /** Barcodes that nobody has received; each is taken once. */
  unreceived: string[]
  /** Any of the servers. */
  reach: () => Reached
  isOver: () => boolean
  /** False where a deliberate mistake may keep a hand from what it is to do. */
  mustDoAll: boolean
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Over a connection of its own: what breaks with a server is the call, and nobody repeats it unseen. */
export const reachedAt = (address: string, { wrongAnswers }: Journal): Reached => ({
  app: {
    inject: ({ method = 'GET', url, headers = {}, payload }) =>
      new Promise<Answer | null>((resolve) => {
        const body = payload === undefined ? undefined : JSON.stringify(payload)
        const type = body === undefined ? {} : { 'content-type': 'application/json' }
        const call = request(address + url, { method, agent: false, headers: { ...headers, ...type } }, (reply) => {
          let text = ''
          reply.setEncoding('utf8').on('data', (more: string) => {
            text += more
          })
          reply.on('error', () => resolve(null))
          reply.on('close', () => {
            const statusCode = reply.statusCode ?? 0
            if (statusCode === 500) wrongAnswers.push(`${method} ${url}: ${text}`)
            resolve(reply.complete ? { statusCode, headers: reply.headers, body: text } : null)
          })
        })
        call.on('error', () => resolve(null))
        call.end(body)
      }),
  },
})

type Request = Parameters<Reached['app']['inject']>[0]

/** Somebody at a screen, or a program, in a session of their own. */
export class Person {
  readonly username: string
  readonly #plant: Plant
  #token = ''

  constructor(plant: Plant, username: string) {
    this.#plant = plant
    this.username = username
  }

  async #logIn(): Promise<void> {
    const payload = { username: this.username, password: PASSWORD }
    const answer = await this.#plant.reach().app.inject({ method: 'POST', url: '/api/auth/login', payload })
    if (answer?.statusCode === 200) this.#token = jsonOf<Session>(answer).token
  }

  async #askOnce(given: Request): Promise<Answer | null> {
    const headers = { authorization: `Bearer ${this.#token}`, ...given.headers }
    return await this.#plant.reach().app.inject({ ...given, headers })
  }

  /** Null: no answer came. */
  async ask(given: Request): Promise<Answer | null> {
    if (this.#token === '') await this.#logIn()
    const answer = await this.#askOnce(given)
    if (answer?.statusCode !== 401) return answer
    await this.#logIn()
    return await this.#askOnce(given)
  }

  /** Null where it could not be read now. */
  async read<T>(url: string): Promise<T | null> {
    const answer = await this.ask({ url })
    return answer?.statusCode === 200 ? jsonOf<T>(answer) : null
  }

  /** As often as it takes until the server has answered for good. */
  async askUntilAnswered(given: Request): Promise<Answer> {
    for (;;) {
      const answer = await this.ask(given)
      if (answer && answer.statusCode < 500 && answer.statusCode !== 429 && answer.statusCode !== 401) return answer
      await pause(50)
    }
  }

  /** A change without an id of its own: nobody repeats it whose answer was lost. True: its answer was seen. */
  async change({ action, subject }: Pick<Change, 'action' | 'subject'>, given: Request): Promise<boolean> {
    const { journal } = this.#plant
    const change = journal.change(action, subject)
    const answer = await this.ask(given)
    const isRefused = answer !== null && answer.statusCode >= 400 && answer.statusCode < 500
    if (isRefused) journal.changes.splice(journal.changes.indexOf(change), 1)
    if (answer === null || answer.statusCode >= 300) return false
    change.isSeen = true
    journal.seen++
    return true
  }
}

/** More than any act needs of which only some tries succeed; one that never can would keep the storm going without a word. */
const TRIES_AFTER_THE_STORM = 1000

/**
 * Again and again until the storm is over, and at least until each of these has been done once.
 * @throws where one of them could not be done.
 */
export async function workUntilOver(
  { isOver, mustDoAll }: Plant,
  random: Random,
  tasks: readonly (() => Promise<boolean>)[],
  betweenMs: [min: number, max: number],
): Promise<void> {
  const due = new Set(tasks)
  for (let late = 0; !isOver() || (mustDoAll && due.size > 0); ) {
    if (isOver() && ++late > TRIES_AFTER_THE_STORM) throw new Error(`never done: ${[...due].join(', ')}`)
    const task = due.size > 0 && random.chance(0.5) ? random.pick([...due]) : random.pick(tasks)
    if (await task()) due.delete(task)
    await pause(random.between(...betweenMs))
  }
}
