import { expect, test } from 'vitest'
import type { Fault } from '../../src/erp-simulator/faults.ts'
import { addUser, crimpOf, openTestPanel } from '../harness.ts'

const PIECES = 30

/**
 * Where the ERP cannot be asked by id, what it had registered before a sending decides what became of it. A read that
 * said too little would make an unstored recording look stored: it is not believed, and a person decides.
 */
test.each([
  ['gives no rows', { id: 'F18', operation: 'itens' }],
  ['gives rows of the other plant', { id: 'F24' }],
  ['is 30 s behind its writes', { id: 'F28' }],
] as [string, Fault][])(
  'an ERP without look-up that %s before a sending that hangs: a person is asked',
  async (_, fault) => {
    const panel = await openTestPanel({
      env: { ERP_LOOKUP: 'none' },
      simulator: { lookup: false, dedup: false },
      timeouts: { writeMs: 1000, queueMs: 5000 },
      answerWaitMs: 10_000,
    })
    await addUser(panel.context, { username: 'operador' })
    const { token } = await panel.login('operador')
    await panel.record(token, crimpOf(PIECES))
    await panel.simulator.state.setFaults([fault, { id: 'F05' }])
    expect((await panel.record(token, crimpOf(PIECES))).statusCode).toBe(202)
    for (let round = 0; round < 12; round++) {
      panel.clock.advance(65_000)
      await panel.context.outbox.deliverDue()
    }
    const { pendencias } = (await panel.ask(token, { url: '/api/pendencias' })).json()
    expect(pendencias).toMatchObject([
      { situacao: 'incerto', motivo: 'O ERP não sabe dizer se já tem este apontamento.', tentativas: 1 },
    ])
    expect(panel.simulator.state.writes).toHaveLength(1)
    expect(panel.errors.some((line) => line.includes('a person must decide'))).toBe(true)
    panel.errors.length = 0
  },
)
