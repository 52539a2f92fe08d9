import { startErpSimulator } from '../../demo/simulator/simulator.ts'
import type { JunctionRecording } from '../../src/contract/junctions.ts'
import type { CutCrimpRecording } from '../../src/contract/recordings.ts'
import type { ErpGateway } from '../../src/server/erp/gateway.ts'
import { type HttpRequest, openHttp } from '../../src/server/erp/http.ts'
import { openProtheus } from '../../src/server/erp/protheus.ts'
import { ErpSettings } from '../../src/server/erp/settings.ts'

/** One request of the gateway and the answer that the imitated ERP gave. */
export type Example = {
  name: string
  request: { method: string; path: string; headers: Record<string, string>; body?: unknown }
  answer: { status: number; body: unknown }
}

const BRANCH = '010101'
const ORDER = '01621401001'
const BARCODE = '0101621401001000010007'
/** One item only. */
const SHORT_ORDER = '01622201001'
const idOf = (at: number) => `6f1c6a0e-6a5e-4a4f-9b0b-2a3c0a7d11e${at}`

const side = {
  EMPRESA: BRANCH,
  OPERADOR: 'Maria Conceição',
  ORDEM_PROD: ORDER,
  QTD_ORDEM_PROD: 120,
  QTD_REALIZADA: 60,
  COD_BARRA: BARCODE,
  MAQUINA: 'KX0001 - Komax',
}
const cut: CutCrimpRecording = { ...side, COD_CABO: 'CB050AMVD', LOTE_CABO: 'L261118004', COMPRIMENTO_CABO: 1250 }
const crimp: CutCrimpRecording = {
  ...side,
  TERM_LD1: 'T1326030',
  FORCA_LD1: 72,
  ALTURA_LD1: 1.1,
  LOTE_TERM_LD1: 'B26-009941/3',
  MA_LD1: 'MA-0001',
  SELO_LD1: 'S0963244',
  SELADORA_LD1: 'Seladora 01',
}
const joint: JunctionRecording = {
  FILIAL: BRANCH,
  NUMERO_OP: ORDER,
  TIPO_REGISTRO: 'JUNCAO',
  POSICAO: 'J 02/A',
  QTD_PECAS: 120,
  QTD_APONTADA: 10,
  DATA: '2026-11-21',
  OPERADOR: 'maria',
  FORCA: 92.5,
  MAQUINA: 'SP0001 - Mecal',
  GRUPO_MP: 'TERMINAIS',
  ALTURA: 1.52,
  LOTE_TERMINAL: 'B23-004517/2',
  TERMINAL: 'T1062914',
  ESTANQUEIDADE: 'Sim',
}

const record = (erp: ErpGateway, payload: CutCrimpRecording, at: number) =>
  erp.recordCutCrimp({ branch: BRANCH, payload, integrationId: idOf(at) })

/** In the order of a working day; each makes one call. */
const steps: readonly [name: string, call: (erp: ErpGateway) => Promise<unknown>][] = [
  ['Sinal de vida', (erp) => erp.probe()],
  ['Itens de uma ordem', (erp) => erp.searchItems({ branch: BRANCH, term: SHORT_ORDER, mode: 'APONTAMENTO' })],
  ['Item de um código de barras', (erp) => erp.searchItems({ branch: BRANCH, term: BARCODE, mode: 'APONTAMENTO' })],
  ['Ordem que não existe', (erp) => erp.searchItems({ branch: BRANCH, term: '99999999999', mode: 'APONTAMENTO' })],
  ['Máquinas de corte', (erp) => erp.listMachines({ branch: BRANCH, type: 'cabo' })],
  ['Corte', (erp) => record(erp, cut, 1)],
  ['O mesmo corte outra vez', (erp) => record(erp, cut, 1)],
  ['Crimpagem do lado 1, com selo', (erp) => record(erp, crimp, 2)],
  ['Corte acima do saldo', (erp) => record(erp, { ...cut, QTD_REALIZADA: 61 }, 3)],
  ['Identificador de outro apontamento', (erp) => record(erp, { ...cut, QTD_REALIZADA: 5 }, 1)],
  ['Apontamento gravado', (erp) => erp.findByIntegrationId({ branch: BRANCH, integrationId: idOf(1) })],
  ['Apontamento recusado', (erp) => erp.findByIntegrationId({ branch: BRANCH, integrationId: idOf(3) })],
  ['Identificador desconhecido', (erp) => erp.findByIntegrationId({ branch: BRANCH, integrationId: idOf(9) })],
  [
    'Conferência',
    (erp) =>
      erp.confirmReceipt({
        branch: BRANCH,
        barcode: BARCODE,
        operator: 'maria',
        at: { day: '2026-11-21', time: '09:00:00' },
        integrationId: idOf(4),
      }),
  ],
  ['Junções de uma ordem', (erp) => erp.searchJunctions({ branch: BRANCH, order: ORDER })],
  ['Uma junção', (erp) => erp.junctionDetails({ branch: BRANCH, order: ORDER, position: 'J 02/A' })],
  ['Apontamento de junção', (erp) => erp.recordJunction({ branch: BRANCH, payload: joint, integrationId: idOf(5) })],
]

