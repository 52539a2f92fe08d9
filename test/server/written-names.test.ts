import { expect, test } from 'vitest'
import type { ErrorReply } from '../../src/contract/errors.ts'
import { DIRECTION_MARKS_REFUSED } from '../../src/contract/names.ts'
import { insertApplicator } from '../../src/server/store/applicators.ts'
import { insertInstrument } from '../../src/server/store/instruments.ts'
import { addUser, NOON_MS, openTestPanel } from '../support/harness.ts'
import { openDocumentPanel, pdfOf } from '../support/uploading.ts'

const limits = { forcaMin: 75_000, leiturasAltura: 3, leiturasForca: 3, ultimaPeca: false }
const plan = (names: object) => ({ terminal: 'T7', bitola: 500, ...limits, ...names })
const person = (fullName: string) => ({ username: 'rita', fullName, role: 'operador', password: 'estanho-de-solda' })
const instrument = (names: object) => ({ codigo: 'MIC-1', descricao: '', resolucao: 1, ativo: true, ...names })
const part = (code: string) => ({ parts: [{ kind: 'bigorna', code, limitOfCrimps: 50_000, usedBefore: 0 }] })

/** Calls that first write a name, with that name in each of the fields that have one. */
const writings: [what: string, method: 'POST' | 'PUT', url: string, body: (name: string) => object][] = [
  ['terminal of a pair', 'POST', 'miniaplicadores', (terminal) => ({ terminal, miniaplicator: 'MA-9' })],
  ['tool of a pair', 'POST', 'miniaplicadores', (miniaplicator) => ({ terminal: 'T9', miniaplicator })],
  ['seal', 'POST', 'sealingstations', (seal) => ({ seal, sealingStationName: 'ES-9' })],
  ['sealing station', 'POST', 'sealingstations', (sealingStationName) => ({ seal: 'S9', sealingStationName })],
  ['terminal of a plan', 'POST', 'planos-de-controle', (terminal) => plan({ terminal })],
  ['tool of a plan', 'POST', 'planos-de-controle', (miniaplicador) => plan({ miniaplicador })],
  ['machine of a plan', 'POST', 'planos-de-controle', (maquina) => plan({ maquina })],
  ['instrument of a plan', 'POST', 'planos-de-controle', (instrumento) => plan({ terminal: 'T8', instrumento })],
  ['reaction of a plan', 'POST', 'planos-de-controle', (reacao) => plan({ terminal: 'T6', reacao })],
  ['code of an instrument', 'POST', 'instrumentos', (codigo) => instrument({ codigo })],
  ['description of an instrument', 'POST', 'instrumentos', (descricao) => instrument({ codigo: 'M-2', descricao })],
  ['new person', 'POST', 'usuarios', person],
  ['person', 'PUT', 'usuarios/1', (fullName) => ({ fullName })],
  ['plant', 'PUT', 'configuracao', (label) => ({ plants: [{ code: '010101', label }] })],
  ['task', 'POST', 'tarefas-de-manutencao', (name) => ({ name, everyDays: 7, active: true })],
  ['part of a tool', 'POST', 'ferramentas/MA-0001/pecas', part],
]

async function setUp() {
  const panel = await openTestPanel()
  await panel.db.transaction((tx) => insertApplicator(tx, { terminal: 'T1', miniaplicator: 'MA-0001', at: NOON_MS }))
  await addUser(panel.context, { username: 'joao', role: 'admin' })
  const { token } = await panel.login('joao')
  return { ...panel, token }
}

test.each(writings)('the name of a %s is written without what nobody sees', async (_, method, url, body) => {
  const { ask, token } = await setUp()
  const answer = await ask(token, {
    method,
    url: `/api/${url}`,
    payload: body(' Ca\u0303o\u00A0K\u00ADB\u200B 77\u2009'),
  })
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  expect(answer.body).toContain('"Cão KB 77"')
})

