import { type ErpSimulator, type ErpSimulatorOptions, startErpSimulator } from '../../demo/simulator/simulator.ts'

export const CLASS = '/p1/ApontamentoProducao'
export const UNTOUCHED = '0101621401001000010007'
export const HALF_CUT = '010162140100100002000S'
export const SINGLE = '0101622201001000010015'

/** The bytes as they came, for whoever wants to see what the wire carried. */
type Heard = { status: number; contentType: string; bytes: Buffer; body: () => Record<string, unknown> }

export type TestClient = {
  simulator: ErpSimulator
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Heard>
  search(term: string, more?: string): Promise<Heard>
  record(body: Record<string, unknown>): Promise<Heard>
  /** Sends a recording that nobody answers, until its fate is in the log; then the caller gives up. */
  recordUnanswered(body: Record<string, unknown>): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export async function hear(answer: Response): Promise<Heard> {
  const bytes = Buffer.from(await answer.arrayBuffer())
  return {
    status: answer.status,
    contentType: answer.headers.get('content-type') ?? '',
    bytes,
    body: () => JSON.parse(bytes.toString('utf8')),
  }
}

/** Cut of one item; with a side, its crimp. */
export const cut = (barcode: string, pieces: number, id: string, more: Record<string, unknown> = {}) => ({
  EMPRESA: barcode.startsWith('02') ? '020101' : '010101',
  OPERADOR: 'Maria Souza',
  ORDEM_PROD: barcode.slice(2, 13),
  QTD_REALIZADA: pieces,
  COD_BARRA: barcode,
  MAQUINA: 'KX0001 - Komax',
  COD_CABO: 'CB050AMVD',
  LOTE_CABO: 'L261118004',
  COMPRIMENTO_CABO: 1250,
  ID_INTEGRACAO: id,
  ...more,
})

export const crimp = (barcode: string, side: 1 | 2, terminal: string, pieces: number, id: string) => {
  const { COD_CABO, LOTE_CABO, COMPRIMENTO_CABO, ...common } = cut(barcode, pieces, id)
  return {
    ...common,
    [`TERM_LD${side}`]: terminal,
    [`FORCA_LD${side}`]: 71,
    [`ALTURA_LD${side}`]: 1.1,
    [`LOTE_TERM_LD${side}`]: 'B23-004517/2',
    [`MA_LD${side}`]: 'MA-0001',
  }
}

/** A simulator of its own, and somebody who may call it. */
export async function startTestClient(options: ErpSimulatorOptions = {}): Promise<TestClient> {
  const simulator = await startErpSimulator(options)
  const basic = `Basic ${Buffer.from('painel:painel').toString('base64')}`
  const request = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ) =>
    fetch(simulator.url + path, {
      method,
      headers: { authorization: basic, tenantId: '01,010101', 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
  const call: TestClient['call'] = async (...given) => hear(await request(...given))
  return {
    simulator,
    call,
    search: (term, more = '') => call('GET', `${CLASS}/itens?filial=010101&termo=${encodeURIComponent(term)}${more}`),
    record: (body) => call('POST', `${CLASS}/apontamentos`, body),
    async recordUnanswered(body) {
      const given = new AbortController()
      const before = simulator.state.log.length
      const answer = request('POST', `${CLASS}/apontamentos`, body, {}, given.signal).then(
        (early) => {
          throw new Error(`Answered with ${early.status}`)
        },
        () => 'gave up',
      )
      while (simulator.state.log[before]?.outcome !== 'silence') await new Promise(setImmediate)
      given.abort()
      await answer
    },
    [Symbol.asyncDispose]: () => simulator.close(),
  }
}
