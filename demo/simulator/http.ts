import type { IncomingMessage, ServerResponse } from 'node:http'
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
