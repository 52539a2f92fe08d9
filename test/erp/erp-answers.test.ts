import { describe, expect, test } from 'vitest'
import type { Fault } from '../../demo/simulator/faults.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { type ErrorReply, type RefusalCode, refusals } from '../../src/contract/errors.ts'
import { items } from '../../src/contract/items.ts'
import { machines } from '../../src/contract/machines.ts'
import { recordings } from '../../src/contract/recordings.ts'
import { refusalsOf } from '../../src/server/http/openapi.ts'
import { goodOf, nameOf, requestOf } from '../support/bad-input/requests.ts'
import { addUser, openTestPanel } from '../support/harness.ts'
import { limitMs, STEP_MS } from '../support/slowness.ts'

/** A recording of an item that was never searched here reads it first. */
const reading: Endpoint[] = [items.search, items.get, machines.list, recordings.createCutCrimp]

const failures: [what: string, fault: Fault, code: RefusalCode, message?: string][] = [
  ['is busy', { id: 'F03', ms: 0 }, 'erp_busy'],
  ['has no licence left', { id: 'F04' }, 'erp_busy'],
  ['refuses under status 200', { id: 'F09', message: 'Filial bloqueada' }, 'erp_refused', 'Filial bloqueada'],
  ['refuses in JSON within JSON', { id: 'F19', message: 'Filial bloqueada' }, 'erp_refused', 'Filial bloqueada'],
  ['refuses in the newer shape', { id: 'F20', message: 'Filial bloqueada' }, 'erp_refused', 'Filial bloqueada'],
  ['shows its error page', { id: 'F11' }, 'erp_bad_answer'],
  ['is cut off in the middle', { id: 'F12' }, 'erp_bad_answer'],
  ['takes no token', { id: 'F22' }, 'erp_auth'],
  ['is under maintenance', { id: 'F31' }, 'erp_unavailable'],
  ['is not there', { id: 'F31', variant: 'refused' }, 'erp_unavailable'],
  ['does not answer in time', { id: 'F01', ms: 60_000 }, 'erp_timeout'],
]

describe('without a copy, an operator is told that the ERP', () => {
  test.each(failures)('%s', async (_, fault, code, message = refusals[code].message) => {
    // the calls behind one that waits are refused as busy after a while, which grows on a slow machine like the other
    const timeouts = { readMs: STEP_MS, queueMs: limitMs(30_000) }
    const panel = await openTestPanel(fault.id === 'F01' ? { timeouts } : {})
    await addUser(panel.context, { username: 'operador' })
    const { token } = await panel.login('operador')
    await panel.simulator.state.setFaults([{ ...fault, count: null }])
    for (const endpoint of reading) {
      // after a few failures the ERP is left alone for a while
      panel.clock.advance(20_000)
      const answer = await panel.ask(token, requestOf(endpoint, goodOf(endpoint)))
      const name = nameOf(endpoint)
      expect([answer.statusCode, answer.json<ErrorReply>()], name).toEqual([refusals[code].status, { message, code }])
      expect(refusalsOf(endpoint), name).toContain(code)
    }
  })
})