test.each(writings)('the name of a %s that is turned round is refused, and said why', async (_, method, url, body) => {
  const { ask, token } = await setUp()
  for (const mark of ['\u202E', '\u2066']) {
    const answer = await ask(token, { method, url: `/api/${url}`, payload: body(`KB${mark}77`) })
    expect(answer.statusCode, answer.body).toBe(400)
    expect(answer.json<ErrorReply>().details).toMatchObject([{ message: DIRECTION_MARKS_REFUSED }])
  }
})

test('a shared station has no name that is turned round', async () => {
  const { ask, token } = await setUp()
  const answer = await ask(token, { method: 'POST', url: '/api/estacao', payload: { name: 'Bancada\u202E1' } })
  expect(answer.json<ErrorReply>().details).toMatchObject([{ message: DIRECTION_MARKS_REFUSED }])
})

test('a document is titled, bound and found without what nobody sees', async () => {
  const panel = await openDocumentPanel()
  const names = { titulo: 'Conexa\u0303o\u00A07', revisao: 'B\u200B', vinculo: 'terminal', codigo: 'KB\u00A077' }
  const added = await panel.upload(pdfOf('um'), names)
  expect(added.json()).toMatchObject({
    titulo: 'Conexão 7',
    vinculos: [{ codigo: 'KB 77' }],
    revisoes: [{ revisao: 'B' }],
  })
  const turned = await panel.upload(pdfOf('dois'), { ...names, titulo: 'KB\u202E77' })
  expect(turned.json<ErrorReply>().details).toMatchObject([{ field: 'titulo', message: DIRECTION_MARKS_REFUSED }])
  const search = new URLSearchParams({ terminal1: 'K\u00ADB\u200977' })
  const found = await panel.ask(panel.operator, { url: `/api/trabalho/documentos?${search}` })
  expect(found.json()).toMatchObject({ total: 1 })
})

test('what the ERP writes with a blank of another kind finds its tools and stations', async () => {
  const { ask, token } = await setUp()
  await ask(token, {
    method: 'POST',
    url: '/api/miniaplicadores',
    payload: { terminal: 'KB 77', miniaplicator: 'MA-7' },
  })
  await ask(token, {
    method: 'POST',
    url: '/api/sealingstations',
    payload: { seal: 'S 1', sealingStationName: 'ES-1' },
  })
  const listed = async (url: string) => (await ask(token, { url: `/api/${url}` })).json<unknown[]>()
  expect(await listed(`miniaplicadores/por-terminal/${encodeURIComponent('KB\u00A077')}`)).toHaveLength(1)
  expect(await listed(`sealingstations/por-selo/${encodeURIComponent('S\u20091\u00AD')}`)).toHaveLength(1)
})

test('what a version before has written keeps the bytes that it is found by, and has no twin', async () => {
  const { ask, token, db } = await setUp()
  await db.transaction(async (tx) => {
    await insertInstrument(tx, { codigo: 'MIC\u00A01', descricao: '', resolucao: 1, ativo: true })
    await insertApplicator(tx, { terminal: 'T2', miniaplicator: 'MA\u200B2', at: NOON_MS })
  })
  const twin = await ask(token, { method: 'POST', url: '/api/instrumentos', payload: instrument({ codigo: 'MIC 1' }) })
  expect(twin.json<ErrorReply>().code).toBe('instrument_exists')
  const changed = instrument({ codigo: 'MIC\u00A01', descricao: 'Bancada 2' })
  const answer = await ask(token, { method: 'PUT', url: '/api/instrumentos/1', payload: changed })
  expect(answer.json()).toMatchObject({ codigo: 'MIC\u00A01', descricao: 'Bancada 2' })
  const pair = { terminal: 'T3', miniaplicator: 'MA\u200B2' }
  const moved = await ask(token, { method: 'PUT', url: '/api/miniaplicadores/2', payload: pair })
  expect(moved.json()).toMatchObject(pair)
})