const shownTokens = (text: string) => text.replace(/eyJ[\w-]+/g, 'eyJ…')

/** A password or token in an example would be somebody's. */
function exampleOf(name: string, { method, url, headers, body }: HttpRequest, status: number, text: string): Example {
  const { pathname, search } = new URL(url)
  const isForm = headers['Content-Type']?.startsWith('application/x-www') === true
  const shown = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, shownTokens(value)]))
  return {
    name,
    request: {
      method,
      path: pathname.replace(/^\/rest/, '') + search,
      headers: shown,
      ...(body ? { body: isForm ? shownTokens(body) : JSON.parse(body) } : {}),
    },
    answer: { status, body: JSON.parse(shownTokens(text)) },
  }
}

/** The gateway at work against the imitated ERP, as it went over the line. */
export async function recordExamples(): Promise<Example[]> {
  const clock = { ms: Date.UTC(2026, 10, 21, 12) }
  const now = () => clock.ms
  const simulator = await startErpSimulator({ now, password: 'senha' })
  const client = openHttp({ baseUrl: simulator.url, connectMs: 3000 })
  const examples: Example[] = []
  let current = ''
  const erp = openProtheus({
    url: simulator.url,
    user: 'painel',
    password: 'senha',
    company: '01',
    maxConcurrent: 1,
    lookup: 'id',
    settings: ErpSettings.parse({}),
    now,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    http: {
      async exchange(request) {
        const bytes = await client.exchange(request)
        const isLogin = request.url.endsWith('/token')
        const isRenewal = isLogin && request.body?.includes('grant_type=refresh') === true
        const name = isLogin ? (isRenewal ? 'Renovar a entrada' : 'Entrar') : current
        examples.push(exampleOf(name, request, bytes.status, bytes.body.toString('utf8')))
        return bytes
      },
      close: () => client.close(),
    },
  })
  try {
    for (const [name, call] of steps) {
      current = name
      // the last call comes when the token is to be renewed
      if (name === steps.at(-1)?.[0]) clock.ms += 50 * 60_000
      await call(erp)
    }
    return examples
  } finally {
    await erp.close()
    await simulator.close()
  }
}

/** For editors that send requests from a text. */
export const httpText = (examples: readonly Example[]): string =>
  [
    '# Uma pergunta de cada chamada do painel, e em comentário a resposta esperada. Para editores que mandam arquivos .http.',
    '@erp = http://erp:8080/rest',
    '@token = eyJ…',
    ...examples.flatMap(({ name, request: { method, path, headers, body }, answer }) => [
      '',
      `### ${name}`,
      `${method} {{erp}}${path}`,
      ...Object.entries(headers).map(([key, value]) => `${key}: ${value.replace('eyJ…', '{{token}}')}`),
      ...(body === undefined ? [] : ['', typeof body === 'string' ? body : JSON.stringify(body, null, 2)]),
      '',
      `# ${answer.status}`,
      ...JSON.stringify(answer.body, null, 2)
        .split('\n')
        .map((line) => `# ${line}`),
    ]),
    '',
  ].join('\n')
