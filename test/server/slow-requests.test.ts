import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { expectRefusal } from '../support/bad-input/refusal.ts'
import { openTestPanel } from '../support/harness.ts'

const setUp = async () => {
  const { app } = await openTestPanel()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  /** Says this and no more; what comes until the server hangs up. */
  const say = async (...parts: (string | Buffer)[]) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    for (const part of parts) socket.write(part)
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    const [first = '', ...lines] = head.split('\r\n')
    const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(': ')))
    return { statusCode: Number(first.split(' ')[1]), headers, body }
  }
  return { app, say }
}

const HEAD = 'POST /api/auth/login HTTP/1.1\r\nhost: painel\r\ncontent-type: application/json\r\n'

test('whoever dribbles a request in is hung up on, before and after its head', async () => {
  const { app, say } = await setUp()
  expect(app.server.headersTimeout).toBeLessThanOrEqual(10_000)
  expect(app.server.requestTimeout).toBeLessThanOrEqual(30_000)
  app.server.headersTimeout = 50
  app.server.requestTimeout = 50
  const said = [
    HEAD,
    `${HEAD}content-length: 1000\r\n\r\n{"username":`,
    `${HEAD}transfer-encoding: chunked\r\n\r\n1\r\n{`,
  ]
  const answers = await Promise.all(said.map((one) => say(one)))
  for (const [at, answer] of answers.entries()) expectRefusal(answer, said[at] ?? '')
  // A browser opens connections ahead, and would take this for the answer to what it asks there next.
  expect(await say(), 'nothing is said to who has asked nothing').toMatchObject({ statusCode: Number.NaN, body: '' })
})

test('a giant is refused by what it says of itself, or as soon as it has grown too large', async () => {
  const { say } = await setUp()
  const codeOf = async (...said: (string | Buffer)[]) => expectRefusal(await say(...said), 'a giant').code
  const last = `${HEAD}connection: close\r\n`
  expect(await codeOf(`${last}content-length: 999999999999\r\n\r\n`)).toBe('body_too_large')
  // and not a byte more than it takes: a server that hangs up on unread bytes may take its answer back
  const chunk = `10001\r\n${'x'.repeat(0x10001)}\r\n`
  expect(await codeOf(`${last}transfer-encoding: chunked\r\n\r\n`, chunk)).toBe('body_too_large')
  // 60 MB in 60 KB: nothing that is sent is ever unpacked
  const bomb = gzipSync(Buffer.alloc(60_000_000))
  expect(await codeOf(`${last}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`, bomb)).toBe(
    'body_unreadable',
  )
})
