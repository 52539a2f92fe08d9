import { describe, expect, test, vi } from 'vitest'
import type { Fault } from '../../demo/simulator/faults.ts'
import type { CutItem } from '../../src/contract/items.ts'
import {
  CONFIRMED_BY_QUANTITY_MESSAGE,
  type CutCrimpRecording,
  RECORDED_MESSAGE,
  WAITING_MESSAGE,
} from '../../src/contract/recordings.ts'
import type { Status } from '../../src/contract/settings.ts'
import { listCounterDeviations } from '../../src/server/store/applicators.ts'
import { addUser, crimpOf, cutOf, noWait, ORDER, openTestPanel, type TestPanel, UNTOUCHED } from '../support/harness.ts'
import { SOON, STEP_MS } from '../support/slowness.ts'
import { findUnit } from '../support/units.ts'

const PIECES = 30

/** Everything that a plant's ERP may be able to do for us, and an ERP that can do nothing of it. */
const LOOKED_UP = 'asked by id, and storing an id once'
const BLIND = 'with neither look-up nor dedup'
const modes = {
  [LOOKED_UP]: { env: {}, simulator: {} },
  [BLIND]: { env: { ERP_LOOKUP: 'none' }, simulator: { lookup: false, dedup: false } },
}
type Mode = keyof typeof modes

async function setUp(mode: Mode, more: Parameters<typeof openTestPanel>[0] = {}) {
  const { env, simulator } = modes[mode]
  const panel = await openTestPanel({
    env,
    simulator: { instances: 8, ...simulator },
    ...more,
  })
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  // the ERP has confirmed something before, as it will have in any plant
  await panel.record(token, cutOf(1))
  await vi.waitUntil(async () => (await pendingOf(panel)) === 0, SOON)
  return { ...panel, token }
}

const rowsOf = ({ simulator }: TestPanel) => simulator.state.writes.filter(({ section }) => section === 'side1').length
const counterOf = async ({ db }: TestPanel) => (await findUnit(db.read, 'MA-0001'))?.crimps ?? 0
const pendingOf = async ({ app }: Pick<TestPanel, 'app'>) =>
  (await app.inject('/api/status')).json<{ pending: number }>().pending

/** The ERP is well again, and time goes by. */
async function settle(panel: TestPanel): Promise<void> {
  await vi.waitUntil(() => panel.simulator.state.log.every(({ outcome }) => outcome !== null), SOON)
  await panel.simulator.state.setFaults([])
  for (let round = 0; round < 12; round++) {
    panel.clock.advance(65_000)
    await panel.context.outbox.deliverDue()
  }
}

/** The other plant's rows are dropped, and the log says so loudly. */
function expectDroppedRowsLogged({ errors }: TestPanel, faults: Fault[]) {
  if (!faults.some(({ id }) => id === 'F24')) return
  expect(errors.splice(0).join()).toContain('row of another branch dropped')
}

/** What is said of what was found by asking the ERP, by its look-up or by the quantity. */
const FOUND = { [LOOKED_UP]: RECORDED_MESSAGE, [BLIND]: CONFIRMED_BY_QUANTITY_MESSAGE }

/** What the operator hears, the ERP's rows at that instant, and what it all comes to. */
type Expected = {
  says: [status: number, message: string | typeof FOUND]
  rowsThen: 0 | 1
  rows: 0 | 1
  counted: 0 | typeof PIECES
  pending: 0 | 1
}
const recorded: Expected = { says: [201, RECORDED_MESSAGE], rowsThen: 1, rows: 1, counted: PIECES, pending: 0 }
const deliveredLater: Expected = { ...recorded, says: [202, WAITING_MESSAGE], rowsThen: 0 }
const foundLater: Expected = { ...deliveredLater, rowsThen: 1 }
/** Asked at once, so that the answer still reaches whoever waits for it. */
const foundAtOnce: Expected = { ...recorded, says: [201, FOUND] }
const refused = (message: string): Expected => ({ says: [422, message], rowsThen: 0, rows: 0, counted: 0, pending: 0 })

const unknownMachine: Partial<CutCrimpRecording> = { MAQUINA: 'Não há' }

