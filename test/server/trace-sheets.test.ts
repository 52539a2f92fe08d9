import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Verdict } from '../../src/contract/measurements.ts'
import type { Trace } from '../../src/contract/traces.ts'
import { insertPlans } from '../../src/server/store/control-plans.ts'
import { addUser, type Database, databases, NOON_MS, openTestPanel } from '../support/harness.ts'
import { sampleRow } from '../support/series-samples.ts'
import { SOON } from '../support/slowness.ts'
import { itemOf, keepItem } from '../support/store.ts'
import { browserOf, pairOf } from '../support/visitor.ts'

const BARCODE = '0101621401001000010007'
const OTHER = '010162140100100005000H'
const LOT = 'L261118004'

type Panel = Awaited<ReturnType<typeof openTestPanel>>

/** Straight into the table: how a recording gets there is not what is tested here. */
async function insertCrimps(db: Panel['db'], count: number, with_: Partial<Record<string, string>> = {}) {
  const { lot = LOT, machine = 'KX0001 - Komax', applicator = 'MA-0001', operator = 'Maria Souza' } = with_
  const { barcode = BARCODE, capture = JSON.stringify({ medidoForca: true, medidoAltura: false }) } = with_
  const payload = { TERM_LD1: 'T1326030', FORCA_LD1: 70, ALTURA_LD1: 1.1, LOTE_TERM_LD1: lot, MA_LD1: applicator }
  const rows = Array.from({ length: count }, (_, n) => ({
    id: randomUUID(),
    content_hash: 'x',
    state: 'delivered' as const,
    promised: 1,
    counted: 1,
    part: 'l1' as const,
    branch: '010101',
    barcode,
    position: '',
    order_number: '01621401001',
    pieces: 2,
    machine,
    lot,
    terminal: 'T1326030',
    unit_key: applicator.toLowerCase(),
    payload_json: JSON.stringify({ ...payload, SELO_LD1: 'S0963244', SELADORA_LD1: 'Seladora 01' }),
    capture_json: capture,
    user_id: 1,
    operator,
    erp_message: null,
    superseded_by: null,
    // ten at each instant
    recorded_at: NOON_MS - Math.floor(n / 10) * 1000,
    received_at: NOON_MS,
    production_day: '2026-11-21',
    gauge_milli: 500,
  }))
  for (let at = 0; at < count; at += 500) {
    await db.transaction((tx) =>
      tx
        .insertInto('recordings')
        .values(rows.slice(at, at + 500))
        .execute(),
    )
  }
  return rows
}

async function setUp(database: Database, env: Record<string, string> = {}) {
  const panel = await openTestPanel({ database, env })
  await addUser(panel.context, { username: 'maria', fullName: 'Maria Souza' })
  const { token } = await panel.login('maria')
  const url = (what: 'csv' | 'folha', termo: string, tipo = 'lote') =>
    `/api/rastreabilidade/${what}?${new URLSearchParams({ termo, tipo })}`
  const ask = (what: 'csv' | 'folha', termo: string, tipo?: string) => panel.ask(token, { url: url(what, termo, tipo) })
  /** Over a real connection, whose reader decides when to read. */
  const open = async (path: string): Promise<IncomingMessage> => {
    if (!panel.app.server.listening) await panel.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = panel.app.server.address() as AddressInfo
    const headers = { authorization: `Bearer ${token}` }
    const request = get({ host: '127.0.0.1', port, path, headers, agent: false })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    onTestFinished(() => void response.destroy())
    return response
  }
  const connections = () =>
    new Promise<number>((resolve) => panel.app.server.getConnections((_, count) => resolve(count)))
  return { ...panel, token, url, get: ask, open, connections }
}

const COUNT = 5000
const END = 'Fim da folha: 5.000 apontamentos'

