import { randomUUID } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import { type ErrorReply, type RefusalCode, refusals } from '../../src/contract/errors.ts'
import { expectRefusal } from '../support/bad-input/refusal.ts'
import { good, goodOf, nameOf, requestOf } from '../support/bad-input/requests.ts'
import { type Property, schemaOf, wrongRequests } from '../support/bad-input/wrong-requests.ts'
import { addUser, callOf, cutOf, measurementOf, openTestPanel } from '../support/harness.ts'

const setUp = async (options: Parameters<typeof openTestPanel>[0] = {}) => {
  const panel = await openTestPanel(options)
  // an administrator may call everything
  await addUser(panel.context, { username: 'operador', role: 'admin' })
  const { token } = await panel.login('operador')
  const send = async (request: InjectOptions) => await panel.ask(token, request)
  return { ...panel, send }
}

test('every call of the contract has a good request, and its mistakes are made of it', () => {
  const names = endpoints.map(nameOf)
  expect(Object.keys(good).toSorted()).toEqual(names.toSorted())
  expect(new Set(wrongRequests().map(({ endpoint }) => nameOf(endpoint)))).toEqual(new Set(names))
})

test('nothing that can be sent is without bounds', () => {
  const loose = (field: Property, name: string): string[] => {
    if (field.anyOf) return field.anyOf.flatMap((one) => loose(one, name))
    if (field.type === 'object') {
      const inner = Object.entries(field.properties ?? {}).flatMap(([key, one]) => loose(one, `${name}.${key}`))
      return field.additionalProperties === false ? inner : [`${name} takes unknown fields`, ...inner]
    }
    if (field.type === 'array') return [...(field.maxItems ? [] : [name]), ...loose(field.items ?? {}, `${name}[]`)]
    const isNumber = field.type === 'number' || field.type === 'integer'
    if (isNumber) return field.minimum === undefined || field.maximum === undefined ? [name] : []
    if (field.type === 'string')
      return field.maxLength || field.enum || /^(date|date-time|uuid)$/.test(field.format ?? '') ? [] : [name]
    return field.type === 'boolean' || field.type === 'null' ? [] : [`${name} is of no known kind`]
  }
  const places = endpoints.flatMap((endpoint) =>
    (['params', 'query', 'body'] as const).flatMap((place) => {
      const schema = schemaOf(endpoint, place)
      return schema ? loose(schema, `${nameOf(endpoint)} ${place}`) : []
    }),
  )
  expect(places).toEqual([])
})

test('whatever a schema must refuse is refused with the name of the field', async () => {
  const { send } = await setUp()
  for (const { endpoint, what, field, sent } of wrongRequests()) {
    const where = `${nameOf(endpoint)} ${what}`
    const body = expectRefusal(await send(requestOf(endpoint, sent)), where, endpoint)
    expect([body.code, body.message], where).toEqual(['input_invalid', refusals.input_invalid.message])
    const fields = (body.details ?? []).map((one) => one.field)
    expect(
      fields.some((name) => name === field || name.startsWith(`${field}.`)),
      `${where}: ${fields}`,
    ).toBe(true)
  }
})

test('no day is answered with an internal error, of whatever year it is', async () => {
  const { send } = await setUp()
  const fieldsOf = (endpoint: Endpoint, place: 'query' | 'body') =>
    Object.entries(schemaOf(endpoint, place)?.properties ?? {})
      .filter(([, { format }]) => format === 'date')
      .map(([field]) => ({ endpoint, place, field }))
  const days = endpoints.flatMap((endpoint) => [...fieldsOf(endpoint, 'query'), ...fieldsOf(endpoint, 'body')])
  expect(days.length, 'a day is found by its format').toBeGreaterThan(15)
  for (const { endpoint, place, field } of days) {
    const sent = goodOf(endpoint)
    for (const day of ['0000-01-01', '1000-01-01', '1899-12-31', '3000-01-01', '9999-12-31']) {
      const request = requestOf(endpoint, { ...sent, [place]: { ...(sent[place] as object), [field]: day } })
      expect((await send(request)).statusCode, `${nameOf(endpoint)} ${field} ${day}`).toBeLessThan(500)
    }
  }
})

/** Required texts of people, by the name of their field, where it is no reason. */
const saying = [
  'POST /api/planos-de-controle instrumento',
  'POST /api/planos-de-controle reacao',
  'POST /api/tarefas-de-manutencao name',
  'PUT /api/tarefas-de-manutencao/:id name',
  'POST /api/usuarios fullName',
  'PUT /api/usuarios/:id fullName',
  'POST /api/estacao name',
  'POST /api/documentos titulo',
  'PUT /api/documentos/:id titulo',
  'POST /api/instrumentos codigo',
  'PUT /api/instrumentos/:id codigo',
  'POST /api/chamados/:id/solucao causaTexto',
  'PUT /api/crimpagens/:miniaplicator/schedule maintenanceRecord.serviceDone',
  'PUT /api/crimpagens/:miniaplicator/schedule maintenanceRecord.responsible',
]
const maintenanceRecord = { serviceDone: 'Lubrificada', parts: '', safetyCondition: 'segura', responsible: 'Ana' }

