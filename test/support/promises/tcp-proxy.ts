import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { limitMs } from '../slowness.ts'

const ANSWER_MS_MAX = limitMs(15_000)

/**
 * `pass`: both ways. `swallow`: the question arrives, the answer is written by the server and thrown away with the
 * connection. `cut`: the connection ends as soon as the question has been handed on, while it is being worked on.
 * `refuse`: nobody is there.
 */
export type Outcome = 'pass' | 'swallow' | 'cut' | 'refuse'

/** A network in between: decides for each connection what becomes of it. */
export async function startTcpProxy(target: () => number, outcomeOf: () => Outcome) {
  const counts: Record<Outcome, number> = { pass: 0, swallow: 0, cut: 0, refuse: 0 }
  const open = new Set<Socket>()
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => open.delete(socket))
  }
  const server = createServer((client) => {
    keep(client)
    const outcome = outcomeOf()
    if (outcome === 'refuse') {
      counts.refuse++
      return void client.destroy()
    }
    const upstream = connect(target(), '127.0.0.1')
    keep(upstream)
    client.on('data', (bytes) => {
      upstream.write(bytes, () => {
        if (outcome !== 'cut' || client.destroyed) return
        counts.cut++
        client.destroy()
      })
    })
    upstream.on('data', (bytes) => {
      if (outcome === 'pass') return void client.write(bytes)
      if (outcome === 'swallow' && !client.destroyed) {
        counts.swallow++
        client.destroy()
      }
    })
    upstream.once('close', () => client.end())
    client.once('close', () => {
      if (outcome === 'pass') upstream.end()
    })
    if (outcome === 'pass') counts.pass++
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cutAll = () => {
    for (const socket of open) socket.destroy()
  }
  onTestFinished(() => {
    cutAll()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, counts, cutAll }
}

/** One recording over a connection of its own. Null: no answer came in the time that a tablet waits. */
export function recordAlone(
  port: number,
  headers: Record<string, string>,
  body: string,
  path = '/api/apontamentos/corte-crimpagem',
): Promise<number | null> {
  return new Promise((resolve) => {
    const call = request({
      ...{ host: '127.0.0.1', port, method: 'POST', path },
      ...{ agent: false, signal: AbortSignal.timeout(ANSWER_MS_MAX) },
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
    })
    call.on('error', () => resolve(null))
    call.on('response', (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? null))
      answer.on('error', () => resolve(null))
    })
    call.end(body)
  })
}