describe.each(databases)('the containment sheet on %s', (database) => {
  test('says what was traced, for whom, where and when, and every recording with all that went into it', async () => {
    const panel = await setUp(database, { SITE_NAME: 'Chicotes & Cia' })
    await keepItem(panel.db, { ...itemOf(BARCODE, 500), Z1_RMINL1: 71, Z1_DECAL1: 1.1234 })
    await insertCrimps(panel.db, 1)
    const { statusCode, headers, body } = await panel.get('folha', LOT)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(body).toMatch(/^<!doctype html>\n<html lang="pt-BR">\n<head>.*<title>Folha de contenção<\/title>/)
    for (const said of [
      'Painel Industrial · Chicotes &amp; Cia',
      `<dt>Lote</dt><dd>${LOT}</dd>`,
      '<dt>Filiais</dt><dd>010101 Unidade 1</dd>',
      '<dt>Solicitada por</dt><dd>Maria Souza</dd>',
      '<dt>Data e hora</dt><dd>21/11/2026 12:00:00</dd>',
      '<dt>Apontamentos</dt><dd>1 apontamento</dd>',
      '<dt>Itens</dt><dd>1 item</dd>',
      '<dt>Ordens</dt><dd>1 ordem</dd>',
      '<dt>Peças apontadas</dt><dd>2 peças</dd>',
      '<th scope="col">Força (N)</th>',
      '<span>01621401001</span><span>000010</span>',
      ...[BARCODE, LOT, 'T1326030', 'S0963244', 'Seladora 01', 'MA-0001', 'KX0001 - Komax', 'Terminal Lado 1'].map(
        (value) => `<span>${value}</span>`,
      ),
      '<td><span>70</span><span>medido</span><span>mín. 71</span><span class="unmeasured">fora do mínimo</span></td>',
      '<td class="whole"><span>1,10</span><span class="unmeasured">não medido</span><span>nominal 1,1234</span></td><td class="whole"><span>0,50</span></td><td></td></tr>',
      '<th scope="col">Responsável</th><th scope="col">Disposição</th><th scope="col">Data</th>',
    ]) {
      expect(body).toContain(said)
    }
    expect(body).toMatch(/<p id="fim">Fim da folha: 1 apontamento<\/p>\n<\/body>\n<\/html>\n$/)
    expect(body).not.toContain('Houve mudanças')
  })

  test('has 5,000 lines, each once, newest first, and so has its file', async () => {
    const panel = await setUp(database)
    const rows = await insertCrimps(panel.db, COUNT)
    const sheet = await text(await panel.open(panel.url('folha', 'ma-0001', 'miniaplicador')))
    expect(sheet.match(/<td class="number">/g)).toHaveLength(COUNT)
    expect(sheet.slice(-200)).toContain(END)
    const csv = await text(await panel.open(panel.url('csv', 'KX0001', 'maquina')))
    const [head, ...lines] = csv.trimEnd().split('\r\n')
    expect(head).toMatch(/^Data e hora;Etapa;/)
    const wanted = rows.toSorted((one, other) => other.recorded_at - one.recorded_at || (other.id < one.id ? -1 : 1))
    expect(lines.map((line) => line.split(';').at(-8))).toEqual(wanted.map(({ id }) => id))
  })
})

describe('the containment sheet', () => {
  test('of a filter has what passes it, says so in its head, and so does its file', async () => {
    const panel = await setUp('sqlite')
    await insertCrimps(panel.db, 3)
    await insertCrimps(panel.db, 1, { barcode: OTHER, capture: '{"medidoForca":true,"medidoAltura":true}' })
    await keepItem(panel.db, { ...itemOf(OTHER, 500), Z1_RMINL1: 70.5 })
    for (const [filter, label, count] of [
      ['fora-do-minimo', 'Fora do mínimo', 1],
      ['nao-medido', 'Não medido', 3],
    ] as const) {
      const sheet = await panel.ask(panel.token, { url: `${panel.url('folha', LOT)}&filtro=${filter}` })
      expect(sheet.body).toContain(`<dt>Somente</dt><dd>${label}</dd>`)
      expect(sheet.body.match(/<td class="number">/g)).toHaveLength(count)
      expect(sheet.body, 'head and end count the same').not.toContain('Houve mudanças')
      const file = await panel.ask(panel.token, { url: `${panel.url('csv', LOT)}&filtro=${filter}` })
      expect(file.body.trimEnd().split('\r\n').slice(1)).toHaveLength(count)
      expect(file.headers['content-disposition']).toContain(`rastreabilidade_lote_${LOT}_${filter}_2026-11-21.csv`)
    }
  })

  test('that breaks off does not look complete', async () => {
    const panel = await setUp('sqlite')
    // more than the buffers between the two ends hold
    await insertCrimps(panel.db, 4 * COUNT)
    for (const what of ['folha', 'csv'] as const) {
      const response = await panel.open(panel.url(what, LOT))
      await sql`alter table recordings rename to gone`.execute(panel.db.read)
      let read = ''
      response.setEncoding('utf8').on('data', (more: string) => {
        read += more
      })
      const [error] = await once(response, 'error')
      expect(error).toMatchObject({ code: 'ECONNRESET' })
      expect(read.includes(what === 'folha' ? 'Folha incompleta' : 'Data e hora')).toBe(true)
      expect(read.includes('Fim da folha')).toBe(false)
      await sql`alter table gone rename to recordings`.execute(panel.db.read)
    }
  })
})