test('a text that must say something has a letter or a digit, each reason first of all', async () => {
  const { send } = await setUp()
  const reasons = endpoints.flatMap((endpoint) => {
    const schema = schemaOf(endpoint, 'body')
    return schema?.properties?.motivo ? [`${nameOf(endpoint)} motivo`] : []
  })
  // the reason of a delivery that the ERP has is the administrator's to give or not
  const all = [...reasons.filter((one) => !one.includes('/entregue')), ...saying]
  expect(reasons.length, 'a new reason is found by its name').toBeGreaterThan(8)
  for (const named of all) {
    const [method, path, field = ''] = named.split(' ')
    const endpoint = endpoints.find((one) => one.method === method && one.path === path) as Endpoint
    const sent = goodOf(endpoint)
    const [outer = '', inner] = field.split('.')
    for (const said of ['', ' ', '\u3000', '-', '... !', '\u00b7\u200b']) {
      const value = inner ? { ...maintenanceRecord, [inner]: said } : said
      const place = endpoint.upload ? 'query' : 'body'
      const wrong = { ...sent, [place]: { ...(sent[place] as object), [outer]: value } }
      const answer = await send(requestOf(endpoint, wrong))
      const { details = [] } = answer.json<ErrorReply>()
      expect([answer.statusCode, details[0]?.field], `${named} ${JSON.stringify(said)}`).toEqual([400, field])
    }
  }
})

test('each kind of mistake has its own words', async () => {
  const { send } = await setUp()
  const endpoint = endpoints.find(({ path }) => path === '/api/apontamentos/corte-crimpagem') as Endpoint
  const wordsOf = async (change: object) => {
    const answer = await send(requestOf(endpoint, { body: { ...cutOf(1), ...change } }))
    return answer.json<ErrorReply>().details
  }
  const barcode = (message: string) => [{ field: 'COD_BARRA', message }]
  expect(await wordsOf({ COD_BARRA: undefined })).toEqual(barcode('Campo obrigatório'))
  expect(await wordsOf({ COD_BARRA: 5 })).toEqual(barcode('Tipo de dado inválido'))
  expect(await wordsOf({ COD_BARRA: '123' })).toEqual(barcode('Esperados 22 caracteres'))
  expect(await wordsOf({ COD_BARRA: `${'x'.repeat(21)}\u0007` })).toEqual(
    barcode('Caracteres de controle não são aceitos'),
  )
  expect(await wordsOf({ MAQUINA: 'x'.repeat(121) })).toEqual([
    { field: 'MAQUINA', message: 'Texto longo demais (máximo 120)' },
  ])
  expect(await wordsOf({ QTD_REALIZADA: 0 })).toEqual([
    { field: 'QTD_REALIZADA', message: 'Valor abaixo do mínimo (1)' },
  ])
  expect(await wordsOf({ QTD_REALIZADA: 1e9 })).toEqual([
    { field: 'QTD_REALIZADA', message: 'Valor acima do máximo (1000000)' },
  ])
  expect(await wordsOf({ LOTE_CABO: 'a;b' })).toEqual([{ field: 'LOTE_CABO', message: "Use '/' no lugar de ';'" }])
  expect(await wordsOf({ captura: { dispositivo: 1, x: 1 } })).toEqual([
    { field: 'captura.dispositivo', message: 'Tipo de dado inválido' },
    { field: 'captura.x', message: 'Campo desconhecido', isUnknown: true },
  ])
  expect(await wordsOf({ TERM_LD1: 'T1326030' })).toEqual([
    { field: 'TERM_LD1', message: 'Registre uma etapa de cada vez' },
  ])
})

