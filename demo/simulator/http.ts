import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Reply } from './answers.ts'

/** This machine only, whoever starts it. */
export const HOST = '127.0.0.1'
const BODY_BYTES_MAX = 1024 * 1024

/** In every answer, so that nobody takes it for an ERP that keeps what it is told. */
export const STAND_IN_HEADER = 'x-erp-de-ensaio'

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes > BODY_BYTES_MAX) throw new Error('Larger than MAXSTRINGSIZE')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Who is never answered is hung up on after `silenceMs`, if at all. */
export function send(response: ServerResponse, reply: Reply, silenceMs: number): void {
  const hangUp = () => response.socket?.resetAndDestroy()
  if (reply === 'silence') {
    if (Number.isFinite(silenceMs)) setTimeout(hangUp, silenceMs)
    return
  }
  if (reply === 'reset') {
    hangUp()
    return
  }
  response.writeHead(reply.status, {
    'content-type': reply.contentType,
    'content-length': reply.bytes.length,
    [STAND_IN_HEADER]: '1',
  })
  response.end(reply.bytes)
}

/** The listening side: starts, stops, and can be away for a while like an ERP in its maintenance window. */
export class Listener {
  readonly server: Server
  port: number
  #return: NodeJS.Timeout | undefined

  constructor(server: Server, port: number) {
    this.server = server
    this.port = port
  }

  open(): Promise<void> {
    clearTimeout(this.#return)
    if (this.server.listening) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.server.once('error', reject)
      this.server.listen(this.port, HOST, () => {
        this.server.off('error', reject)
        this.port = (this.server.address() as AddressInfo).port
        resolve()
      })
    })
  }

  /** Connections are refused until the time is over, or until `open`. */
  shut(ms?: number): Promise<void> {
    clearTimeout(this.#return)
    if (ms !== undefined) this.#return = setTimeout(() => void this.open(), ms)
    return new Promise((resolve) => {
      this.server.close(() => resolve())
      this.server.closeAllConnections()
    })
  }
}
