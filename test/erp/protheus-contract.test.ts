import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { config, fromJSONSchema } from 'zod'
import type { ErpSimulator } from '../../demo/simulator/simulator.ts'
import { openapi } from '../../deploy/protheus/contract.ts'
import { type Example, httpText, recordExamples } from '../../deploy/protheus/examples.ts'
import { readConfig } from '../../src/server/config.ts'
import { ErpSettings } from '../../src/server/erp/settings.ts'
import { ORDER, UNTOUCHED } from '../support/erp.ts'
import { addUser, crimpOf, cutOf, joinOf, openTestPanel } from '../support/harness.ts'

// the whole library's first schema changes the words of every schema of this worker
const { localeError, memoizer } = config()
afterAll(() => void config({ localeError, memoizer }))

type Json = Record<string, unknown>
type Content = Record<string, { schema: Json }>
type Operation = { requestBody?: { content: Content }; responses: Record<string, { content?: Content }> }
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Json> } }

const read = (name: string) => readFileSync(new URL(`../../deploy/protheus/${name}`, import.meta.url), 'utf8')
const document = JSON.parse(read('openapi.json')) as Document
const examples = JSON.parse(read('exemplos.json')) as Example[]

const bodyIn = (where: 'request' | 'answer', name: string) =>
  examples.find((one) => one.name === name)?.[where].body as Json

/** The path of the document that a request goes to. */
const pathOf = ({ path }: Example['request']) => {
  const [plain = ''] = path.split('?')
  const isSame = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(plain)
  return Object.keys(document.paths).find(isSame) ?? plain
}
const operationOf = ({ request }: Example) => document.paths[pathOf(request)]?.[request.method.toLowerCase()]

const inDefs = (schema: unknown) => JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/'))
const validator = (schema: Json) =>
  fromJSONSchema({ ...inDefs(schema), $defs: inDefs(document.components.schemas) } as never)
const accepts = (schema: Json, value: unknown) => validator(schema).safeParse(value).success

test('the contract, its examples and the adapter with the imitated ERP say the same: else node deploy/protheus/make.ts', async () => {
  const recorded = await recordExamples()
  expect(examples).toEqual(recorded)
  expect(read('exemplos.http')).toBe(httpText(recorded))
  expect(document).toEqual(JSON.parse(JSON.stringify(openapi())))
})

test('the contract has the paths that the gateway calls, each with its method, and no other', () => {
  const called = new Set(examples.map(({ request }) => `${request.method} ${pathOf(request)}`))
  const promised = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect([...called].toSorted()).toEqual(promised.toSorted())
  expect(Object.keys(document.paths).toSorted()).toEqual(Object.values(ErpSettings.parse({}).paths).toSorted())
})

test.each(examples.map((example) => [example.name, example] as const))(
  'the contract describes request and answer: %s',
  (_, example) => {
    const operation = operationOf(example)
    const { request, answer } = example
    const ofRequest = operation?.requestBody?.content[request.headers['Content-Type']?.split(';')[0] ?? '']?.schema
    const body = typeof request.body === 'string' ? Object.fromEntries(new URLSearchParams(request.body)) : request.body
    expect(ofRequest === undefined).toBe(request.body === undefined)
    if (ofRequest) expect(validator(ofRequest).safeParse(body).error).toBeUndefined()
    const response = operation?.responses[answer.status]
    expect(response).toBeDefined()
    const ofAnswer = response?.content?.['application/json']?.schema
    if (ofAnswer) expect(validator(ofAnswer).safeParse(answer.body).error).toBeUndefined()
  },
)

test('the contract refuses rows and recordings that lack a field, or have a quantity in words', () => {
  const rowOf = (name: string) => (bodyIn('answer', name) as { items: Json[] }).items[0] ?? {}
  const bodyOf = (name: string) => bodyIn('request', name)
  const whole: [schema: string, value: Json][] = [
    ['Item', rowOf('Itens de uma ordem')],
    ['Maquina', rowOf('Máquinas de corte')],
    ['Juncao', rowOf('Junções de uma ordem')],
    ['Apontamento', bodyOf('Corte')],
    ['ApontamentoDeJuncao', bodyOf('Apontamento de junção')],
    ['Conferencia', bodyOf('Conferência')],
  ]
  for (const [name, value] of whole) {
    const schema = document.components.schemas[name] ?? {}
    const required = schema.required as string[]
    expect(required.length).toBeGreaterThan(2)
    const isMissed = (field: string) => {
      const { [field]: _, ...others } = value
      return !accepts(schema, others)
    }
    expect(required.filter((field) => !isMissed(field))).toEqual([])
  }
  expect(accepts(document.components.schemas.Item ?? {}, { ...rowOf('Itens de uma ordem'), Z1_QUANT: null })).toBe(
    false,
  )
  expect(accepts(document.components.schemas.Apontamento ?? {}, { ...bodyOf('Corte'), OUTRO: 1 })).toBe(false)
})