test('a word that this version does not know is told as a field that it does not know', async () => {
  const { send } = await setUp()
  const unknown = { message: 'Valor inválido', isUnknown: true }
  const wordsOf = async (path: string, body: object) => {
    const endpoint = endpoints.find((one) => one.path === path && one.method === 'POST') as Endpoint
    return (await send(requestOf(endpoint, { body }))).json<ErrorReply>().details
  }
  const call = (more: object) => wordsOf('/api/chamados', { ...callOf(), ...more })
  expect(await call({ sintoma: 'vazamento' })).toEqual([{ field: 'sintoma', ...unknown }])
  expect(await call({ equipe: 'ti', assunto: 'rede' })).toEqual([
    { field: 'equipe', ...unknown },
    { field: 'assunto', ...unknown },
  ])
  const sample = measurementOf()
  const leituras = [{ caracteristica: 'visual', valores: [1] }]
  expect(await wordsOf('/api/medicoes', { ...sample, leituras })).toEqual([
    { field: 'leituras.0.caracteristica', ...unknown },
  ])
  // it knows these, and they are wrong
  expect(await call({ sintoma: undefined })).toEqual([{ field: 'sintoma', message: 'Valor inválido' }])
  expect(await call({ sintoma: 5 })).toEqual([{ field: 'sintoma', message: 'Valor inválido' }])
  expect(await call({ equipe: 'qualidade', assunto: 'ajuda', sintoma: 'outro' })).toEqual([
    { field: 'assunto', message: 'Assunto de outra equipe' },
  ])
  expect(await wordsOf('/api/medicoes', { ...sample, doisFios: 'sim' })).toEqual([
    { field: 'doisFios', message: 'Tipo de dado inválido' },
  ])
})

test('of very much that is wrong at once the first twenty are named', async () => {
  const { send } = await setUp()
  const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`campo-${at}`, 1]))
  for (const request of [
    { url: '/api/apontamentos/corte-crimpagem', payload: { ...cutOf(1), ...unknown } },
    // where nothing may be sent
    { url: `/api/auth/logout?${new URLSearchParams(Object.keys(unknown).map((field) => [field, '1']))}`, payload: {} },
  ]) {
    const headers = { 'idempotency-key': randomUUID() }
    const answer = await send({ method: 'POST', headers, ...request })
    const { details = [] } = answer.json<ErrorReply>()
    expect([answer.statusCode, details.length, details[0]?.field], request.url).toEqual([400, 20, 'campo-0'])
  }
})

test('a recording without a proper id is refused', async () => {
  const { send } = await setUp()
  for (const key of [undefined, '', 'x', '0', randomUUID().slice(1), `${randomUUID()} `.repeat(2), 'null', '{}']) {
    const answer = await send({
      method: 'POST',
      url: '/api/apontamentos/corte-crimpagem',
      headers: key === undefined ? {} : { 'idempotency-key': key },
      payload: cutOf(1),
    })
    expect(expectRefusal(answer, String(key)).code, String(key)).toBe('idempotency_key_missing')
  }
})

const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
const bodies: [what: string, contentType: string | undefined, payload: string | Buffer, code: RefusalCode | null][] = [
  ['broken JSON', 'application/json', '{"username":', 'body_unreadable'],
  ['single quotes', 'application/json', "{'a':1}", 'body_unreadable'],
  ['NaN', 'application/json', '{"a":NaN}', 'body_unreadable'],
  ['a byte-order mark', 'application/json', '\ufeff{}', 'body_unreadable'],
  ['bytes that are no text', 'application/json', Buffer.from([0xff, 0xfe, 0x00, 0xc3]), 'body_unreadable'],
  ['UTF-16', 'application/json; charset=utf-16', Buffer.from('{}', 'utf16le'), 'body_unreadable'],
  ['deep JSON', 'application/json', deep, 'input_invalid'],
  ['a deep object', 'application/json', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 'input_invalid'],
  ['a list', 'application/json', '[]', 'input_invalid'],
  ['a number', 'application/json', '1e999', 'input_invalid'],
  ['a text', 'application/json', '"x"', 'input_invalid'],
  ['70 KiB', 'application/json', `{"a":"${'x'.repeat(70 * 1024)}"}`, 'body_too_large'],
  ['plain text', 'text/plain', '{}', 'unsupported_media_type'],
  ['a form', 'application/x-www-form-urlencoded', 'username=a&password=b', 'unsupported_media_type'],
  ['a file', 'multipart/form-data; boundary=x', '--x\r\n\r\n--x--', 'unsupported_media_type'],
  ['XML', 'application/xml', '<a/>', 'unsupported_media_type'],
  ['no type', undefined, Buffer.from('{}'), 'unsupported_media_type'],
  ['no real type', ';;;', '{}', 'unsupported_media_type'],
]

describe('a body that is no JSON object is refused by every call that takes one:', () => {
  test.each(bodies)('%s', async (what, contentType, payload, code) => {
    const { send } = await setUp()
    for (const endpoint of endpoints.filter(({ method, upload }) => method !== 'GET' && !upload)) {
      const { headers, ...request } = requestOf(endpoint, { ...goodOf(endpoint), body: undefined })
      const type = contentType === undefined ? {} : { 'content-type': contentType }
      const answer = await send({ ...request, headers: { ...headers, ...type }, payload })
      expect(expectRefusal(answer, `${nameOf(endpoint)} ${what}`, endpoint).code, nameOf(endpoint)).toBe(code)
    }
  })
})
