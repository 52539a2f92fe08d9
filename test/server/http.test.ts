import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { badges } from '../../src/contract/badges.ts'
import { containments } from '../../src/contract/containments.ts'
import { documentFiles, documentUploads } from '../../src/contract/documents.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import { firstAccess } from '../../src/contract/first-access.ts'
import { health } from '../../src/contract/health.ts'
import { junctions } from '../../src/contract/junctions.ts'
import { maintenanceCalls } from '../../src/contract/maintenance-calls.ts'
import { measurements } from '../../src/contract/measurements.ts'
import { releases } from '../../src/contract/releases.ts'
import { scraps } from '../../src/contract/scraps.ts'
import { sessions } from '../../src/contract/sessions.ts'
import { Status } from '../../src/contract/settings.ts'
import { stations } from '../../src/contract/stations.ts'
import { UNDECIDED_MS } from '../../src/domain/plant/epochs.ts'
import type { Rows } from '../../src/server/erp/gateway.ts'
import { HANDLER_MS_MAX } from '../../src/server/http/bind.ts'
import { insertApplicator } from '../../src/server/store/applicators.ts'
import { insertPlans } from '../../src/server/store/control-plans.ts'
import { insertWitness } from '../../src/server/store/epoch-witnesses.ts'
import { insertMeasurements } from '../../src/server/store/measurements.ts'
import { insertFinding } from '../../src/server/store/recording-findings.ts'
import { insertSealingStation } from '../../src/server/store/sealing-stations.ts'
import { insertSession } from '../../src/server/store/sessions.ts'
import { findSetting } from '../../src/server/store/settings.ts'
import { ownProgram } from '../../src/server/upkeep/identity.ts'
import { containedLot, goodContainmentId, goodOutsideId } from '../support/bad-input/containment-requests.ts'
import {
  goodActId,
  goodCallIds,
  goodMeasurementId,
  goodOf,
  goodRows,
  goodScrapId,
  isStream,
  nameOf,
  pendingIds,
  pendingJunctionId,
  requestOf,
} from '../support/bad-input/requests.ts'
import {
  addUser,
  callOf,
  cutOf,
  databases,
  joinOf,
  measurementOf,
  NOON_MS,
  ORDER,
  openTestPanel,
  parked,
  scrapOf,
  temporaryFolder,
} from '../support/harness.ts'
import { FIRST_SAMPLE_MS, sampleOf, storeSamples } from '../support/series-samples.ts'
import { root } from '../support/tidy/source.ts'
import { browserOf, pairOf } from '../support/visitor.ts'

const setUp = async (options: Parameters<typeof openTestPanel>[0] = {}) => {
  const panel = await openTestPanel(options)
  await addUser(panel.context, { username: 'operador', role: 'admin' })
  const { token } = await panel.login('operador')
  return { ...panel, token }
}

type Ask = Awaited<ReturnType<typeof setUp>>['ask']
const saveActs = async (ask: Ask, token: string) => {
  await ask(token, requestOf(documentUploads.add, goodOf(documentUploads.add)))
  const headers = { 'idempotency-key': goodScrapId }
  await ask(token, { method: 'POST', url: scraps.create.path, headers, payload: scrapOf() })
  const opening = { headers: { 'idempotency-key': goodContainmentId }, payload: containedLot }
  await ask(token, { method: 'POST', url: containments.open.path, ...opening })
}

