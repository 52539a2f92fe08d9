import { failure } from './calls.ts'
import type { ErpGateway, ErpHealth, WriteOutcome } from './gateway.ts'

const health = (): ErpHealth => ({
  ...{ online: false, latencyMs: null, lastOkAt: null, fault: null, isSpared: false },
  ...{ isStandIn: null, isOther: false, access: 'ok', isAccessKnown: false, isConfigured: false },
})

const refuse = async (): Promise<never> => {
  throw failure('unconfigured')
}

const notSent = async (): Promise<WriteOutcome> => ({
  outcome: 'not_sent',
  kind: 'unavailable',
  message: failure('unconfigured').message,
})

/** In the place of the ERP of a plant that has not named one yet: reads are refused in words, and what is to be sent waits. */
export const openUnconfigured = (): ErpGateway => ({
  searchItems: refuse,
  listMachines: refuse,
  searchJunctions: refuse,
  junctionDetails: refuse,
  recordCutCrimp: notSent,
  recordJunction: notSent,
  confirmReceipt: notSent,
  findByIntegrationId: refuse,
  health,
  probe: async () => health(),
  writeTimeoutMs: 0,
  close: async () => {},
})
