import * as z from 'zod/mini'
import { JunctionRecording } from '../../src/contract/junctions.ts'
import { CutCrimpRecording } from '../../src/contract/recordings.ts'
import { SPECIFIED_VERSION } from '../../src/contract/settings.ts'
import {
  circuitTexts,
  itemLimits,
  itemQuantities,
  itemTexts,
  junctionQuantities,
  junctionTexts,
  machineTexts,
  toErpReceipt,
} from '../../src/server/erp/mapping.ts'
import { listMachines, type Path, searchItems, searchJunctions } from '../../src/server/erp/operations.ts'
import { ErpSettings } from '../../src/server/erp/settings.ts'
import { fieldText } from './fields.ts'

type Json = Record<string, unknown>

const settings = ErpSettings.parse({})

const fieldsOf = (names: readonly string[], type: string | readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { type, description: fieldText(name) }]))

const object = (properties: Json, optional: readonly string[] = []): Json => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
})

const pieces = ['number', 'string'] as const
const listOf = (row: string): Json =>
  object({
    items: { type: 'array', items: { $ref: `#/components/schemas/${row}` } },
    hasNext: { type: 'boolean', description: 'Há outra página' },
  })

/** What a recording has on the wire, of the schema that a tablet's is checked by. */
function recordingOf(schema: z.ZodMiniType): Json {
  const { properties, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties: Record<string, Json>
    required?: string[]
  }
  const { captura: _, ...fields } = { captura: {}, ...properties, ID_INTEGRACAO: { type: 'string' } }
  const described = Object.entries(fields).map(([name, { type, enum: values, maxLength, minimum }]: [string, Json]) => [
    name,
    { type, enum: values, maxLength, minimum, description: fieldText(name) },
  ])
  const sent = [...required, 'OPERADOR', 'ID_INTEGRACAO']
  return { type: 'object', properties: Object.fromEntries(described), required: sent, additionalProperties: false }
}

const receiptFields = [
  ...Object.keys(
    toErpReceipt({ branch: '', barcode: '', operator: '', at: { day: '', time: '' } }, settings.dateFormats.receipts),
  ),
  'ID_INTEGRACAO',
]

const schemas: Json = {
  Item: object({
    ...fieldsOf(itemTexts, 'string'),
    ...fieldsOf(itemQuantities, pieces),
    ...fieldsOf(itemLimits, [...pieces, 'null']),
  }),
  Maquina: object(fieldsOf(machineTexts, 'string')),
  Juncao: object({ ...fieldsOf(junctionTexts, 'string'), ...fieldsOf(junctionQuantities, pieces) }, ['Z8_DESCPRO']),
  DetalhesDaJuncao: object({
    data: object({
      registros: { type: 'array', items: object(fieldsOf(['Z9_GRUPOMP'], 'string')) },
      circuitos: { type: 'array', items: object(fieldsOf(['Z1_DE', 'Z1_PARA', ...circuitTexts], 'string')) },
      teste: object({
        ...fieldsOf(['ZTB_BITOLA'], 'string'),
        ...fieldsOf(['ZTB_FORCA'], [...pieces, 'null']),
      }),
    }),
  }),
  Itens: listOf('Item'),
  Maquinas: listOf('Maquina'),
  Juncoes: listOf('Juncao'),
  Apontamento: recordingOf(CutCrimpRecording),
  ApontamentoDeJuncao: recordingOf(JunctionRecording),
  Conferencia: { ...object(fieldsOf(receiptFields, 'string')), additionalProperties: false },
  Gravado: object(
    {
      message: { type: 'string', description: 'O que o operador lê' },
      registro: { type: 'string', description: 'Número do registro gravado' },
      ID_INTEGRACAO: { type: 'string', description: fieldText('ID_INTEGRACAO') },
      status: { type: 'string', description: '1: gravado' },
      repetido: { type: 'boolean', description: 'Este identificador já estava gravado: nada foi somado' },
    },
    ['registro', 'ID_INTEGRACAO', 'status', 'repetido'],
  ),
  Integracao: object(
    {
      ID_INTEGRACAO: { type: 'string', description: fieldText('ID_INTEGRACAO') },
      STATUS: { type: 'string', enum: ['0', '1', '2'], description: '0 em andamento, 1 gravado, 2 recusado' },
      MENSAGEM: { type: 'string', description: 'A mensagem da gravação ou da recusa' },
    },
    ['MENSAGEM'],
  ),
  Token: object(
    {
      access_token: { type: 'string' },
      refresh_token: { type: 'string' },
      expires_in: { type: 'integer', description: 'Segundos; 3600 se falta' },
    },
    ['refresh_token', 'expires_in'],
  ),
  Erro: object({
    errorCode: { type: ['integer', 'string'] },
    errorMessage: { type: 'string', description: 'Até 300 letras, sem pilha de erro: o operador lê isto' },
  }),
}

const content = (schema: string): Json => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
})
const answer = (description: string, schema: string): Json => ({ description, content: content(schema) })
const refused = { 401: answer('Token vencido ou recusado', 'Erro') }

const query = (names: Record<string, string>, optional: readonly string[] = []): Json[] =>
  Object.entries(names).map(([name, description]) => ({
    name,
    in: 'query',
    required: !optional.includes(name),
    description,
    schema: { type: 'string' },
  }))