describe.each(databases)('answers on %s', (database) => {
  test('are what the contract says, to the last field', async () => {
    const { ask, record, token, db } = await setUp({ database, env: { DOCUMENTS_DIR: temporaryFolder() } })
    for (const id of pendingIds) await record(token, parked(cutOf(1)), id)
    await saveActs(ask, token)
    const payload = { ...joinOf(1, 'J99'), captura: { salvoNoDispositivo: true } }
    const headers = { 'idempotency-key': pendingJunctionId }
    await ask(token, { method: 'POST', url: junctions.record.path, headers, payload })
    for (const [at, id] of goodCallIds.entries()) {
      const payload = callOf({ sintoma: at === 0 ? 'selo-falha' : 'outro' })
      await ask(token, { method: 'POST', url: maintenanceCalls.open.path, headers: { 'idempotency-key': id }, payload })
    }
    const act = { headers: { 'idempotency-key': goodActId }, payload: measurementOf() }
    await ask(token, { method: 'POST', url: measurements.create.path, ...act })
    await db.transaction(async (tx) => {
      const maker = { by: 'Rita Melo', userId: 0, at: NOON_MS }
      await insertPlans(tx, [{ ...goodRows.plan, from: NOON_MS, created: maker }])
      for (const pair of goodRows.pairs) await insertApplicator(tx, { ...pair, at: NOON_MS })
      const once = {
        userId: 1,
        browser: false,
        deviceName: '',
        device: null,
        createdAt: NOON_MS,
        expiresAt: NOON_MS + 60_000,
      }
      await insertSession(tx, { ...once, id: goodRows.sessionId })
      const missing = { kind: 'receipt', device: 'tablet', subject: goodActId, userId: 1 } as const
      await insertWitness(tx, (await findSetting(tx, 'epoch')) ?? '', { ...missing, seenAt: NOON_MS - UNDECIDED_MS })
      for (const station of goodRows.stations) await insertSealingStation(tx, { ...station, at: NOON_MS })
    })
    await storeSamples(db, [[1100]], { act_id: goodMeasurementId })
    await db.transaction(async (tx) => {
      await insertMeasurements(tx, [sampleOf([1300], { act_id: goodOutsideId, verdict: 'fora' })])
      const finding = { finding: 'fora-do-plano', mode: 'observar', reason: '', releaseId: null, at: NOON_MS } as const
      const [recordingId = ''] = pendingIds
      await insertFinding(tx, { ...finding, recordingId, details: { due: [], outside: ['altura'], missing: [] } })
    })
    await storeSamples(
      db,
      Array.from({ length: 12 }, (_, at) => [1100 + (at % 5)]),
      { measured_at: FIRST_SAMPLE_MS + 3_600_000 },
    )
    // leaving comes last: after it nothing is answered
    const order = endpoints.toSorted((a, b) => Number(a.path.endsWith('/logout')) - Number(b.path.endsWith('/logout')))
    // a document's file has the type that was sent and may be kept: its own tests look at it
    // badges and stations need the secret of a device, a PIN and a release the password that was just changed: so do theirs
    const elsewhere: readonly Endpoint[] = [
      documentFiles.get,
      // nobody has entered a panel before that
      firstAccess.begin,
      badges.enter,
      badges.setOwnPin,
      stations.enrol,
      stations.remove,
      releases.give,
      // this panel has no directory
      health.tryDirectory,
      // its secret is signed
      sessions.leave,
    ]
    for (const endpoint of order.filter((one) => !isStream(one) && !elsewhere.includes(one))) {
      const answer = await ask(token, requestOf(endpoint, goodOf(endpoint)))
      const name = nameOf(endpoint)
      expect(endpoint.statuses ?? [200], `${name}: ${answer.body}`).toContain(answer.statusCode)
      const reply = endpoint.file ? answer.body : answer.json()
      expect(endpoint.reply.safeParse(reply), name).toMatchObject({ success: true, data: reply })
      expect(answer.headers['content-type'], name).toBe(endpoint.file ?? 'application/json; charset=utf-8')
      expect(answer.headers['cache-control'], name).toBe('no-store')
    }
  })
})

