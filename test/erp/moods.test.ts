import { describe, expect, test, vi } from 'vitest'
import { type CutCrimpRecording, RECORDED_MESSAGE, WAITING_MESSAGE } from '../../src/contract/recordings.ts'
import { type Fault, type FaultId, faultIds } from '../../src/erp-simulator/faults.ts'
import { findUnit, listCounterDeviations } from '../../src/server/store/applicators.ts'
import { addUser, crimpOf, cutOf, openTestPanel, type TestPanel, UNTOUCHED } from '../support/harness.ts'

const PIECES = 30

/** Everything that a plant's ERP may be able to do for us, and an ERP that can do nothing of it. */
const modes = {
  'asked by id, and storing an id once': { env: {}, simulator: {} },
  'with neither look-up nor dedup': { env: { ERP_LOOKUP: 'none' }, simulator: { lookup: false, dedup: false } },
}
type Mode = keyof typeof modes
const modeNames = Object.keys(modes) as Mode[]

async function setUp(mode: Mode, more: Parameters<typeof openTestPanel>[0] = {}) {
  const { env, simulator } = modes[mode]
  const panel = await openTestPanel({
    env,
    simulator: { instances: 8, ...simulator },
    timeouts: { readMs: 5000, writeMs: 1000, queueMs: 5000 },
    answerWaitMs: 10_000,
    ...more,
  })
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  // the ERP has confirmed something before, as it will have in any plant
  await panel.record(token, cutOf(1))
  return { ...panel, token }
}

const rowsOf = ({ simulator }: TestPanel) => simulator.state.writes.filter(({ section }) => section === 'side1').length
const counterOf = async ({ db }: TestPanel) => (await findUnit(db.read, 'MA-0001'))?.crimps ?? 0
const pendingOf = async ({ app }: TestPanel) => (await app.inject('/api/status')).json<{ pending: number }>().pending

/** The ERP is well again, and time goes by. */
async function settle(panel: TestPanel): Promise<void> {
  await vi.waitUntil(() => panel.simulator.state.log.every(({ outcome }) => outcome !== null), { timeout: 10_000 })
  await panel.simulator.state.setFaults([])
  for (let round = 0; round < 12; round++) {
    panel.clock.advance(65_000)
    await panel.context.outbox.deliverDue()
  }
}

/** What the operator hears, the ERP's rows at that instant, and what it all comes to. */
type Fate = {
  says: [status: number, message: string]
  rowsThen: 0 | 1
  rows: 0 | 1
  counted: 0 | typeof PIECES
  pending: 0 | 1
}
const recorded: Fate = { says: [201, RECORDED_MESSAGE], rowsThen: 1, rows: 1, counted: PIECES, pending: 0 }
const deliveredLater: Fate = { ...recorded, says: [202, WAITING_MESSAGE], rowsThen: 0 }
const foundLater: Fate = { ...deliveredLater, rowsThen: 1 }
const refused = (message: string): Fate => ({ says: [422, message], rowsThen: 0, rows: 0, counted: 0, pending: 0 })

const unknownMachine: Partial<CutCrimpRecording> = { MAQUINA: 'Não há' }
const accents = refused('Máquina não cadastrada')
const blocked = refused('Lote bloqueado')

