import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { limitMs } from '../../../test/support/slowness.ts'
import { type HttpClient, NoAnswer, openHttp } from './http.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function serve(listener: RequestListener) {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

function client(baseUrl: string, connectMs = 3000): HttpClient {
  const http = openHttp({ baseUrl, connectMs })
  closers.push(() => http.close())
  return http
}

const ask = { method: 'GET', headers: {}, timeoutMs: limitMs(30_000) } as const
const tell = { method: 'POST', headers: {}, body: 'hello', timeoutMs: limitMs(30_000) } as const
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof NoAnswer ? { reason: error.reason, sent: error.sent } : error),
  )

describe('an exchange', () => {
  it('gives status, type and bytes', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(418, { 'content-type': 'text/plain' }).end('São')
    })
    expect(await client(url).exchange({ ...ask, url })).toEqual({
      status: 418,
      contentType: 'text/plain',
      encoding: '',
      date: expect.any(String),
      isStandIn: false,
      body: Buffer.from('São'),
    })
  })

  it('says that nothing was sent when nobody listens', async () => {
    const { server, url } = await serve(() => {})
    await new Promise((resolve) => server.close(resolve))
    expect(await failureOf(client(url).exchange({ ...tell, url }))).toEqual({ reason: 'unreachable', sent: false })
  })

  it('says that nothing was sent when the name is unknown', async () => {
    const url = 'http://erp.invalid/'
    expect(await failureOf(client(url).exchange({ ...tell, url }))).toEqual({ reason: 'unreachable', sent: false })
  })

  it('says that nothing was sent when the other side does not speak TLS', async () => {
    const tcp = createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.end('no TLS here')
    })
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
    closers.push(() => tcp.close())
    const url = `https://127.0.0.1:${(tcp.address() as AddressInfo).port}/`
    expect(await failureOf(client(url).exchange({ ...tell, url }))).toEqual({ reason: 'unreachable', sent: false })
  })

  it('says that nothing was sent when the connection takes too long', async () => {
    // A TLS greeting that is never answered: no listening queue can be filled portably.
    const tcp = createTcpServer((socket) => socket.on('error', () => {}))
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
    closers.push(() => tcp.close())
    const url = `https://127.0.0.1:${(tcp.address() as AddressInfo).port}/`
    expect(await failureOf(client(url, 50).exchange({ ...tell, url }))).toEqual({ reason: 'unreachable', sent: false })
  })

  it('says that bytes may have left when no answer comes', async () => {
    const { url } = await serve(() => {})
    expect(await failureOf(client(url).exchange({ ...tell, url, timeoutMs: limitMs(2000) }))).toEqual({
      reason: 'timeout',
      sent: true,
    })
  })

  it('says that bytes may have left when the connection breaks', async () => {
    const { url } = await serve((request) => request.socket.resetAndDestroy())
    expect(await failureOf(client(url).exchange({ ...tell, url }))).toEqual({ reason: 'broken', sent: true })
  })

  it('takes a body that ends early for none', async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => request.socket.destroy())
    })
    expect(await failureOf(client(url).exchange({ ...ask, url }))).toEqual({ reason: 'broken', sent: true })
  })

  it('ends with the client', async () => {
    const reached = Promise.withResolvers<void>()
    const { url } = await serve(() => reached.resolve())
    const http = client(url)
    const failed = failureOf(http.exchange({ ...tell, url }))
    await reached.promise
    http.close()
    expect(await failed).toEqual({ reason: 'broken', sent: true })
  })
})

describe('an idle connection that the other side closed', () => {
  async function serveTwice() {
    const seen: string[] = []
    const sockets = new Set<unknown>()
    const { url } = await serve((request, response) => {
      if (sockets.has(request.socket)) {
        request.socket.resetAndDestroy()
        return
      }
      sockets.add(request.socket)
      seen.push(request.method ?? '')
      request.resume()
      response.end('ok')
    })
    return { url, seen, sockets }
  }

  it('is met by asking again when reading', async () => {
    const { url, seen, sockets } = await serveTwice()
    const http = client(url)
    await http.exchange({ ...ask, url })
    const second = await http.exchange({ ...ask, url })
    expect(second.body.toString()).toBe('ok')
    expect(seen).toEqual(['GET', 'GET'])
    expect(sockets.size).toBe(2)
  })

  it('is never what a write goes out on', async () => {
    const { url, seen } = await serveTwice()
    const http = client(url)
    await http.exchange({ ...ask, url })
    await http.exchange({ ...tell, url })
    await http.exchange({ ...tell, url })
    expect(seen).toEqual(['GET', 'POST', 'POST'])
  })
})