describe('what a browser is told with every answer', () => {
  const script = readdirSync(join(root, 'dist/web/assets')).find((name) => name.endsWith('.js')) ?? ''
  const addresses: [address: string, status: number, cache: string][] = [
    ['/', 200, 'no-cache'],
    ['/index.html', 200, 'no-cache'],
    ['/apontamento/corte-crimpagem', 200, 'no-cache'],
    [`/assets/${script}`, 200, 'public, max-age=31536000, immutable'],
    ['/assets/index-velho.js', 404, 'no-store'],
    ['/sw.js', 200, 'no-cache'],
    ['/manifest.webmanifest', 200, 'no-cache'],
    ['/icons/icon-512.png', 200, 'no-cache'],
    ['/api/status', 200, 'no-store'],
    ['/api/configuracao', 401, 'no-store'],
    ['/api/desconhecido', 404, 'no-store'],
    ['/%', 400, 'no-store'],
    ['/docs', 302, 'no-store'],
    ['/docs/estilo.css', 200, 'no-store'],
    ['/docs/notas', 302, 'no-store'],
    ['/health', 200, 'no-store'],
    ['/ready', 200, 'no-store'],
  ]

  test('a screen comes with the names of its files (built by `npm test`)', async () => {
    const { app } = await openTestPanel()
    const linksOf = async (url: string) => String((await app.inject({ url })).headers.link ?? '')
    const links = await linksOf('/pages/item-edit?de=lista')
    expect(links).toMatch(/^<\/assets\/index-[\w-]+\.css>; rel=preload; as=style; crossorigin, </)
    expect(links).toMatch(/<\/assets\/ItemEditScreen-[\w-]+\.js>; rel=modulepreload/)
    const [first = '', ...panel] = [...links.matchAll(/<([^<>]+)>; rel=modulepreload/g)].map(([, path = '']) => path)
    // what can work while the rest is on its way
    expect(first).toMatch(/\/index-/)
    const weights: number[] = []
    for (const path of panel) {
      const { statusCode, rawPayload } = await app.inject({ url: path })
      expect(statusCode, path).toBe(200)
      weights.push(rawPayload.length)
    }
    // the line is never idle while the many small ones are asked for
    expect(weights[0]).toBe(Math.max(...weights))
    expect(weights.at(-1)).toBe(Math.min(...weights))
    expect(await linksOf('/pages/desconhecida')).toBe('')
  })

  test.each(addresses)('%s (built by `npm test`)', async (url, status, cache) => {
    const { app } = await openTestPanel()
    const { statusCode, headers } = await app.inject({ url })
    expect([statusCode, headers['cache-control']]).toEqual([status, cache])
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-painel-vivo': '15',
    })
    const policy = new Map(
      String(headers['content-security-policy'])
        .split(/; */)
        .map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]),
    )
    expect(policy.get('default-src')).toEqual(["'none'"])
    expect(policy.get('script-src')).toEqual(["'self'"])
    expect(policy.get('connect-src')).toEqual(["'self'"])
    for (const rule of ['base-uri', 'frame-ancestors', 'form-action', 'object-src']) {
      expect(policy.get(rule) ?? policy.get('default-src'), rule).not.toContain('*')
    }
    expect([...policy.values()].flat().filter((source) => /unsafe|https?:|\*/.test(source))).toEqual([])
    expect(headers).not.toHaveProperty('server')
    expect(headers).not.toHaveProperty('x-powered-by')
  })

  test.each(['/', '/pages/dashboard', `/assets/${script}`, '/sw.js', '/licencas.txt'])(
    '%s travels compressed (built by `npm test`)',
    async (url) => {
      const { app } = await openTestPanel()
      const ask = (encoding: string) => app.inject({ url, headers: { 'accept-encoding': encoding } })
      const plain = await ask('identity')
      expect(plain.headers).not.toHaveProperty('content-encoding')
      for (const [accepted, encoding, unpack] of [
        ['gzip, deflate', 'gzip', gunzipSync],
        ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ] as const) {
        const { rawPayload, headers } = await ask(accepted)
        const { 'content-type': type, 'cache-control': cache } = plain.headers
        expect(headers).toMatchObject({ 'content-encoding': encoding, 'content-type': type, 'cache-control': cache })
        expect(headers.vary).toMatch(/accept-encoding/i)
        expect(unpack(rawPayload).equals(plain.rawPayload)).toBe(true)
      }
    },
  )

  test('to insist on TLS, but only where it came over TLS', async () => {
    const { app } = await openTestPanel({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
    const insists = async (url: string, headers: Record<string, string>) =>
      (await app.inject({ url, headers })).headers['strict-transport-security']
    for (const url of ['/', '/api/status', '/api/desconhecido']) {
      expect(await insists(url, { 'x-forwarded-proto': 'https' }), url).toBe('max-age=31536000')
      expect(await insists(url, {}), url).toBeUndefined()
    }
  })
})

