import { randomUUID } from 'node:crypto'
import type { CutCrimpRecording } from '../../src/contract/recordings.ts'
import { type ErpSimulator, type ErpSimulatorOptions, startErpSimulator } from '../../src/erp-simulator/simulator.ts'
import type { ErpFailure, ErpGateway } from '../../src/server/erp/gateway.ts'
import { openProtheus, type ProtheusOptions } from '../../src/server/erp/protheus.ts'
import { ErpSettings } from '../../src/server/erp/settings.ts'

export const BRANCH = '010101'
export const ORDER = '01621401001'
export const UNTOUCHED = '0101621401001000010007'
export const PASSWORD = 'senha-do-erp'

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
  const simulator = await startErpSimulator({ now, password: PASSWORD, ...simulated })
  const logged: Erp['logged'] = []
  const logAs = (level: string) => (fields: object, message: string) => logged.push({ level, fields, message })
  const opened: ErpGateway[] = []
  const open = (options: Partial<ProtheusOptions>) => {
    const gateway = openProtheus({
      url: simulator.url,
      user: 'painel',
      password: PASSWORD,
      company: '01',
      maxConcurrent: 2,
      lookup: 'id',
      settings: ErpSettings.parse({}),
      now,
      log: { info: logAs('info'), warn: logAs('warn'), error: logAs('error') },
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

export const search = (gateway: ErpGateway, term = ORDER) =>
  gateway.searchItems({ branch: BRANCH, term, mode: 'APONTAMENTO' })

export const record = (gateway: ErpGateway, payload = cut(), integrationId: string = randomUUID()) =>
  gateway.recordCutCrimp({ branch: BRANCH, payload, integrationId })

export const find = (gateway: ErpGateway, integrationId: string) =>
  gateway.findByIntegrationId({ branch: BRANCH, integrationId })

/** Kind and message of the failure, for comparing. */
export const failureOf = (promise: Promise<unknown>): Promise<{ kind: string; message: string } | null> =>
  promise.then(
    () => null,
    ({ kind, message }: ErpFailure) => ({ kind, message }),
  )