type Mood = [what: string, faults: Fault[], fate: Fate, payload?: Partial<CutCrimpRecording>]
const moods: Mood[] = [
  ['slow, within the limit', [{ id: 'F01', ms: 50, count: null }], recorded],
  ['slow, beyond the limit', [{ id: 'F01', ms: 3000, operation: 'apontamentos' }], deliveredLater],
  ['starting a cold worker', [{ id: 'F02', ms: 20, count: null }], recorded],
  ['full', [{ id: 'F03', ms: 0, operation: 'apontamentos' }], deliveredLater],
  ['out of licences', [{ id: 'F04', operation: 'apontamentos' }], deliveredLater],
  ['hanging, nothing stored', [{ id: 'F05' }], deliveredLater],
  ['storing and then hanging', [{ id: 'F06' }], foundLater],
  ['storing and then resetting', [{ id: 'F06', variant: 'reset' }], foundLater],
  ['storing and then crashing', [{ id: 'F07' }], foundLater],
  ['storing 45 s later', [{ id: 'F08' }], deliveredLater],
  ['refusing under status 200', [{ id: 'F09', operation: 'apontamentos' }], blocked],
  ['storing and answering nothing', [{ id: 'F10', operation: 'apontamentos' }], foundLater],
  ['showing its error page', [{ id: 'F11', operation: 'apontamentos' }], deliveredLater],
  ['storing and answering half', [{ id: 'F12', operation: 'apontamentos' }], foundLater],
  ['answering twice', [{ id: 'F13', count: null }], recorded],
  ['calling its JSON HTML', [{ id: 'F14', count: null }], recorded],
  ['writing CP1252 and saying so', [{ id: 'F15', count: null }], accents, unknownMachine],
  ['writing CP1252 and saying UTF-8', [{ id: 'F16', count: null }], accents, unknownMachine],
  ['encoding twice', [{ id: 'F17', count: null }], accents, unknownMachine],
  ['storing and answering null', [{ id: 'F18', operation: 'apontamentos' }], foundLater],
  ['refusing in JSON within JSON', [{ id: 'F19', operation: 'apontamentos' }], blocked],
  ['refusing in the newer shape', [{ id: 'F20', operation: 'apontamentos' }], blocked],
  ['holding the row for the office', [{ id: 'F21', ms: 20 }], refused('registro bloqueado por outro usuário')],
  ['forgetting a token', [{ id: 'F22', operation: 'apontamentos' }], recorded],
  ['taking no token', [{ id: 'F22', operation: 'apontamentos', count: null }], deliveredLater],
  ['forgetting a token and its refresh', [{ id: 'F22', operation: 'apontamentos' }, { id: 'F23' }], recorded],
  ['full of rows of the other plant', [{ id: 'F24', count: 1 }], recorded],
  ['listing as a bare array', [{ id: 'F25', count: null }], recorded],
  ['writing numbers as text', [{ id: 'F26', count: null }], recorded],
  ['repeating its page', [{ id: 'F27', count: null }], recorded],
  ['reading 30 s behind its writes', [{ id: 'F28', count: null }, { id: 'F06' }], foundLater],
  ['closing the order meanwhile', [{ id: 'F29' }], refused('Ordem de produção encerrada')],
  ['selling the balance to somebody else', [{ id: 'F30' }], refused('Quantidade excede o saldo da ordem (saldo 0)')],
  ['in maintenance', [{ id: 'F31', count: null }], deliveredLater],
  ['not there at all', [{ id: 'F31', variant: 'refused' }], deliveredLater],
  ['closing idle connections', [{ id: 'F32', count: null }], recorded],
  ['deleting the row meanwhile', [{ id: 'F33' }], refused('Código de barras não encontrado')],
]

describe.each(modeNames)('a recording, and an ERP %s', (mode) => {
  test.each(moods.map(([what, faults, fate, payload]) => ({ what, faults, fate, payload, id: faults[0]?.id })))(
    '$id: $what',
    async ({ faults, fate, payload }) => {
      const panel = await setUp(mode)
      await panel.simulator.state.setFaults(faults)
      const answer = await panel.record(panel.token, { ...crimpOf(PIECES), ...payload })
      const { message, code } = answer.json<{ message: string; code?: string }>()
      expect([answer.statusCode, message]).toEqual(fate.says)
      expect(code).toBe(answer.statusCode === 422 ? 'erp_refused' : undefined)
      expect(rowsOf(panel), 'rows while it goes on').toBe(fate.rowsThen)
      await settle(panel)
      expect([rowsOf(panel), await counterOf(panel), await pendingOf(panel)]).toEqual([
        fate.rows,
        fate.counted,
        fate.pending,
      ])
      expect(await listCounterDeviations(panel.db.read)).toEqual([])
      // the ERP drops them, and the log says so loudly
      if (faults.some(({ id }) => id === 'F24')) panel.errors.length = 0
    },
  )
})

test('every fault there is has its mood', () => {
  const shown = new Set<FaultId>(moods.flatMap(([, faults]) => faults.map(({ id }) => id)))
  expect([...shown].sort()).toEqual([...faultIds].sort())
})

test('F21 as long as in the field: told as saved, then refused; a person finds the ERP’s words in Pendências', async () => {
  const [mode] = modeNames
  const panel = await setUp(mode as Mode, { timeouts: { writeMs: 20_000 }, answerWaitMs: 50 })
  await panel.simulator.state.setFaults([{ id: 'F21', ms: 1000 }])
  const answer = await panel.record(panel.token, crimpOf(PIECES))
  expect([answer.statusCode, answer.json().message]).toEqual([202, WAITING_MESSAGE])
  const list = async () => (await panel.ask(panel.token, { url: '/api/pendencias' })).json().pendencias
  await vi.waitUntil(async () => (await list())[0]?.situacao !== 'aguardando', { timeout: 10_000 })
  expect(await list()).toMatchObject([
    { situacao: 'recusado', motivo: 'registro bloqueado por outro usuário', tentativas: 1 },
  ])
  await settle(panel)
  expect([rowsOf(panel), await counterOf(panel), await pendingOf(panel)]).toEqual([0, PIECES, 1])
})

test('F30 and F33: what was read again shows what somebody else did', async () => {
  const [mode] = modeNames
  const panel = await setUp(mode as Mode)
  const read = () => panel.ask(panel.token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
  await panel.simulator.state.setFaults([{ id: 'F30' }])
  await panel.record(panel.token, crimpOf(PIECES))
  expect((await read()).json()).toMatchObject({ item: { Z1_PCRIML1: 100 }, dadosDe: null })
  await panel.simulator.state.setFaults([{ id: 'F33' }])
  await panel.record(panel.token, cutOf(2))
  const gone = await read()
  expect([gone.statusCode, gone.json()]).toEqual([
    404,
    { message: 'Código de barras não encontrado', code: 'item_not_found' },
  ])
})
