import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

type Answer = { status: number; body: string }

const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * Sends the next request whenever an answer is complete, until `next` gives null. Knows no more of HTTP than both
 * servers speak (every answer has a length): on two cores the load must stay far cheaper than what it measures.
 */
function talk(socket: Socket, next: () => Buffer | null, answered: (status: number, bytes: () => Buffer) => void) {
  return new Promise<void>((resolve, reject) => {
    let chunks: Buffer[] = []
    let missing = 0
    const send = () => {
      const request = next()
      if (request) return void socket.write(request)
      socket.destroy()
      resolve()
    }
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the server closed the connection')))
    socket.on('data', (chunk: Buffer) => {
      if (chunks.length === 0) {
        const headEnd = chunk.indexOf(HEAD_END)
        const head = chunk.toString('latin1', 0, headEnd)
        const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
        if (headEnd < 0 || length === undefined) return void reject(new Error(`an answer without a length:\n${head}`))
        missing = headEnd + HEAD_END.length + Number(length)
      }
      chunks.push(chunk)
      missing -= chunk.length
      if (missing > 0) return
      const whole = chunks
      chunks = []
      answered(Number(whole[0]?.toString('latin1', 9, 12)), () => Buffer.concat(whole))
      send()
    })
    send()
  })
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  await once(socket, 'connect')
  return socket
}

export async function ask(port: number, request: Buffer): Promise<Answer> {
  let left: Buffer | null = request
  let answer: Answer | null = null
  const next = () => {
    const now = left
    left = null
    return now
  }
  await talk(await open(port), next, (status, bytes) => {
    const whole = bytes()
    answer = { status, body: whole.subarray(whole.indexOf(HEAD_END) + HEAD_END.length).toString('utf8') }
  })
  if (!answer) throw new Error('no answer')
  return answer
}

type Load = { port: number; connections: number; forMs: number; status: number; next: () => Buffer }

/** How many were answered with `status`, and in what time; any other answer ends the run. */
export async function measure({ port, connections, forMs, status, next }: Load) {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  let answers = 0
  const begunAt = performance.now()
  const endAt = begunAt + forMs
  const nextInTime = () => (performance.now() < endAt ? next() : null)
  const count = (found: number, bytes: () => Buffer) => {
    if (found !== status) throw new Error(`answered ${found} in place of ${status}:\n${bytes().toString('utf8')}`)
    answers++
  }
  await Promise.all(sockets.map((socket) => talk(socket, nextInTime, count)))
  return { answers, tookMs: performance.now() - begunAt }
}