/** Calls that have reached the ERP since the last look, without those for tokens and signs of life. */
function counterOf({ state }: ErpSimulator) {
  let seen = 0
  return () => {
    const fresh = state.log.slice(seen).map(({ operation }) => operation)
    seen = state.log.length
    return fresh.filter((operation) => !['token', 'status'].includes(operation))
  }
}

test('what an item and a junction cost the ERP is what the sizing counts with', async () => {
  const panel = await openTestPanel()
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  const fresh = counterOf(panel.simulator)
  const see = (url: string) => panel.ask(token, { url })
  const send = async (path: string, payload: object) => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const { statusCode } = await panel.ask(token, { method: 'POST', url: `/api/${path}`, headers, payload })
    expect(statusCode).toBe(201)
  }
  // until the ERP has shown once that it finds what it has stored, each recording costs more
  for (const _ of [1, 2]) {
    await send('apontamentos/corte-crimpagem', cutOf(10))
    await send('juncao/registrar-apontamento', joinOf(10))
  }
  fresh()
  const cost: Record<string, string[]> = {}
  await see(`/api/apontamentos/itens?filial=010101&termo=${ORDER}&modo=APONTAMENTO`)
  await see(`/api/apontamentos/itens/${UNTOUCHED}?filial=010101`)
  cost['abrir a ordem e um item dela'] = fresh()
  await send('apontamentos/corte-crimpagem', crimpOf(30))
  cost['cada etapa apontada'] = fresh()
  await see(`/api/juncao/obter-juncoes?filial=010101&numeroOp=${ORDER}`)
  await see(`/api/juncao/obter-detalhes?filial=010101&numeroOp=${ORDER}&posicao=J01`)
  cost['abrir as junções e uma delas'] = fresh()
  await send('juncao/registrar-apontamento', joinOf(30))
  cost['apontar uma junção'] = fresh()
  expect(cost).toEqual({
    'abrir a ordem e um item dela': ['itens', 'itens'],
    'cada etapa apontada': ['apontamentos'],
    'abrir as junções e uma delas': ['juncoes', 'juncoes', 'juncoes-detalhes'],
    'apontar uma junção': ['juncoes-apontamentos'],
  })
  for (const [work, calls] of Object.entries(cost)) {
    expect(read('README.md')).toMatch(new RegExp(`^\\| ${work} +\\| ${calls.length} `, 'm'))
  }
})

test('the example of an appserver.ini asks for a log-in and has one thread more than the panel calls at once', () => {
  const sections = read('appserver-rest.ini').split(/^\[/m)
  const setting = (section: string, key: string) => {
    const text = sections.find((one) => one.startsWith(`${section}]`)) ?? ''
    return new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1]
  }
  const { erpMaxConcurrent, erpCompany, plants } = readConfig({})
  expect(setting('HTTPREST', 'SECURITY')).toBe('1')
  expect(Number(setting('GENERAL', 'MAXSTRINGSIZE'))).toBeGreaterThanOrEqual(10)
  expect(Number(setting('HTTPURI', 'INSTANCES')?.split(',')[1])).toBe(erpMaxConcurrent + 1)
  expect(setting('HTTPURI', 'PREPAREIN')).toBe(`${erpCompany},${plants[0]?.code}`)
})

test('the table of ids has room for what is searched, and the fifteen questions are there', () => {
  const readme = read('README.md')
  const width = (field: string) => Number(new RegExp(`\`${field}\` *\\| C +\\| (\\d+)`).exec(readme)?.[1])
  expect(width('ZPI_ID')).toBe(crypto.randomUUID().length)
  expect(width('ZPI_FILIAL')).toBeGreaterThanOrEqual('010101'.length)
  const found = bodyIn('answer', 'Apontamento gravado')
  expect(width('ZPI_STATUS')).toBe(String(found.STATUS).length)
  expect(readme.match(/^### \d+\. .*\?$/gm)).toHaveLength(15)
})