type Case = [what: string, faults: Fault[], expected: Expected, payload?: Partial<CutCrimpRecording>]
/** One for each class of what the adapter may say: which fault leads to which, test/erp/faults.test.ts shows. */
const cases: Case[] = [
  ['answering twice', [{ id: 'F13', count: null }], foundAtOnce],
  ['refusing in CP1252', [{ id: 'F16', count: null }], refused('Máquina não cadastrada'), unknownMachine],
  ['out of licences', [{ id: 'F04', operation: 'apontamentos' }], deliveredLater],
  ['taking no token', [{ id: 'F22', operation: 'apontamentos', count: null }], deliveredLater],
  ['not there at all', [{ id: 'F31', variant: 'refused' }], deliveredLater],
  ['in maintenance', [{ id: 'F31', count: null }], deliveredLater],
  ['showing its error page', [{ id: 'F11', operation: 'apontamentos' }], deliveredLater],
  ['storing 45 s later', [{ id: 'F08' }], deliveredLater],
  ['storing and then resetting', [{ id: 'F06', variant: 'reset' }], foundAtOnce],
  ['storing, and failing with words', [{ id: 'F36' }], foundAtOnce],
  ['storing behind a gateway that gives up', [{ id: 'F36', variant: '408' }], foundAtOnce],
  ['storing, and saying yes and no', [{ id: 'F37' }], foundAtOnce],
  ['storing behind a page about licences', [{ id: 'F38' }], foundAtOnce],
  [
    'saying in one sentence that it stored',
    [{ id: 'F39' }],
    { ...recorded, says: [201, 'Registro incluído com sucesso.'] },
  ],
  ['not storing, under a success that says false', [{ id: 'F34' }], deliveredLater],
  ['not storing, under a success that says nothing', [{ id: 'F34', variant: 'online' }], deliveredLater],
  ['not storing, under the success of another id', [{ id: 'F35' }], deliveredLater],
]
const STALE: Fault[] = [
  { id: 'F28', count: null },
  { id: 'F06', variant: 'reset' },
]
/** And where its rows must tell what a look-up would. */
const casesOfRows: Case[] = [
  ['full of rows of the other plant', [{ id: 'F24' }], recorded],
  ['writing numbers as text', [{ id: 'F26', count: null }, ...STALE.slice(1)], foundAtOnce],
  ['reading 30 s behind its writes', STALE, foundLater],
]

describe.each([LOOKED_UP, BLIND] as const)('a recording, and an ERP %s', (mode) => {
  const all = mode === BLIND ? [...cases, ...casesOfRows] : cases
  test.each(all.map(([what, faults, expected, payload]) => ({ what, faults, expected, payload, id: faults[0]?.id })))(
    '$id: $what',
    async ({ faults, expected, payload }) => {
      const panel = await setUp(mode)
      await panel.simulator.state.setFaults(faults)
      const answer = await panel.record(panel.token, { ...crimpOf(PIECES), ...payload })
      const { message, code } = answer.json<{ message: string; code?: string }>()
      const [status, answered] = expected.says
      expect([answer.statusCode, message]).toEqual([status, typeof answered === 'string' ? answered : answered[mode]])
      expect(code).toBe(answer.statusCode === 422 ? 'erp_refused' : undefined)
      expect(rowsOf(panel), 'rows while it goes on').toBe(expected.rowsThen)
      await settle(panel)
      expect([rowsOf(panel), await counterOf(panel), await pendingOf(panel)]).toEqual([
        expected.rows,
        expected.counted,
        expected.pending,
      ])
      expect(await listCounterDeviations(panel.db.read)).toEqual([])
      expectDroppedRowsLogged(panel, faults)
    },
  )
})

const LOCKED = 'registro bloqueado por outro usuário'
const sentTo = ({ simulator }: TestPanel) =>
  simulator.state.log.filter(({ operation, faults }) => operation === 'apontamentos' && faults.length > 0).length

describe('a failure with words, and nothing stored', () => {
  test('where the look-up works they are a refusal, within the wait', async () => {
    const panel = await setUp(LOOKED_UP)
    await panel.simulator.state.setFaults([{ id: 'F21', ms: 1 }])
    const answer = await panel.record(panel.token, crimpOf(PIECES))
    expect([answer.statusCode, answer.json()]).toEqual([422, { message: LOCKED, code: 'erp_refused' }])
    await settle(panel)
    expect([rowsOf(panel), await counterOf(panel), await pendingOf(panel)]).toEqual([0, 0, 0])
  })

  test.each([
    ['the quantity', BLIND, {}],
    ['a look-up that finds nothing', LOOKED_UP, { simulator: { instances: 8, lookup: false, dedup: false } }],
  ] as const)(
    'where only %s can tell they are kept, it is parked with them, and never sent again',
    async (_, mode, more) => {
      const panel = await setUp(mode, more)
      await panel.simulator.state.setFaults([{ id: 'F21', ms: 1, count: null }])
      expect((await panel.record(panel.token, crimpOf(PIECES))).statusCode).toBe(202)
      const list = async () => (await panel.ask(panel.token, { url: '/api/pendencias' })).json().pendencias
      expect(await list()).toMatchObject([{ situacao: 'aguardando' }])
      for (let round = 0; round < 12; round++) {
        panel.clock.advance(65_000)
        await panel.context.outbox.deliverDue()
      }
      expect(await list()).toMatchObject([{ situacao: 'recusado', motivo: LOCKED, tentativas: 1 }])
      expect(sentTo(panel)).toBe(1)
      await settle(panel)
      expect([rowsOf(panel), await counterOf(panel), await pendingOf(panel)]).toEqual([0, PIECES, 1])
    },
  )

  test('where nothing can tell, a person reads them', async () => {
    const panel = await setUp(BLIND)
    await panel.simulator.state.setFaults([
      { id: 'F18', operation: 'itens' },
      { id: 'F21', ms: 1 },
    ])
    expect((await panel.record(panel.token, crimpOf(PIECES))).statusCode).toBe(202)
    const { pendencias } = (await panel.ask(panel.token, { url: '/api/pendencias' })).json()
    const motivo = `O ERP não sabe dizer se já tem este apontamento. Ele respondeu: ${LOCKED}`
    expect(pendencias).toMatchObject([{ situacao: 'incerto', motivo }])
    expect(panel.errors.splice(0)).toHaveLength(1)
  })
})