describe('the page at /docs', () => {
  test('shows every call, without script and without anything from elsewhere', async () => {
    const panel = await setUp()
    const browser = browserOf(panel)
    const pair = pairOf(await browser.login('operador'))
    const { body, headers } = await browser.ask(pair, { url: '/docs' })
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    for (const { path, summary } of endpoints) {
      expect(body).toContain(path)
      expect(body).toContain(summary)
    }
    expect(body).not.toMatch(/<script|<style|<iframe|<img|\son\w+=|\sstyle=|javascript:|https?:\/\/|url\(/i)
    const linked = [...body.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, address = '']) => address)
    expect(linked).toEqual(['/docs/estilo.css', '/docs/openapi.json'])
    for (const url of linked) expect((await browser.ask(pair, { url })).statusCode, url).toBe(200)
    expect((await browser.ask(pair, { url: '/docs/estilo.css' })).body).not.toMatch(/@import|url\(/i)
    const notes = await browser.ask(pair, { url: '/docs/notas' })
    expect(notes.headers['content-type']).toBe('text/plain; charset=utf-8')
    const { version, day } = ownProgram()
    expect(notes.body).toMatch(new RegExp(`^Painel Industrial ${version}\nCommit: .+\nDia: ${day}\n\n## `))
    // what is installed, and nothing of the releases before
    expect(notes.body.match(/^## \d\S+/gm)).toEqual([`## ${version.split('-')[0]}`])
    expect(notes.body).not.toContain('Unreleased')
  })

  test('is for members only', async () => {
    const { app } = await setUp()
    const { statusCode, headers, body } = await app.inject({ url: '/docs' })
    expect([statusCode, headers.location, body]).toEqual([302, '/auth/login', ''])
    const toProgram = await app.inject({ url: '/docs/openapi.json' })
    expect([toProgram.statusCode, toProgram.json().code]).toEqual([401, 'session_missing'])
  })

  test('names a document that a program opens as it calls the API: by its token, as Bearer or Basic', async () => {
    const { app, token } = await setUp()
    const basic = Buffer.from(`operador:${token}`).toString('base64')
    for (const authorization of [`Bearer ${token}`, `Basic ${basic}`]) {
      const answer = await app.inject({ url: '/docs/openapi.json', headers: { authorization } })
      expect([answer.statusCode, answer.json().openapi], authorization).toEqual([200, '3.0.3'])
    }
  })
})

test('what takes too long is answered as too busy, and its late end harms nobody', async () => {
  let requested = () => {}
  let answer = () => {}
  const isRequested = new Promise<void>((resolve) => {
    requested = resolve
  })
  const answers = new Promise<Rows<never>>((resolve) => {
    answer = () => resolve({ rows: [], unusable: [] })
  })
  const searchItems = async () => {
    requested()
    return await answers
  }
  const { ask, token, errors } = await setUp({ gateway: (erp) => ({ ...erp, searchItems }) })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const late = ask(token, { url: `/api/apontamentos/itens?filial=010101&termo=${ORDER}&modo=APONTAMENTO` })
  await isRequested
  vi.advanceTimersByTime(HANDLER_MS_MAX)
  const { statusCode, body } = await late
  expect([statusCode, JSON.parse(body)]).toEqual([503, expect.objectContaining({ code: 'overloaded' })])
  expect(errors.splice(0)).toEqual([expect.stringContaining('a handler took too long')])
  answer()
})

test('what is refused before anything is waited for has not taken too long', async () => {
  const { ask, token, errors } = await setUp()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const payload = { miniaplicator: 'MA-0002', limitOfCrimps: 5000 }
  const { statusCode } = await ask(token, { method: 'PUT', url: '/api/crimpagens/MA-0001/limit', payload })
  expect(statusCode).toBe(400)
  vi.advanceTimersByTime(HANDLER_MS_MAX)
  expect(errors).toEqual([])
})

describe('whether the server works', () => {
  test('is told to the machine that watches it, and to the screen', async () => {
    const { app, db, context } = await openTestPanel()
    await context.erp.probe()
    const see = async (url: string) => {
      const answer = await app.inject({ url })
      return [answer.statusCode, answer.json()]
    }
    const indicators = {
      api: 'online',
      database: 'sqlite',
      erp: 'online',
      erpStandIn: true,
      erpAccess: 'ok',
      pending: 0,
      needPerson: 0,
      version: ownProgram().version,
      versionDay: ownProgram().day,
      epoch: await findSetting(db.read, 'epoch'),
      waitingSince: null,
      coveredUntil: null,
      erpConfigured: true,
    }
    expect(await see('/health')).toEqual([200, { status: 'ok' }])
    expect(await see('/ready')).toEqual([200, { ready: true, database: 'online', ...ownProgram() }])
    expect(await see('/api/status')).toEqual([200, indicators])
    await db.close()
    expect(await see('/health')).toEqual([200, { status: 'ok' }])
    expect(await see('/ready')).toEqual([503, { ready: false, database: 'offline', ...ownProgram() }])
    expect(await see('/api/status')).toEqual([200, { ...indicators, database: 'offline', epoch: null }])
    expect(Status.safeParse((await see('/api/status'))[1]).success).toBe(true)
  })
})