/** Of what a recording measured itself, or of a sample that it names. */
async function insertSample(db: Panel['db'], recording: string, isOwn: boolean, valores: number[], verdict: Verdict) {
  const row = sampleRow({ recording_id: isOwn ? recording : null, readings_json: JSON.stringify(valores), verdict })
  await db.transaction(async (tx) => {
    await tx.insertInto('measurements').values(row).execute()
    const link = { recording_id: recording, act_id: row.act_id }
    if (!isOwn) await tx.insertInto('recording_measurements').values(link).execute()
  })
}

test('a trace says what was measured against its plan, of its own value and of the samples that it names', async () => {
  const panel = await setUp('sqlite')
  const { db } = panel
  const altura = { nominal: 1100, menos: 50, mais: 50 }
  const plan = { terminal: 'T1326030', bitola: 500, altura, leiturasAltura: 3, leiturasForca: 3, ultimaPeca: false }
  await db.transaction((tx) => insertPlans(tx, [{ plan, version: 3, from: NOON_MS }]))
  const [bad, good] = (await insertCrimps(db, 3)).map(({ id }) => id)
  await insertSample(db, bad ?? '', false, [1100, 1170], 'fora')
  await insertSample(db, bad ?? '', true, [1100], 'dentro')
  await insertSample(db, good ?? '', true, [1110], 'dentro')
  const url = `/api/rastreabilidade?${new URLSearchParams({ termo: LOT, filtro: 'fora-do-plano' })}`
  const { linhas } = (await panel.ask(panel.token, { url })).json<Trace>()
  const inForce = { caracteristica: 'altura', exigido: 'Altura 1,050 a 1,150', plano: 3 }
  expect(linhas.map(({ id, medicoes }) => [id, medicoes])).toEqual([
    [
      bad,
      [
        { ...inForce, medido: 'Altura 1,100 / 1,170 (fora)', fora: true },
        { ...inForce, medido: 'Altura 1,100', fora: false },
      ],
    ],
  ])
  const [head = '', ...lines] = (await panel.get('csv', LOT)).body.trimEnd().split('\r\n')
  expect(head.split(';').slice(-6)).toEqual([
    'Medições',
    'Limites do plano',
    'Veredito do plano',
    'Versão do plano',
    'Refugo da etapa',
    'Contenção',
  ])
  const limits = '"Altura 1,050 a 1,150"'
  expect(lines.map((line) => line.split(';').slice(-6, -2)).toSorted()).toEqual(
    [
      ['"Altura 1,100 / 1,170 (fora) · Altura 1,100"', limits, 'fora do plano', 'v3'],
      ['"Altura 1,110"', limits, 'dentro do plano', 'v3'],
      ['', '', '', ''],
    ].toSorted(),
  )
  const { body } = await panel.get('folha', LOT)
  expect(body).toContain(
    '<td><span class="unmeasured">fora do plano v3</span><span>Altura 1,100 / 1,170 (fora)</span><span>Altura 1,050 a 1,150</span></td></tr>',
  )
  expect(body).toContain('<td><span>dentro do plano v3</span></td></tr>')
})

const nasty = `<script>alert(1)</script>'"&amp;<img src=x onerror=alert(1)>`

