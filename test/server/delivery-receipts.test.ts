import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/endpoints.ts'
import { junctions } from '../../src/contract/junctions.ts'
import { maintenanceCalls } from '../../src/contract/maintenance-calls.ts'
import { measurements } from '../../src/contract/measurements.ts'
import { receipts } from '../../src/contract/receipts.ts'
import { type Capture, type CutCrimpRecording, recordings } from '../../src/contract/recordings.ts'
import { scraps } from '../../src/contract/scraps.ts'
import { listUndecided } from '../../src/server/store/epoch-witnesses.ts'
import { callOf, crimpOf, databases, joinOf, measurementOf, scrapOf, UNTOUCHED } from '../support/harness.ts'
import { browserOf, grantOf, pairOf, sameOrigin, sessionOf } from '../support/visitor.ts'
import { setUp as setUpWaiting } from '../support/waiting.ts'

const setUp = async (options: Parameters<typeof setUpWaiting>[0] = {}) => {
  const panel = await setUpWaiting(options)
  const { app, db, tablet } = panel
  const post = (headers: Record<string, string>, payload: CutCrimpRecording, id: string, captura: Capture = {}) =>
    app.inject({
      method: 'POST',
      url: '/api/apontamentos/corte-crimpagem',
      headers: { ...headers, 'idempotency-key': id },
      payload: { ...payload, captura: { salvoNoDispositivo: true, ...captura } },
    })
  const cookies = `__Host-sid=${tablet.cookie}; __Host-device=${tablet.device}`
  const session = { ...sameOrigin, authorization: `Bearer ${tablet.token}`, cookie: cookies }
  const under = (receipt: string, device: string | null = tablet.device) => ({
    authorization: `Receipt ${receipt}`,
    ...(device === null ? {} : { cookie: `__Host-device=${device}` }),
  })
  /** As a backup does that is put back: neither what was done since nor its epoch. */
  const forget = (epoch: string | null) =>
    db.transaction(async (tx) => {
      for (const table of ['recordings', 'erp_outbox', 'crimp_ledger', 'daily_production'] as const)
        await tx.deleteFrom(table).execute()
      await tx.updateTable('applicator_units').set({ crimps: 0, lifetime_crimps: 0 }).execute()
      if (epoch !== null) await tx.updateTable('settings').set({ value: epoch }).where('name', '=', 'epoch').execute()
    })
  const accepted = async (payload: CutCrimpRecording, id: string) =>
    (await post(session, payload, id)).json<{ recibo: string }>().recibo
  return { ...panel, post, session, under, forget, accepted }
}

test('what a browser is answered carries a receipt, a program needs none, and what is retained gets none', async () => {
  // the second waits behind the first, which nobody delivers here
  const panel = await setUp({ answerWait: () => AbortSignal.abort() })
  expect(await panel.accepted(crimpOf(1), randomUUID())).toEqual(expect.any(String))
  expect((await panel.record(panel.token, crimpOf(1))).json().recibo).toBeUndefined()
  const retained = await panel.post(grantOf({ ...panel.tablet, device: null }), crimpOf(1), randomUUID())
  expect([retained.json().retido, retained.json().recibo]).toEqual([true, undefined])
})

