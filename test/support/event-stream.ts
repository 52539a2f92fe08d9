import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { LiveChange } from '../../src/contract/live-changes.ts'
import type { TestPanel } from './harness.ts'

type EventStream = {
  status: number
  headers: IncomingMessage['headers']
  /** Of what had changed before it opened. */
  received: LiveChange[]
  heard: LiveChange[]
  /** Everything that came, comments included. */
  text: () => string
  /** Resolves when what was heard fits, or rejects when the stream ends before. */
  until(fits: (heard: LiveChange[]) => boolean): Promise<void>
  /** Resolves when the server has ended it. */
  ended: Promise<void>
  hangUp(): void
}

const listening = new WeakMap<TestPanel['app'], Promise<string>>()

const urlOf = ({ app }: Pick<TestPanel, 'app'>): Promise<string> => {
  const known = listening.get(app)
  if (known) return known
  const opened = app
    .listen({ host: '127.0.0.1', port: 0 })
    .then(() => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
  listening.set(app, opened)
  return opened
}

/** Over a real connection, as a browser's EventSource reads it. */
export async function openStream(panel: Pick<TestPanel, 'app'>, headers: Record<string, string>): Promise<EventStream> {
  const url = await urlOf(panel)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}/api/eventos`, { headers, agent: false }, resolve).once('error', reject)
  })
  onTestFinished(() => void response.destroy())
  let text = ''
  let unread = ''
  let isOver = false
  const received: LiveChange[] = []
  const heard: LiveChange[] = []
  let news = received
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const look of waiting) look()
  }
  response.setEncoding('utf8').on('data', (more: string) => {
    text += more
    const events = (unread + more).split('\n\n')
    unread = events.pop() ?? ''
    for (const event of events) {
      const [, data] = /^(?:event: mudanca\n)?data: (.*)$/.exec(event) ?? []
      if (data !== undefined) news.push(JSON.parse(data) as LiveChange)
      // the first comment ends what was told
      else if (event === ':') news = heard
    }
    wake()
  })
  const ended = new Promise<void>((resolve) => {
    response.once('close', () => {
      isOver = true
      wake()
      resolve()
    })
  })
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    received,
    heard,
    text: () => text,
    until: (fits) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!fits(heard) && !isOver) return
          waiting.delete(look)
          if (fits(heard)) resolve()
          else reject(new Error(`the stream ended after ${heard.length} changes`))
        }
        waiting.add(look)
        look()
      }),
    ended,
    hangUp: () => void response.destroy(),
  }
}