test('nothing that somebody typed is markup', async () => {
  const panel = await setUp('sqlite')
  const stored = { lot: nasty, machine: nasty, applicator: nasty, operator: nasty }
  await insertCrimps(panel.db, 1, stored)
  const { body } = await panel.get('folha', nasty)
  const escaped = '&lt;script&gt;alert(1)&lt;/script&gt;&#39;&quot;&amp;amp;&lt;img src=x onerror=alert(1)&gt;'
  // the term, the lot, the machine, the tool and the operator
  expect(body.split(escaped)).toHaveLength(6)
  expect(body).not.toMatch(/<script|<img/)
  expect(body).toContain('Fim da folha: 1 apontamento')
})

test('it may have its own style and no more, and be framed by our own pages alone', async () => {
  const panel = await setUp('sqlite')
  const { headers, body } = await panel.get('folha', LOT)
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(body) ?? []
  const sha256 = createHash('sha256').update(style).digest('base64')
  expect(headers).toMatchObject({ 'x-frame-options': 'SAMEORIGIN', 'cache-control': 'no-store' })
  expect(String(headers['content-security-policy']).split('; ')).toEqual([
    "default-src 'none'",
    `style-src 'sha256-${sha256}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
  ])
  expect(body).not.toMatch(/<script|\sstyle=|\son\w+=|https?:|<link/)
  // of nothing there is a sheet as well
  expect(body).toContain('Fim da folha: 0 apontamentos')
  const file = await panel.get('csv', LOT)
  expect(file.headers).toMatchObject({ 'x-frame-options': 'DENY', 'content-type': 'text/csv; charset=utf-8' })
})

test('the name of the file is no path and no header, whatever the term', async () => {
  const panel = await setUp('sqlite')
  const { headers } = await panel.get('csv', '../../a"; filename=b.exe', 'maquina')
  const name = 'rastreabilidade_maquina_a-filename-b-exe_2026-11-21.csv'
  expect(headers['content-disposition']).toBe(`attachment; filename="${name}"`)
})

test('a file for spreadsheets keeps the digits of its codes', async () => {
  const panel = await setUp('sqlite')
  await insertCrimps(panel.db, 1, { lot: '=1+1;x', machine: '007' })
  const { body } = await panel.get('csv', '=1+1;x')
  const [head, line = ''] = body.split('\r\n')
  expect(head).toMatch(/^\uFEFFData e hora;Etapa;/)
  expect(line.split(';').slice(0, -8)).toEqual([
    '21/11/2026 12:00:00',
    'Terminal Lado 1',
    'Entregue ao ERP',
    '"=""010101"""',
    '"=""01621401001"""',
    '',
    `"=""${BARCODE}"""`,
    '',
    '2',
    '"=""T1326030"""',
    `"=""'=1+1,x"""`,
    '"=""S0963244"""',
    '"=""Seladora 01"""',
    '"=""MA-0001"""',
    '"=""007"""',
    '"Maria Souza"',
    '70',
    'medido',
    '-',
    '1,10',
    'não medido',
    '-',
    '',
  ])
})

test('the cookie alone opens both, from our own page; a stranger gets nothing', async () => {
  const panel = await setUp('sqlite')
  const { cookie } = pairOf(await browserOf(panel).login('maria'))
  const headers = { cookie: `__Host-sid=${cookie}`, 'sec-fetch-site': 'same-origin' }
  for (const url of [panel.url('csv', LOT), panel.url('folha', LOT)]) {
    expect((await panel.app.inject({ url, headers })).statusCode).toBe(200)
    expect((await panel.app.inject({ url })).statusCode).toBe(401)
    const elsewhere = { ...headers, 'sec-fetch-site': 'cross-site' }
    expect((await panel.app.inject({ url, headers: elsewhere })).statusCode).toBe(401)
  }
})

test('a reader that hangs up, or takes nothing more, ends the reading', async () => {
  const panel = await setUp('sqlite')
  await insertCrimps(panel.db, 4 * COUNT)
  const left = await panel.open(panel.url('folha', LOT))
  left.destroy()
  await vi.waitFor(async () => expect(await panel.connections()).toBe(0), SOON)
  // as after the minute that a connection may be still; the answer begins in less
  panel.app.server.setTimeout(2000)
  await panel.open(panel.url('folha', LOT))
  await vi.waitFor(async () => expect(await panel.connections()).toBe(0), SOON)
})
