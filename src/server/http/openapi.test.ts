import { describe, expect, test } from 'vitest'
import { UPLOAD_HEADER } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { refusals } from '../../contract/errors.ts'
import { openApiDocument, refusalsOf } from './openapi.ts'

type Schema = { [key: string]: unknown; type?: string; nullable?: boolean }
type Content = Record<string, { schema: Schema }>
type Parameter = { name: string; in: string; required: boolean; schema: Schema }
type Operation = {
  summary: string
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { description: string; content: Content }>
  security?: Record<string, string[]>[]
}
type Document = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { securitySchemes: Record<string, unknown> }
  security: Record<string, string[]>[]
}

const openApi = JSON.parse(JSON.stringify(openApiDocument())) as Document
const pathOf = (path: string) => path.replace(/:(\w+)/g, '{$1}')
const operations = endpoints.map((endpoint) => {
  const operation = openApi.paths[pathOf(endpoint.path)]?.[endpoint.method.toLowerCase()]
  if (!operation) throw new Error(`${endpoint.method} ${endpoint.path} is missing`)
  return { endpoint, operation, name: `${endpoint.method} ${endpoint.path}` }
})

/** Every object in the document, schemas and all. */
const objectsIn = (value: unknown): Record<string, unknown>[] =>
  typeof value !== 'object' || value === null
    ? []
    : [
        ...(Array.isArray(value) ? [] : [value as Record<string, unknown>]),
        ...Object.values(value).flatMap((one) => objectsIn(one)),
      ]

describe('the OpenAPI document', () => {
  test('has every call of the contract and no other', () => {
    const said = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(said.toSorted()).toEqual(endpoints.map(({ method, path }) => `${method} ${pathOf(path)}`).toSorted())
    expect(openApi.openapi).toBe('3.0.3')
  })

  test('describes each parameter once, and each segment of an address', () => {
    for (const { endpoint, operation, name } of operations) {
      const of = (where: string) => operation.parameters.filter((one) => one.in === where).map((one) => one.name)
      expect(of('path').toSorted(), name).toEqual(
        [...endpoint.path.matchAll(/:(\w+)/g)].map(([, segment]) => segment).toSorted(),
      )
      const headers = [
        ...(endpoint.idempotent ? ['Idempotency-Key'] : []),
        ...(endpoint.versioned ? ['If-Match'] : []),
        ...(endpoint.upload ? [UPLOAD_HEADER] : []),
      ]
      expect(of('header'), name).toEqual(headers)
      expect(of('query').length > 0, name).toBe(endpoint.query !== undefined)
      expect(new Set(of('query')).size, name).toBe(of('query').length)
      for (const parameter of operation.parameters) {
        expect(parameter.schema.type ?? parameter.schema.enum, `${name} ${parameter.name}`).toBeDefined()
        const isOptional = parameter.in === 'query' || parameter.name === 'If-Match'
        if (!isOptional) expect(parameter.required, `${name} ${parameter.name}`).toBe(true)
      }
    }
    const search = operations.find(({ name }) => name === 'GET /api/maquinas')?.operation.parameters
    expect(search?.map((one) => [one.name, one.required])).toEqual([
      ['filial', true],
      ['tipo', false],
    ])
  })

  test('has a body exactly where one is taken, and says whether it may be left out', () => {
    const bodies = operations.flatMap(({ endpoint, operation, name }) => {
      expect(operation.requestBody !== undefined, name).toBe(endpoint.body !== undefined || endpoint.upload === true)
      return operation.requestBody ? [[name, operation.requestBody.required] as const] : []
    })
    expect(Object.fromEntries(bodies)).toMatchObject({
      'POST /api/auth/login': true,
      'POST /api/auth/refresh': false,
      'POST /api/apontamentos/corte-crimpagem': true,
    })
  })

  test('names each status and code that a call may answer', () => {
    for (const { endpoint, operation, name } of operations) {
      const expected = [...(endpoint.statuses ?? [200]), ...refusalsOf(endpoint).map((code) => refusals[code].status)]
      expect(Object.keys(operation.responses).map(Number).toSorted(), name).toEqual([...new Set(expected)].toSorted())
      for (const code of refusalsOf(endpoint)) {
        expect(operation.responses[refusals[code].status]?.description, name).toContain(`${code}: `)
      }
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        expect(description, name).not.toBe('')
        const isFile = Number(status) < 300 && endpoint.file
        expect(Object.keys(content), name).toEqual([isFile || 'application/json'])
      }
    }
  })

  test('says of each call whether it needs a session', () => {
    expect(Object.keys(openApi.components.securitySchemes)).toEqual(openApi.security.flatMap(Object.keys))
    for (const { endpoint, operation, name } of operations) {
      expect(operation.security, name).toEqual(endpoint.access === 'public' ? [] : undefined)
    }
  })

  test('is OpenAPI 3.0, not the JSON Schema of other versions, and every reference in it leads somewhere', () => {
    for (const one of objectsIn(openApi)) {
      if (typeof one.$ref === 'string') {
        expect(one.$ref).toMatch(/^#\//)
        const target = one.$ref
          .slice(2)
          .split('/')
          .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], openApi)
        expect(target, one.$ref).toBeDefined()
      }
      for (const key of ['$schema', '$defs', 'const', 'patternProperties', 'propertyNames', 'prefixItems']) {
        expect(one, key).not.toHaveProperty(key)
      }
      expect(Array.isArray(one.type) || one.type === 'null', JSON.stringify(one).slice(0, 200)).toBe(false)
      expect(typeof one.exclusiveMinimum, JSON.stringify(one).slice(0, 200)).not.toBe('number')
    }
  })
})
