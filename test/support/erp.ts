import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { onTestFinished } from 'vitest'
import { STAND_IN_HEADER } from '../../demo/simulator/http.ts'
import { type ErpSimulator, type ErpSimulatorOptions, startErpSimulator } from '../../demo/simulator/simulator.ts'
import type { JunctionRecording } from '../../src/contract/junctions.ts'
import type { CutCrimpRecording } from '../../src/contract/recordings.ts'
import type { ErpFailure, ErpGateway } from '../../src/server/erp/gateway.ts'
import { openProtheus, type ProtheusOptions } from '../../src/server/erp/protheus.ts'
import { ErpSettings } from '../../src/server/erp/settings.ts'
import { openLog } from '../../src/server/upkeep/log-keeper.ts'
import { SILENCE_MS } from './harness.ts'

export const BRANCH = '010101'
export const ORDER = '01621401001'
export const UNTOUCHED = '0101621401001000010007'
export const PASSWORD = 'senha-do-erp'

/** How a panel is let in, and asks, where a test does not speak of it. */
export const erpAccess = {
  ...{ user: 'painel', password: PASSWORD, company: '01' },
  ...{ maxConcurrent: 2, lookup: 'id', settings: ErpSettings.parse({}) },
} satisfies Partial<ProtheusOptions>

export type Erp = {
  gateway: ErpGateway
  simulator: ErpSimulator
  /** The clock of both sides. */
  clock: { ms: number }
  logged: { level: string; fields: object; message: string }[]
  /** Another gateway to the same ERP. */
  open(options: Partial<ProtheusOptions>): ErpGateway
  [Symbol.asyncDispose](): Promise<void>
}

/** The adapter and, over HTTP, the ERP that is imitated. */
export async function startErp(
  simulated: ErpSimulatorOptions = {},
  adapted: Partial<ProtheusOptions> = {},
): Promise<Erp> {
  const clock = { ms: Date.UTC(2026, 10, 21, 12) }
  const now = () => clock.ms
  const simulator = await startErpSimulator({ now, password: PASSWORD, silenceMs: SILENCE_MS, ...simulated })
  const logged: Erp['logged'] = []
  const write = (line: string) => {
    const { level, msg: message, time: _, ...fields } = JSON.parse(line)
    logged.push({ level: pino.levels.labels[level] ?? '', fields, message })
  }
  const log = openLog('silent', { write }, { write: () => undefined }, now)
  const opened: ErpGateway[] = []
  const open = (options: Partial<ProtheusOptions>) => {
    const gateway = openProtheus({
      url: simulator.url,
      ...erpAccess,
      now,
      log,
      ...adapted,
      ...options,
    })
    opened.push(gateway)
    return gateway
  }
  return {
    gateway: open({}),
    simulator,
    clock,
    logged,
    open,
    async [Symbol.asyncDispose]() {
      for (const gateway of opened) await gateway.close()
      await simulator.close()
    },
  }
}

/** Answers as the ERP that is imitated, but for its saying so. Resolves to its address. */
export async function startRealErp(simulatorUrl: string): Promise<string> {
  const server = createServer((request, response) => {
    const { method, url, headers } = request
    const onward = ask(new URL(url ?? '', simulatorUrl), { method, headers }, (answer) => {
      const { [STAND_IN_HEADER]: _, ...others } = answer.headers
      response.writeHead(answer.statusCode ?? 0, others)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/rest`
}

export const calls = (erp: Erp, operation: string) =>
  erp.simulator.state.log.filter((entry) => entry.operation === operation)

export const faults = (erp: Erp, ...given: Parameters<ErpSimulator['state']['setFaults']>[0]) =>
  erp.simulator.state.setFaults(given)

export const cut = (pieces = 10, more: Partial<CutCrimpRecording> = {}): CutCrimpRecording => ({
  EMPRESA: BRANCH,
  OPERADOR: 'João Conceição',
  ORDEM_PROD: ORDER,
  QTD_ORDEM_PROD: 120,
  QTD_REALIZADA: pieces,
  COD_BARRA: UNTOUCHED,
  MAQUINA: 'KX0001 - Komax',
  COD_CABO: 'CB050AMVD',
  LOTE_CABO: 'L261118004',
  COMPRIMENTO_CABO: 1250,
  ...more,
})

export const search = async (gateway: ErpGateway, term = ORDER) =>
  (await gateway.searchItems({ branch: BRANCH, term, mode: 'APONTAMENTO' })).rows

export const record = (gateway: ErpGateway, payload = cut(), integrationId: string = randomUUID()) =>
  gateway.recordCutCrimp({ branch: BRANCH, payload, integrationId })

export const POSITION = 'J 02/A'
/** Pieces of the position that has a blank and a slash in its name. */
export const joint = (pieces = 10, more: Partial<JunctionRecording> = {}): JunctionRecording => ({
  FILIAL: BRANCH,
  NUMERO_OP: ORDER,
  TIPO_REGISTRO: 'JUNCAO',
  POSICAO: POSITION,
  QTD_PECAS: 120,
  QTD_APONTADA: pieces,
  DATA: '2026-11-21',
  OPERADOR: 'João Conceição',
  FORCA: 92.5,
  MAQUINA: 'SP0001 - Mecal',
  GRUPO_MP: 'TERMINAIS',
  ALTURA: 1.52,
  LOTE_TERMINAL: 'B23-004517/2',
  TERMINAL: 'T1062914',
  ESTANQUEIDADE: 'Sim',
  ...more,
})

export const listJoints = async (gateway: ErpGateway, order = ORDER) =>
  (await gateway.searchJunctions({ branch: BRANCH, order })).rows

export const describeJoint = (gateway: ErpGateway, position = POSITION) =>
  gateway.junctionDetails({ branch: BRANCH, order: ORDER, position })

export const recordJoint = (gateway: ErpGateway, payload = joint(), integrationId: string = randomUUID()) =>
  gateway.recordJunction({ branch: BRANCH, payload, integrationId })

export const receive = (gateway: ErpGateway, barcode = UNTOUCHED, integrationId: string = randomUUID()) =>
  gateway.confirmReceipt({
    branch: BRANCH,
    barcode,
    operator: 'João Conceição',
    at: { day: '2026-11-21', time: '09:41:07' },
    integrationId,
  })

export const find = (gateway: ErpGateway, integrationId: string) =>
  gateway.findByIntegrationId({ branch: BRANCH, integrationId })

/** Kind and message of the failure, for comparing. */
export const failureOf = (promise: Promise<unknown>): Promise<{ kind: string; message: string } | null> =>
  promise.then(
    () => null,
    ({ kind, message }: ErpFailure) => ({ kind, message }),
  )
