import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { isLoopback, isSameOrigin, isSecure } from './origin.ts'

describe('an address of this very machine', () => {
  test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '::1', '[::1]', '::ffff:127.0.0.1'])('%s', (host) => {
    expect(isLoopback(host)).toBe(true)
  })
  test.each([
    '',
    'localhost.mau.example',
    'mau-localhost',
    '127.0.0.1.mau.example',
    '1127.0.0.1',
    '10.0.0.1',
    '0.0.0.0',
    '::',
    '::ffff:10.0.0.1',
    'painel',
  ])('but not %j', (host) => {
    expect(isLoopback(host)).toBe(false)
  })
})

test.each([
  ['https', 'painel.fabrica', true],
  ['http', 'localhost', true],
  ['http', '127.0.0.1', true],
  ['http', 'painel.fabrica', false],
  ['http', '10.0.0.7', false],
] as const)('%s at %s: secure %s', (protocol, hostname, secure) => {
  expect(isSecure({ protocol, hostname } as FastifyRequest)).toBe(secure)
})

type Sent = { site?: string; mode?: string; origin?: string; host?: string; method?: string; protocol?: string }

const requestOf = ({ site, mode, origin, host = 'painel:3000', method = 'POST', protocol = 'http' }: Sent) =>
  ({
    method,
    protocol,
    host,
    headers: {
      ...(site === undefined ? {} : { 'sec-fetch-site': site }),
      ...(mode === undefined ? {} : { 'sec-fetch-mode': mode }),
      ...(origin === undefined ? {} : { origin }),
    },
  }) as unknown as FastifyRequest

const own: [why: string, sent: Sent][] = [
  ['the browser says so', { site: 'same-origin' }],
  ['the browser says so, whatever a proxy made of the host', { site: 'same-origin', origin: 'https://fora.example' }],
  ['typed into the address line', { site: 'none', mode: 'navigate' }],
  ['an older browser names us', { origin: 'http://painel:3000' }],
  ['in another case', { origin: 'http://painel:3000', host: 'PAINEL:3000' }],
  ['a proxy wrote out the default port of TLS', { origin: 'https://painel', host: 'painel:443', protocol: 'https' }],
  ['a proxy wrote out the default port', { origin: 'http://painel', host: 'painel:80' }],
  ['a read over plain HTTP, of which browsers say nothing', { method: 'GET' }],
]
const foreign: [why: string, sent: Sent][] = [
  ['another site', { site: 'cross-site' }],
  ['a neighbour of the same site', { site: 'same-site' }],
  ['another site that claims our origin', { site: 'cross-site', origin: 'http://painel:3000' }],
  ['another site that navigates here', { site: 'cross-site', mode: 'navigate' }],
  ['no page at all', { site: 'none', mode: 'cors' }],
  ['an empty word', { site: '' }],
  ['another host', { origin: 'http://mau.example' }],
  ['another port', { origin: 'http://painel:3001' }],
  ['no port where there is one', { origin: 'http://painel' }],
  ['our name in front of theirs', { origin: 'http://painel.mau.example', host: 'painel' }],
  ['our name as their user', { origin: 'http://painel:3000@mau.example' }],
  ['a hidden origin', { origin: 'null' }],
  ['a file', { origin: 'file://', host: '' }],
  ['an origin that is none', { origin: '' }],
  ['a host that is none', { origin: 'http://painel', host: '%' }],
  ['a change of which nothing is said', { method: 'POST' }],
  ['a read over TLS, of which browsers always say something', { method: 'GET', protocol: 'https' }],
]

describe('a call with our cookie', () => {
  test.each(own)('is ours: %s', (_, sent) => {
    expect(isSameOrigin(requestOf(sent))).toBe(true)
  })
  test.each(foreign)('is not ours: %s', (_, sent) => {
    expect(isSameOrigin(requestOf(sent))).toBe(false)
  })
})