describe.each(databases)('to a database that went back, on %s,', (database) => {
  test('a receipt offers again what it was given for: beyond the balance, asked about, once at the ERP', async () => {
    const panel = await setUp({ database, simulator: { dedup: false } })
    const id = randomUUID()
    const receipt = await panel.accepted(crimpOf(120), id)
    await panel.deliverAll()
    await browserOf(panel).logout(panel.tablet)
    await panel.forget('outra')
    const again = await panel.post(panel.under(receipt), crimpOf(120), id, { respondidoAntes: true })
    expect([again.statusCode, again.json().status]).toEqual([202, 'pendente'])
    await panel.deliverAll()
    expect([await panel.stateOf(id), await panel.crimps()]).toEqual(['delivered', 120])
    expect(panel.simulator.state.writes).toHaveLength(1)
  })

  test('an earlier answer without its receipt keeps to the rules: whoever claims it is no less careful treated', async () => {
    const panel = await setUp({ database })
    const [shown, claimed, foreign, elsewhere] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    const receipt = await panel.accepted(crimpOf(119), shown)
    const other = pairOf(await browserOf(panel).login('operador'))
    const cookie = `__Host-sid=${other.cookie}; __Host-device=${other.device}`
    const receiptOfOther = await panel.accepted(crimpOf(1), elsewhere)
    await panel.forget('outra')
    const before = { respondidoAntes: true }
    await panel.accepted(crimpOf(2), randomUUID())
    await panel.post({ ...panel.session, 'x-painel-recibo': receipt }, crimpOf(119), shown, before)
    expect(await panel.stateOf(shown), 'reserved beyond the balance').toBe('waiting')
    await panel.post(panel.session, crimpOf(119), claimed, before)
    await panel.post({ ...panel.session, 'x-painel-recibo': receipt }, crimpOf(119), foreign, before)
    const there = { ...sameOrigin, authorization: `Bearer ${other.token}`, cookie, 'x-painel-recibo': receiptOfOther }
    await panel.post(there, crimpOf(1), elsewhere, before)
    expect(await Promise.all([claimed, foreign, elsewhere].map(panel.stateOf))).toEqual(['parked', 'parked', 'parked'])
  })
})

test('a receipt is authority for its own content in its own browser, and for nothing else', async () => {
  const panel = await setUp()
  const id = randomUUID()
  const receipt = await panel.accepted(crimpOf(2), id)
  const other = pairOf(await browserOf(panel).login('outro'))
  await panel.forget('outra')
  const [body = '', mac = ''] = receipt.split('.')
  const forged = Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(body, 'base64url').toString()), id: randomUUID() }),
  ).toString('base64url')
  const tries: [headers: Record<string, string>, payload: CutCrimpRecording, key: string][] = [
    [panel.under(receipt), crimpOf(3), id],
    [panel.under(receipt), crimpOf(2), randomUUID()],
    [panel.under(`${forged}.${mac}`), crimpOf(2), id],
    [{ ...grantOf(panel.tablet), authorization: `Grant ${receipt}` }, crimpOf(2), id],
    [panel.under(String(panel.tablet.deliveryGrant)), crimpOf(2), id],
  ]
  for (const [headers, payload, key] of tries) expect((await panel.post(headers, payload, key)).statusCode).toBe(401)
  for (const { url, method } of [{ url: '/api/pendencias', method: 'GET' }] as const)
    expect((await panel.app.inject({ method, url, headers: panel.under(receipt) })).statusCode).toBe(401)
  expect(await panel.db.read.selectFrom('recordings').select('id').execute()).toEqual([])
  expect((await panel.post(panel.under(receipt, other.device), crimpOf(2), id)).json().retido).toBe(true)
  expect((await panel.post(panel.under(receipt), crimpOf(2), id)).json().retido).toBeUndefined()
  expect(await panel.stateOf(id)).toBe('waiting')
})