test('F21 as long as in the field: told as saved, then refused; a person finds the ERP’s words in Pendências', async () => {
  const panel = await setUp(LOOKED_UP, { answerWait: noWait })
  await panel.simulator.state.setFaults([{ id: 'F21', ms: STEP_MS }])
  const answer = await panel.record(panel.token, crimpOf(PIECES))
  expect([answer.statusCode, answer.json().message]).toEqual([202, WAITING_MESSAGE])
  const list = async () => (await panel.ask(panel.token, { url: '/api/pendencias' })).json().pendencias
  await vi.waitUntil(async () => (await list())[0]?.situacao !== 'aguardando', SOON)
  expect(await list()).toMatchObject([
    { situacao: 'recusado', motivo: 'registro bloqueado por outro usuário', tentativas: 1 },
  ])
  await settle(panel)
  expect([rowsOf(panel), await counterOf(panel), await pendingOf(panel)]).toEqual([0, PIECES, 1])
})

test('F30 and F33: what was read again shows what somebody else did', async () => {
  const panel = await setUp(LOOKED_UP)
  const read = () => panel.ask(panel.token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
  await panel.simulator.state.setFaults([{ id: 'F30' }])
  await panel.record(panel.token, crimpOf(PIECES))
  // a read of the same instant may have begun before
  panel.clock.advance(1)
  expect((await read()).json()).toMatchObject({ item: { Z1_PCRIML1: 100 }, dadosDe: null })
  await panel.simulator.state.setFaults([{ id: 'F33' }])
  await panel.record(panel.token, cutOf(2))
  const gone = await read()
  expect([gone.statusCode, gone.json()]).toEqual([
    404,
    { message: 'Código de barras não encontrado', code: 'item_not_found' },
  ])
})

const ROWS = 24
/** Its customer and its description have accents. */
const ACCENTED_ORDER = '01620302004'

type Found = { items: CutItem[]; dadosDe: string | null; message?: string }

async function openReads() {
  const panel = await openTestPanel({ simulator: { instances: 4 } })
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  const search = async (term = ORDER) => {
    const url = `/api/apontamentos/itens?filial=010101&termo=${term}&modo=APONTAMENTO`
    const answer = await panel.ask(token, { url })
    return { status: answer.statusCode, ...answer.json<Found>() }
  }
  const machines = async () => (await panel.ask(token, { url: '/api/maquinas?filial=010101' })).json<object[]>()
  const isOnline = async () => (await panel.app.inject('/api/status')).json<Status>().erp === 'online'
  return { ...panel, token, search, machines, isOnline }
}

/** `right`: as if nothing were. `copy`: what was read before, with its time. `none`: no rows. Else the ERP's words. */
type Seen = 'right' | 'copy' | 'none' | { refused: string }

const readMoods: [what: string, faults: Fault[], seen: Seen][] = [
  ['encoding twice', [{ id: 'F17', count: null }], 'right'],
  ['slow, beyond the limit', [{ id: 'F01', ms: 60_000 }], 'copy'],
  ['out of licences', [{ id: 'F04' }], 'copy'],
  ['answering half', [{ id: 'F12' }], 'copy'],
  ['taking no token', [{ id: 'F22', count: null }], 'copy'],
  ['in maintenance', [{ id: 'F31', count: null }], 'copy'],
  ['answering nothing', [{ id: 'F10' }], 'none'],
  ['giving the other plant’s rows', [{ id: 'F24' }], 'none'],
  ['refusing under status 200', [{ id: 'F09' }], { refused: 'Lote bloqueado' }],
]

const quantities = ({ items }: Found) =>
  items.map((item) => [item.Z1_CODBAR, item.Z1_DESCPRO, item.Z1_QTREGCO, item.Z1_PCORTE])

test.each(readMoods.map(([what, faults, seen]) => ({ what, faults, seen, id: faults[0]?.id })))(
  '$id: a search, and an ERP $what',
  async ({ faults, seen }) => {
    const panel = await openReads()
    const before = [await panel.search(), await panel.search(ACCENTED_ORDER)]
    expect(before.map(({ dadosDe }) => dadosDe)).toEqual([null, null])
    expect(before[0]?.items).toHaveLength(ROWS)
    const readAt = new Date(panel.clock.now())
    panel.clock.advance(60_000)
    await panel.simulator.state.setFaults(faults)
    const found = await panel.search()
    if (typeof seen === 'object') {
      expect([found.status, found.message]).toEqual([422, seen.refused])
    } else {
      expect([found.status, found.dadosDe && Date.parse(found.dadosDe)]).toEqual([
        200,
        seen === 'copy' ? +readAt : null,
      ])
      expect(quantities(found)).toEqual(seen === 'none' ? [] : quantities(before[0] as Found))
    }
    if (faults.some(({ count }) => count === null) && seen === 'right') {
      expect(quantities(await panel.search(ACCENTED_ORDER))).toEqual(quantities(before[1] as Found))
    }
    await panel.simulator.state.setFaults([])
    panel.clock.advance(60_000)
    expect(quantities(await panel.search()), 'when it is well again').toEqual(quantities(before[0] as Found))
    expect(await panel.isOnline()).toBe(true)
    expectDroppedRowsLogged(panel, faults)
  },
)

test.each([
  { id: 'F31', count: null },
  { id: 'F31', variant: 'refused' },
] as Fault[])(
  '%j: the indicator is red, machines come from the last list, and after five failures nobody waits',
  async (fault) => {
    const panel = await openReads()
    const machines = await panel.machines()
    await panel.search()
    expect([machines.length, await panel.isOnline()]).toEqual([12, true])
    await panel.simulator.state.setFaults([fault])
    panel.clock.advance(11 * 60_000)
    expect(await panel.machines()).toEqual(machines)
    expect(await panel.isOnline()).toBe(false)
    for (let n = 0; n < 6; n++) expect((await panel.search()).dadosDe).not.toBe(null)
    const arrived = panel.simulator.state.log.length
    for (let n = 0; n < 6; n++) expect((await panel.search()).dadosDe).not.toBe(null)
    expect(panel.simulator.state.log).toHaveLength(arrived)
    await panel.simulator.state.setFaults([])
    panel.clock.advance(15_000)
    expect([(await panel.search()).dadosDe, await panel.isOnline()]).toEqual([null, true])
  },
)

test('F28: a list 30 s behind its writes shows them when it has caught up', async () => {
  const panel = await openReads()
  await panel.record(panel.token, crimpOf(60))
  await panel.simulator.state.setFaults([{ id: 'F28', count: null }])
  panel.clock.advance(31_000)
  const found = await panel.search()
  expect(found.items.find((item) => item.Z1_CODBAR === UNTOUCHED)).toMatchObject({ Z1_QTREGL1: 60, Z1_PCRIML1: 50 })
})

test('F33: a row that the ERP has deleted since leaves the list', async () => {
  const panel = await openReads()
  await panel.search()
  await panel.simulator.state.setFaults([{ id: 'F33' }])
  expect((await panel.record(panel.token, crimpOf(1))).statusCode).toBe(422)
  const barcodes = async () => (await panel.search()).items.map((item) => item.Z1_CODBAR)
  expect(await barcodes()).not.toContain(UNTOUCHED)
  await panel.simulator.state.setFaults([{ id: 'F31', variant: 'refused' }])
  expect(await barcodes(), 'nor from the copy').toHaveLength(ROWS - 1)
})

test('a receipt check by barcode, or of an order that is too long, is answered here: the ERP never hears of it', async () => {
  const panel = await openReads()
  const search = (term: string) =>
    panel.ask(panel.token, { url: `/api/apontamentos/itens?filial=010101&termo=${term}&modo=CONFERENCIA_CORTE` })
  for (const [term, message] of [
    [UNTOUCHED, 'Para Conferência Corte, utilize apenas ordem de produção (não código de barras)'],
    ['1'.repeat(16), 'A ordem de produção tem no máximo 15 caracteres'],
  ] as const) {
    const answer = await search(term)
    expect([answer.statusCode, answer.json().message, answer.json().details]).toEqual([
      ...[400, message],
      [{ field: 'termo', message }],
    ])
  }
  expect(panel.simulator.state.log).toEqual([])
  expect((await search('1'.repeat(15))).statusCode).toBe(200)
})
