import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openProtheus } from '../../src/server/erp/protheus.ts'
import { ErpSettings } from '../../src/server/erp/settings.ts'
import { addUser, openTestPanel } from '../support/harness.ts'

/** An ERP that only listens: what arrives there, byte for byte as it is written in the address and the heads. */
async function openListener() {
  const heard: { path: string; tenant: string; query: URLSearchParams; raw: string }[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://erp')
    const tenant = String(request.headers.tenantid)
    const isToken = pathname === '/rest/api/oauth2/v1/token'
    if (!isToken) heard.push({ path: pathname, tenant, query: searchParams, raw: request.url ?? '' })
    response.setHeader('content-type', 'application/json')
    response.end('{"access_token":"x","expires_in":3600,"items":[],"hasNext":false}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rest`, heard }
}

const probe = `/rest${ErpSettings.parse({}).paths.probe}`

const tricks = [
  '../../api/oauth2/v1/token',
  '..%2f..%2fusers',
  '%2e%2e/',
  'x&filial=020101',
  'x?modo=TODOS#',
  'x;filial=020101',
  'http://mau.example/',
  '@mau.example',
  '\\..\\..',
  'x%0d%0aX-Mau: 1',
  "' OR '1'='1",
  '{id}',
  '+ %20',
  'J 02/A',
  'ﬀ\u2028ç😀',
]

test('whatever is typed arrives at the ERP as the value it is, at the address it is for', async () => {
  const erp = await openListener()
  const { ask, login, context } = await openTestPanel({
    gateway: () => {
      const protheus = openProtheus({
        url: erp.url,
        user: 'painel',
        password: 'painel',
        company: '01',
        maxConcurrent: 2,
        lookup: 'id',
        settings: ErpSettings.parse({}),
        now: Date.now,
        log: { info: () => {}, warn: () => {}, error: () => {} },
      })
      onTestFinished(() => protheus.close())
      return protheus
    },
  })
  await addUser(context, { username: 'operador' })
  const { token } = await login('operador')
  const places = [
    ['items', '/api/apontamentos/itens', { filial: '010101', modo: 'APONTAMENTO' }, 'termo'],
    ['junctions', '/api/juncao/obter-juncoes', { filial: '010101' }, 'numeroOp'],
    ['junctionDetails', '/api/juncao/obter-detalhes', { filial: '010101', numeroOp: '01' }, 'posicao'],
  ] as const
  const paths = Object.values(ErpSettings.parse({}).paths).map((path) => `/rest${path}`)
  const isTaken = async (url: string, query: Record<string, string>) =>
    (await ask(token, { url: `${url}?${new URLSearchParams(query)}` })).statusCode !== 400
  for (const [operation, url, rest, field] of places) {
    // at another plant's, or none's
    for (const trick of tricks) {
      const filial = trick.slice(0, 12)
      expect(await isTaken(url, { ...rest, [field]: '01', filial }), `${operation} ${filial}`).toBe(false)
    }
  }
  expect(erp.heard).toEqual([])
  for (const [operation, url, rest, field] of places) {
    const taken: string[] = []
    for (const trick of tricks) if (await isTaken(url, { ...rest, [field]: trick })) taken.push(trick)
    const values = erp.heard.flatMap(({ path, query }) =>
      path === `/rest${ErpSettings.parse({}).paths[operation]}` ? query.getAll(field) : [],
    )
    expect(taken.length, operation).toBeGreaterThan(tricks.length / 2)
    expect(values, operation).toEqual(expect.arrayContaining(taken))
  }
  for (const { path, tenant, query, raw } of erp.heard) {
    expect(paths, raw).toContain(path)
    expect(tenant, raw).toBe('01,010101')
    if (path !== probe) expect(query.getAll('filial'), raw).toEqual(['010101'])
    expect(raw).toMatch(/^[\x21-\x7e]+$/)
  }
})
