import { once } from 'node:events'
import { request as ask } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { InjectOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/endpoints.ts'
import { expectRefusal } from '../support/bad-input/refusal.ts'
import { goodOf, requestOf } from '../support/bad-input/requests.ts'
import { addUser, openTestPanel } from '../support/harness.ts'

/** Over a real connection: a test's injection tidies an address up before the server sees it. */
const setUp = async () => {
  const panel = await openTestPanel()
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  await panel.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = panel.app.server.address() as AddressInfo
  const get = async (path: string, headers: Record<string, string> = { authorization: `Bearer ${token}` }) => {
    const sent = ask({ host: '127.0.0.1', port, path, headers }).end()
    const [answer] = await once(sent, 'response')
    return { statusCode: answer.statusCode as number, headers: answer.headers, body: await text(answer) }
  }
  return { ...panel, port, get }
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)

test('another method at a known address is refused, with the methods that it takes', async () => {
  const { app } = await setUp()
  for (const endpoint of endpoints) {
    const { url } = requestOf(endpoint, goodOf(endpoint))
    // '/api/motivos-de-refugo/folha' is an address of '/:id' too
    const [address = ''] = String(url).split('?')
    const there = endpoints.filter(({ path }) => patternOf(path).test(address))
    const known = [...new Set<string>(there.map(({ method }) => method))]
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((one) => !known.includes(one))) {
      const answer = await app.inject({ method, url } as InjectOptions)
      expect(expectRefusal(answer, `${method} ${url}`).code, `${method} ${url}`).toBe('method_not_allowed')
      expect(String(answer.headers.allow).split(', ').toSorted(), address).toEqual(known.toSorted())
    }
  }
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/api/status',
    headers: { origin: 'http://mau.example' },
  })
  expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})

test('an address that is none of ours, or no address at all, is refused in the same shape', async () => {
  const { get } = await setUp()
  const addresses: [address: string, code: string][] = [
    ['/api/desconhecido', 'not_found'],
    ['/api', 'not_found'],
    ['/api?x=1', 'not_found'],
    ['/API/Auth', 'not_found'],
    [`/api/${'x'.repeat(2000)}`, 'not_found'],
    [`/api/miniaplicadores/por-terminal/${'x'.repeat(14_000)}`, 'input_invalid'],
    ['/api/miniaplicadores/por-terminal/%E0%A4%A', 'input_invalid'],
    ['/api/miniaplicadores/por-terminal/%', 'input_invalid'],
    ['/api/miniaplicadores/por-terminal/%00', 'input_invalid'],
    ['/api/maquinas?filial=%E0%A4%A&tipo=cabo', 'unknown_plant'],
    ['/api/maquinas?filial[]=010101', 'input_invalid'],
    ['/api/maquinas?filial=010101&filial=010102', 'input_invalid'],
    ['/api/maquinas?__proto__=1&filial=010101', 'input_invalid'],
    ['/api/../package.json', 'not_found'],
    ['/api/%2e%2e%2fpackage.json', 'not_found'],
    ['//api/status', 'not_found'],
    ['/%2e%2e/package.json', 'not_found'],
    ['/assets/..%2f..%2f..%2fpackage.json', 'not_found'],
    ['/..%5c..%5cpackage.json', 'not_found'],
    ['/assets/%00', 'not_found'],
    ['/assets/x.js', 'not_found'],
    ['/%', 'input_invalid'],
  ]
  for (const [address, code] of addresses) {
    const { code: said, details } = expectRefusal(await get(address), address)
    expect(said, address).toBe(code)
    if (said === 'input_invalid') expect(details, address).not.toEqual([])
  }
})

test('one call has one address in every spelling that the router takes', async () => {
  const { get } = await setUp()
  for (const address of ['/api/STATUS', '/api/status/', '/API/Status/?', 'http://outro.example/api/status']) {
    expect((await get(address)).statusCode, address).toBe(200)
  }
})

describe('what is no proof of who calls is refused like none:', () => {
  test.each([
    'Bearer',
    'Bearer \u00ff\u00fe',
    `Bearer ${'x'.repeat(14_000)}`,
    'Bearer a, Bearer b',
    'Basic %%%',
    'Basic Og==',
    `Basic ${Buffer.from('\u0000:\u0000').toString('base64url')}`,
    'Grant .',
    'Grant e30.e30',
    `Grant ${Buffer.from('null').toString('base64url')}.`,
    'Digest username="a"',
  ])('%s', async (authorization) => {
    const { get } = await setUp()
    const cookie = 'sid=%E0%A4%A; __Host-sid=; device=e30.e30; =; ;;'
    const answer = await get('/api/configuracao', { authorization, cookie })
    expect(['session_missing', 'credentials_invalid']).toContain(expectRefusal(answer, authorization).code)
  })
})

test('what is no HTTP is answered too, without a word of the server', async () => {
  const { port } = await setUp()
  const talk = async (said: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(said)
    return await text(socket)
  }
  const long = `GET /api/status HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`
  for (const said of ['\u0000\u0001\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', long, 'GET /a b HTTP/1.1\r\nhost: x\r\n\r\n']) {
    const [head = '', body = ''] = (await talk(said)).split('\r\n\r\n')
    const [status, ...lines] = head.split('\r\n')
    const headers = Object.fromEntries(lines.map((line) => line.split(': ')))
    expect(status, said.slice(0, 20)).toBe('HTTP/1.1 400 Bad Request')
    const { code } = expectRefusal({ statusCode: 400, headers, body }, said.slice(0, 20))
    expect(code).toBe('request_unreadable')
  }
})
