import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { readBody } from '../../demo/simulator/http.ts'

/** `bytes` go out in place of the text. */
export type HttpText = { status: number; text: string; headers: Record<string, string>; bytes?: Uint8Array }
/** What comes instead of what the simulator answered. */
export type Change = (answer: HttpText, request: IncomingMessage) => HttpText

const hopHeaders = ['host', 'connection', 'content-length', 'transfer-encoding']

/**
 * A server in front of the simulator that changes the answers of one path, by how it ends. Resolves to its address.
 */
export async function startMutatedErp(simulatorUrl: string, pathEnd: RegExp, change: Change): Promise<string> {
  const answer = async (request: IncomingMessage): Promise<HttpText> => {
    const { method = 'GET', url = '' } = request
    const headers = Object.fromEntries(
      Object.entries(request.headers).flatMap(([name, value]) =>
        hopHeaders.includes(name) ? [] : [[name, `${value}`]],
      ),
    )
    const body = await readBody(request)
    const came = await fetch(new URL(url, simulatorUrl), { method, headers, ...(method === 'POST' ? { body } : {}) })
    const text = { status: came.status, text: await came.text(), headers: { 'content-type': 'application/json' } }
    return pathEnd.test(new URL(url, simulatorUrl).pathname) ? change(text, request) : text
  }
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, text, bytes, headers }) => response.writeHead(status, headers).end(bytes ?? text),
      () => request.socket.destroy(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/rest`
}
