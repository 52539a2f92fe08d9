import type { IncomingMessage } from 'node:http'
import https from 'node:https'

// an import would load the fetch and the WebSocket of Node as well, 2 MB
const http = process.getBuiltinModule('node:http')

export type HttpRequest = {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
  /** From the call to the last byte of the answer. */
  timeoutMs: number
}
/** The header by which a stand-in ERP marks its answers. */
const STAND_IN_HEADER = 'x-erp-de-ensaio'

/** `date` and `encoding`: the headers, empty without one. */
export type HttpAnswer = {
  status: number
  contentType: string
  date: string
  encoding: string
  isStandIn: boolean
  body: Buffer
}

/** No complete answer came. */
export class NoAnswer extends Error {
  readonly reason: 'unreachable' | 'timeout' | 'broken'
  /** False: surely no byte of the request reached the other side. */
  readonly sent: boolean
  constructor(reason: NoAnswer['reason'], sent: boolean, cause: string) {
    super(cause)
    this.name = 'NoAnswer'
    this.reason = reason
    this.sent = sent
  }
}

/** Far above any legitimate answer: a runaway body must not eat the server's memory. */
export const BODY_BYTES_MAX = 16 * 1024 * 1024

export type HttpClient = {
  /** One question, one answer of whatever status. Throws NoAnswer. */
  exchange(request: HttpRequest): Promise<HttpAnswer>
  /** Ends what is open: those calls throw NoAnswer. */
  close(): void
}

async function collect(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) throw new Error('answer too large')
  }
  return Buffer.concat(chunks)
}

/** The HTTP client of one server. `baseUrl` only decides whether it uses TLS. */
export function openHttp({ baseUrl, connectMs }: { baseUrl: string; connectMs: number }): HttpClient {
  const secure = baseUrl.startsWith('https:')
  const agent = secure ? new https.Agent({ keepAlive: true }) : new http.Agent({ keepAlive: true })
  const closing = new AbortController()

  function once(request: HttpRequest): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      let sent = false
      const call = (secure ? https : http).request(request.url, {
        method: request.method,
        headers: request.headers,
        // A write opens a new connection: when the ERP has closed an idle one silently, the outcome would be unknown.
        agent: request.method === 'GET' ? agent : false,
        signal: closing.signal,
      })
      const settle = (end: () => void) => {
        clearTimeout(deadline)
        clearTimeout(connecting)
        end()
      }
      const fail = (reason: NoAnswer['reason'], cause: string) => {
        settle(() => reject(new NoAnswer(sent ? reason : 'unreachable', sent, cause)))
        call.destroy()
      }
      const deadline = setTimeout(() => fail('timeout', `no answer within ${request.timeoutMs} ms`), request.timeoutMs)
      const connecting = setTimeout(() => fail('unreachable', `no connection within ${connectMs} ms`), connectMs)
      const bytesMayLeave = () => {
        sent = true
        clearTimeout(connecting)
      }
      call.on('socket', (socket) => {
        if (call.reusedSocket || (!secure && !socket.connecting)) bytesMayLeave()
        else socket.once(secure ? 'secureConnect' : 'connect', bytesMayLeave)
      })
      call.on('error', (error: NodeJS.ErrnoException) => {
        const stale = call.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '')
        fail('broken', stale ? STALE_CONNECTION : (error.code ?? error.message))
      })
      call.on('response', (answer) => {
        const { statusCode: status = 0, headers } = answer
        collect(answer).then(
          (body) => {
            const { 'content-type': contentType = '', date = '', 'content-encoding': encoding = '' } = headers
            const isStandIn = headers[STAND_IN_HEADER] !== undefined
            settle(() => resolve({ status, contentType, date, encoding, isStandIn, body }))
          },
          (error: Error) => fail('broken', error.message),
        )
      })
      call.end(request.body)
    })
  }

  return {
    exchange: (request) =>
      once(request).catch((error: unknown) => {
        if (request.method !== 'GET' || !(error instanceof NoAnswer) || error.message !== STALE_CONNECTION) throw error
        return once(request)
      }),
    close() {
      closing.abort()
      agent.destroy()
    },
  }
}

const STALE_CONNECTION = 'idle connection was closed'