describe('what was answered last', () => {
  const name = (
    panel: Awaited<ReturnType<typeof setUp>>,
    receipt: string,
    session: Record<string, string> = panel.session,
  ) =>
    panel.app.inject({
      method: 'POST',
      url: '/api/auth/validate',
      headers: { ...session, 'x-painel-ultimo-recibo': receipt },
    })
  const epochOf = async ({ status }: Awaited<ReturnType<typeof setUp>>) => (await status()).epoch

  test('and is not there under the same epoch is a doubt, and of two tablets proves a fork: a new epoch begins', async () => {
    const panel = await setUp()
    const receipt = await panel.accepted(crimpOf(2), randomUUID())
    const other = pairOf(await browserOf(panel).login('outro'))
    const session = sessionOf(other)
    const ofOther = (await panel.post(session, crimpOf(1), randomUUID())).json<{ recibo: string }>().recibo
    await panel.forget(null)
    for (let more = 0; more < 3; more++) await panel.record(panel.token, crimpOf(1))
    const epoch = await epochOf(panel)
    for (let times = 0; times < 2; times++) expect((await name(panel, receipt)).statusCode, 'refused nothing').toBe(200)
    expect(await epochOf(panel)).toBe(epoch)
    expect((await name(panel, ofOther, session)).statusCode).toBe(503)
    expect(panel.errors.splice(0)).toEqual([expect.stringContaining('younger than what was seen of it')])
    expect(await epochOf(panel)).not.toBe(epoch)
    expect((await name(panel, receipt)).statusCode, 'of an epoch that is over').toBe(200)
  })

  const acts: [what: string, path: string, payload: () => object][] = [
    ['a recording', recordings.createCutCrimp.path, () => crimpOf(1)],
    ['a junction', junctions.record.path, () => joinOf(1)],
    ['a receipt', receipts.confirm.path, () => ({ filial: '010101', codigoBarras: UNTOUCHED })],
    ['scrapped pieces', scraps.create.path, () => scrapOf()],
    ['a sample', measurements.create.path, () => measurementOf()],
    ['a call for maintenance', maintenanceCalls.open.path, () => callOf()],
    ['a call that joined another', maintenanceCalls.open.path, () => callOf()],
  ]

  test('of any kind that a tablet may deliver stands in the list below, and in the one of its tables', () => {
    const delivered = endpoints.filter(({ suffices }) => suffices === 'grant').map(({ path }) => path)
    const missing = delivered.filter((path) => !acts.some(([, known]) => known === path))
    expect(
      missing.map(
        (path) => `${path} is delivered by tablets, and no act of it is looked for by its receipt (act-kinds.ts)`,
      ),
    ).toEqual([])
  })

  test.each(acts)('and is there begins no epoch, be it %s', async (what, url, payload) => {
    const panel = await setUp()
    const give = async () => {
      const headers = { ...panel.session, 'idempotency-key': randomUUID() }
      return (await panel.app.inject({ method: 'POST', url, headers, payload: payload() })).json<{ recibo: string }>()
    }
    if (what === 'a call that joined another') await give()
    const { recibo } = await give()
    expect(recibo).toEqual(expect.any(String))
    const epoch = await epochOf(panel)
    expect((await name(panel, recibo)).statusCode).toBe(200)
    expect(await epochOf(panel)).toBe(epoch)
    expect(await listUndecided(panel.db.read), 'nor a doubt').toEqual([])
  })

  test('and is there, or was answered in another epoch, or is signed by nobody, shows nothing', async () => {
    const panel = await setUp()
    const receipt = await panel.accepted(crimpOf(2), randomUUID())
    const epoch = await epochOf(panel)
    expect((await name(panel, receipt)).statusCode).toBe(200)
    expect((await name(panel, `${receipt}x`)).statusCode).toBe(200)
    await panel.forget('outra')
    expect((await name(panel, receipt)).statusCode).toBe(200)
    expect([epoch === 'outra', await epochOf(panel)]).toEqual([false, 'outra'])
  })
})

describe('without a live session a device delivers', () => {
  test('300 at once and then one a second under a grant; nobody else is held up', async () => {
    const panel = await setUp()
    const other = pairOf(await browserOf(panel).login('outro'))
    const id = randomUUID()
    const repeat = (headers: Record<string, string>) => panel.post(headers, crimpOf(1), id)
    for (let count = 0; count < 300; count++) expect((await repeat(grantOf(panel.tablet))).statusCode).toBeLessThan(203)
    const refused = await repeat(grantOf(panel.tablet))
    expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([
      429,
      'too_many_deliveries',
      '1',
    ])
    expect((await repeat(panel.session)).statusCode, 'a live session').toBeLessThan(203)
    expect((await panel.post(grantOf(other), crimpOf(2), randomUUID())).statusCode, 'another device').toBe(202)
    panel.clock.advance(1000)
    expect((await repeat(grantOf(panel.tablet))).statusCode).toBeLessThan(203)
    expect((await repeat(grantOf(panel.tablet))).statusCode).toBe(429)
  })

  test('ten times as many a minute under receipts', async () => {
    const panel = await setUp()
    const id = randomUUID()
    const receipt = await panel.accepted(crimpOf(1), id)
    const repeat = () => panel.post(panel.under(receipt), crimpOf(1), id)
    for (let count = 0; count < 300; count++) expect((await repeat()).statusCode).toBeLessThan(203)
    expect((await repeat()).statusCode).toBe(429)
    panel.clock.advance(1000)
    for (let count = 0; count < 10; count++) expect((await repeat()).statusCode).toBeLessThan(203)
    expect((await repeat()).statusCode).toBe(429)
  })
})
