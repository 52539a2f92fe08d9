import * as z from 'zod/mini'
import { type Endpoint, UPLOAD_HEADER } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { ErrorReply, type RefusalCode, refusals } from '../../contract/errors.ts'
import { SPECIFIED_VERSION } from '../../contract/settings.ts'
import { roles } from '../../contract/values.ts'
import { permissions } from '../../domain/people/permissions.ts'

type Json = Record<string, unknown>

const schemaOf = (schema: z.ZodMiniType, io: 'input' | 'output' = 'input'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'openapi-3.0' })
  return json
}

const parametersOf = (schema: z.ZodMiniType | undefined, where: 'path' | 'query'): Json[] => {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }))
}

/** Every call may also answer these; they are not repeated in the contract's rows. */
const always: RefusalCode[] = ['input_invalid', 'plain_http', 'internal', 'store_unavailable']
const withSession: RefusalCode[] = ['session_missing', 'cross_origin']
/** The password may be sent in place of a token. */
const withPassword: RefusalCode[] = [
  'credentials_invalid',
  'credentials_with_domain',
  'too_many_attempts',
  'overloaded',
]
const withBody: RefusalCode[] = ['body_unreadable', 'unsupported_media_type', 'body_too_large']

export const refusalsOf = ({
  access,
  method,
  upload,
  confirmed,
  suffices,
  heavy,
  refusals: own = [],
}: Endpoint): RefusalCode[] => [
  ...new Set([
    ...always,
    ...(access === 'public' ? [] : [...withSession, ...withPassword]),
    ...(access !== 'public' && permissions[access].length < roles.length ? (['not_allowed'] as const) : []),
    ...(suffices === 'grant' ? (['too_many_deliveries', 'too_many_of_person'] as const) : []),
    ...(heavy ? (['too_many_searches'] as const) : []),
    ...(confirmed ? (['password_needed'] as const) : []),
    ...(method === 'GET' || upload ? [] : withBody),
    ...own,
  ]),
]

function responsesOf(endpoint: Endpoint): Json {
  const responses: Json = {}
  for (const status of endpoint.statuses ?? [200]) {
    const content = { [endpoint.file ?? 'application/json']: { schema: schemaOf(endpoint.reply, 'output') } }
    responses[status] = { description: 'Resposta', content }
  }
  const content = { 'application/json': { schema: schemaOf(ErrorReply, 'output') } }
  for (const code of refusalsOf(endpoint)) {
    const { status, message } = refusals[code]
    const earlier = responses[status] as { description: string } | undefined
    responses[status] = { description: `${earlier ? `${earlier.description}; ` : ''}${code}: ${message}`, content }
  }
  return responses
}

const requestBodyOf = (body: z.ZodMiniType): Json => ({
  required: !z.safeParse(body, undefined).success,
  content: { 'application/json': { schema: schemaOf(body) } },
})

const bytesBody: Json = {
  required: true,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
}

function operationOf(endpoint: Endpoint): Json {
  const idempotencyKey = {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  }
  const versionSeen = {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'A versão do registro que foi vista, como em ETag ou version',
    schema: { type: 'string' },
  }
  const uploadHeader = { name: UPLOAD_HEADER, in: 'header', required: true, schema: { type: 'string' } }
  return {
    summary: endpoint.summary,
    parameters: [
      ...parametersOf(endpoint.params, 'path'),
      ...parametersOf(endpoint.query, 'query'),
      ...(endpoint.idempotent ? [idempotencyKey] : []),
      ...(endpoint.versioned ? [versionSeen] : []),
      ...(endpoint.upload ? [uploadHeader] : []),
    ],
    ...(endpoint.body ? { requestBody: requestBodyOf(endpoint.body) } : {}),
    ...(endpoint.upload ? { requestBody: bytesBody } : {}),
    responses: responsesOf(endpoint),
    ...(endpoint.access === 'public' ? { security: [] } : {}),
  }
}

/** OpenAPI 3.0, made from the same schemas that validate the calls. */
export function openApiDocument(): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) }
  }
  return {
    openapi: '3.0.3',
    info: { title: 'Painel Industrial', version: SPECIFIED_VERSION },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' }, basic: { type: 'http', scheme: 'basic' } },
    },
    security: [{ bearer: [] }, { basic: [] }],
  }
}
