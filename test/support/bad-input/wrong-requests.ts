import * as z from 'zod/mini'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { goodOf, type Sent } from './requests.ts'

type Place = 'query' | 'body' | 'params'

/** As much of JSON Schema as the contract's requests are written in. */
export type Property = {
  type?: string
  format?: string
  minLength?: number
  maxLength?: number
  pattern?: string
  minimum?: number
  maximum?: number
  enum?: unknown[]
  minItems?: number
  items?: Property
  maxItems?: number
  allOf?: unknown[]
  anyOf?: Property[]
  properties?: Record<string, Property>
  required?: string[]
  additionalProperties?: unknown
}

export const schemaOf = (endpoint: Endpoint, place: Place): Property | null => {
  const schema = endpoint[place]
  return schema ? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Property) : null
}

export const fieldsOf = (
  endpoint: Endpoint,
  place: Place,
): { properties: Record<string, Property>; required: string[] } => {
  const schema = schemaOf(endpoint, place)
  const { properties = {}, required = [] } = schema?.anyOf?.find((one) => one.properties) ?? schema ?? {}
  return { properties, required }
}

/** One thing wrong, and the name of the field that the answer must point at. */
type Wrong = { endpoint: Endpoint; what: string; field: string; sent: Sent }

const isText = ({ type }: Property) => type === 'string'

/** Values that a field of this kind can never take. A query can only carry text. */
function wrongValues(property: Property, place: Place): unknown[] {
  const wrong: unknown[] = []
  if (isText(property)) {
    if (property.minLength) wrong.push('')
    if (property.maxLength) wrong.push('x'.repeat(property.maxLength + 1), 'x'.repeat(property.maxLength + 5000))
    // several patterns of one field are written as `allOf`
    if (property.pattern || property.allOf) {
      wrong.push('a\u0000b', '\u007f', '\u0085', ...(property.pattern?.includes('\\n') ? [] : ['a\nb']))
    }
    if (property.format) wrong.push('x', '2026-02-30', '00000000-0000-0000-0000')
    if (property.enum) wrong.push('nenhum destes', 'CABO', ' ')
    if (place === 'query') wrong.push(['a', 'b'])
  }
  if (place === 'query') return wrong
  const texts = ['', 'x', 'NaN', '1', '1e3', '-1']
  const isList = property.type === 'array'
  const others = [null, true, ['a'], {}, { a: 1 }, ...(isList && !property.minItems ? [] : [[]])]
  if (isText(property)) return [...wrong, 1, 0, 1.5, ...others]
  if (property.type === 'boolean') return [...texts, 1, 0, null, [], {}]
  if (property.type === 'object') return [...texts, 1, true, null, [], { desconhecido: 1 }]
  const tooBig = [1e15, 1e308, Number.MAX_SAFE_INTEGER, -2, -1e308]
  return [...texts, ...tooBig, ...(property.type === 'integer' ? [0.5, 1e-9] : []), ...others]
}

function* wrongFields(endpoint: Endpoint, place: 'query' | 'body'): Generator<Wrong> {
  const sent = goodOf(endpoint)
  const whole = (sent[place] ?? {}) as Record<string, unknown>
  const { properties, required } = fieldsOf(endpoint, place)
  const withPart = (part: unknown): Sent => ({ ...sent, [place]: part })
  for (const field of required) {
    const { [field]: _, ...rest } = whole
    yield { endpoint, what: `${place} without ${field}`, field, sent: withPart(rest) }
  }
  for (const [field, property] of Object.entries(properties)) {
    for (const value of wrongValues(property, place)) {
      const what = `${place} with ${field} = ${JSON.stringify(value)?.slice(0, 40)}`
      yield { endpoint, what, field, sent: withPart({ ...whole, [field]: value }) }
    }
  }
  for (const field of [
    'desconhecido',
    'constructor',
    'toString',
    '__proto__',
    'USERNAME',
    ' ',
    'a.b',
    'x'.repeat(500),
  ]) {
    const body = JSON.stringify(whole)
      .replace('{', `{${JSON.stringify(field)}:{"admin":true},`)
      .replace(',}', '}')
    const part = place === 'body' ? body : { ...whole, [field]: '1' }
    // a query's own `__proto__` cannot be written as an object
    if (place === 'query' && field === '__proto__') continue
    yield { endpoint, what: `${place} with the unknown field ${field.slice(0, 20)}`, field, sent: withPart(part) }
  }
}

/** Made from the contract: everything that its schemas must refuse, one at a time. */
export const wrongRequests = (): Wrong[] =>
  endpoints.flatMap((endpoint) => [
    ...wrongFields(endpoint, 'query'),
    ...(endpoint.method === 'GET' || endpoint.upload ? [] : wrongFields(endpoint, 'body')),
    ...(endpoint.params
      ? Object.entries(fieldsOf(endpoint, 'params').properties).flatMap(([field, property]) =>
          wrongValues(property, 'query')
            .filter((value) => typeof value === 'string' && value !== '' && value.length < 500)
            .map((value) => ({
              endpoint,
              what: `params with ${field} = ${JSON.stringify(value).slice(0, 40)}`,
              field,
              sent: { ...goodOf(endpoint), params: { [field]: value } },
            })),
        )
      : []),
  ])