const tenant = { $ref: '#/components/parameters/tenantId' }
const [page, pageSize] = ['Página, a partir de 1', 'Linhas por página: 100']

const queryTexts: Record<string, string> = {
  filial: 'A mesma do tenantId',
  termo: 'Ordem inteira, ou código de barras',
  tipo: 'CODBAR para 22 caracteres, senão OP',
  modo: 'APONTAMENTO ou CONFERENCIA_CORTE',
  numeroOp: 'Ordem de produção',
}
/** The parameters of a list, as the gateway writes them. */
const queryOf = (parameters: Record<string, string>, more: Record<string, string> = {}): Json[] =>
  query({
    ...Object.fromEntries(Object.keys(parameters).map((name) => [name, more[name] ?? queryTexts[name] ?? ''])),
    page,
    pageSize,
  })

const read = (summary: string, parameters: Json[], schema: string, none: string | null): Json => ({
  get: {
    summary,
    parameters: [tenant, ...parameters],
    responses: { 200: answer('Achado', schema), ...(none ? { 404: answer(none, 'Erro') } : {}), ...refused },
  },
})

const write = (summary: string, schema: string, statuses: readonly number[]): Json => ({
  post: {
    summary,
    parameters: [tenant, { $ref: '#/components/parameters/IdempotencyKey' }],
    requestBody: { required: true, content: content(schema) },
    responses: {
      ...Object.fromEntries(
        statuses.map((status) => [
          status,
          answer(status === 201 ? 'Gravado' : 'Gravado, ou já estava: nada foi somado', 'Gravado'),
        ]),
      ),
      400: answer('Recusado, com as palavras para o operador', 'Erro'),
      409: answer('O identificador já é de outro apontamento', 'Erro'),
      ...refused,
    },
  },
})

const operations: Record<Path, Json> = {
  token: {
    post: {
      summary: 'Entrar, e renovar a entrada',
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: object(
              {
                grant_type: { type: 'string', enum: ['password', 'refresh_token'] },
                username: { type: 'string' },
                password: { type: 'string' },
                refresh_token: { type: 'string' },
              },
              ['username', 'password', 'refresh_token'],
            ),
          },
        },
      },
      responses: { 201: answer('Entrou', 'Token'), 401: answer('Usuário ou senha recusados', 'Erro') },
    },
  },
  items: read(
    'Itens de uma ordem, ou o de um código de barras',
    queryOf(searchItems.query({ branch: '', term: '', mode: 'APONTAMENTO' })),
    'Itens',
    null,
  ),
  recordings: write('Apontar corte, ou crimpagem de um lado', 'Apontamento', [201, 200]),
  receipts: write('Confirmar o recebimento de um item na conferência', 'Conferencia', [200]),
  machines: read(
    'Máquinas de uma filial, de um tipo ou todas',
    queryOf(listMachines.query({ branch: '', type: 'cabo' }), {
      tipo: 'CABO, TERMINAL_LD1, TERMINAL_LD2 ou JUNCAO; falta: todas',
    }),
    'Maquinas',
    null,
  ),
  junctions: read('Junções de uma ordem', queryOf(searchJunctions.query({ branch: '', order: '' })), 'Juncoes', null),
  junctionDetails: read(
    'Uma junção: grupo, circuitos e teste',
    query({ filial: queryTexts.filial ?? '', numeroOp: queryTexts.numeroOp ?? '', posicao: 'Vazia: todas' }),
    'DetalhesDaJuncao',
    'Não há esta junção',
  ),
  junctionRecordings: write('Apontar peças de uma junção', 'ApontamentoDeJuncao', [201, 200]),
  integrations: read(
    'Um apontamento pelo identificador',
    [{ name: 'id', in: 'path', required: true, description: fieldText('ID_INTEGRACAO'), schema: { type: 'string' } }],
    'Integracao',
    'O identificador não é conhecido: nada foi gravado com ele',
  ),
  probe: {
    get: {
      summary: 'Sinal de vida, sem entrar, a cada 15 segundos no máximo',
      security: [],
      responses: { 200: { description: 'No ar; qualquer resposta serve' } },
    },
  },
}

/** What an ERP must serve, in the words of what the adapter reads and writes. */
export const openapi = (): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'O que o Painel Industrial pede ao ERP',
    version: SPECIFIED_VERSION,
    description:
      'Caminhos e formatos mudam por ERP_CONFIG (docs/manual/protheus-referencia.md). Os nomes dos campos, não.',
  },
  servers: [{ url: 'http://erp:8080/rest', description: 'ERP_URL' }],
  security: [{ token: [] }, { basic: [] }],
  paths: Object.fromEntries(
    (Object.keys(settings.paths) as Path[]).map((name) => [settings.paths[name], operations[name]]),
  ),
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' }, basic: { type: 'http', scheme: 'basic' } },
    parameters: {
      tenantId: {
        name: 'tenantId',
        in: 'header',
        required: true,
        description: 'Grupo de empresas e filial, sem branco depois da vírgula',
        schema: { type: 'string' },
        example: '01,010101',
      },
      IdempotencyKey: {
        name: 'Idempotency-Key',
        in: 'header',
        required: true,
        description: 'Igual a ID_INTEGRACAO do corpo',
        schema: { type: 'string' },
      },
    },
    schemas,
  },
})
