import { expect, test } from 'vitest'
import type { CutItem } from '../../src/contract/items.ts'
import type { Status } from '../../src/contract/settings.ts'
import type { Fault, FaultId } from '../../src/erp-simulator/faults.ts'
import { addUser, crimpOf, ORDER, openTestPanel, UNTOUCHED } from '../support/harness.ts'

const ROWS = 24
/** Its customer and its description have accents. */
const ACCENTED_ORDER = '01620302004'

type Found = { items: CutItem[]; dadosDe: string | null; message?: string }

async function setUp() {
  const panel = await openTestPanel({ timeouts: { readMs: 1500 }, answerWaitMs: 10_000, simulator: { instances: 4 } })
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
const blocked = { refused: 'Lote bloqueado' }

const moods: [what: string, faults: Fault[], seen: Seen][] = [
  ['slow, within the limit', [{ id: 'F01', ms: 20 }], 'right'],
  ['slow, beyond the limit', [{ id: 'F01', ms: 60_000 }], 'copy'],
  ['starting a cold worker', [{ id: 'F02', ms: 20, count: null }], 'right'],
  ['full', [{ id: 'F03', ms: 0 }], 'copy'],
  ['out of licences', [{ id: 'F04' }], 'copy'],
  ['refusing under status 200', [{ id: 'F09' }], blocked],
  ['answering nothing', [{ id: 'F10' }], 'none'],
  ['showing its error page', [{ id: 'F11' }], 'copy'],
  ['answering half', [{ id: 'F12' }], 'copy'],
  ['answering twice', [{ id: 'F13' }], 'right'],
  ['calling its JSON HTML', [{ id: 'F14' }], 'right'],
  ['writing CP1252 and saying so', [{ id: 'F15', count: null }], 'right'],
  ['writing CP1252 and saying UTF-8', [{ id: 'F16', count: null }], 'right'],
  ['encoding twice', [{ id: 'F17', count: null }], 'right'],
  ['answering null', [{ id: 'F18' }], 'none'],
  ['refusing in JSON within JSON', [{ id: 'F19' }], blocked],
  ['refusing in the newer shape', [{ id: 'F20' }], blocked],
  ['forgetting a token', [{ id: 'F22' }], 'right'],
  ['taking no token', [{ id: 'F22', count: null }], 'copy'],
  ['forgetting a token and its refresh', [{ id: 'F22' }, { id: 'F23' }], 'right'],
  ['giving the other plant’s rows', [{ id: 'F24' }], 'none'],
  ['listing as a bare array', [{ id: 'F25', variant: 'array', count: null }], 'right'],
  ['listing under other names', [{ id: 'F25', variant: 'capitals', count: null }], 'right'],
  ['writing numbers as text', [{ id: 'F26', count: null }], 'right'],
  ['repeating its page', [{ id: 'F27', count: null }], 'right'],
  ['in maintenance', [{ id: 'F31', count: null }], 'copy'],
  ['not there at all', [{ id: 'F31', variant: 'refused' }], 'copy'],
  ['closing idle connections', [{ id: 'F32' }], 'right'],
]

const quantities = ({ items }: Found) =>
  items.map((item) => [item.Z1_CODBAR, item.Z1_DESCPRO, item.Z1_QTREGCO, item.Z1_PCORTE])

test.each(moods.map(([what, faults, seen]) => ({ what, faults, seen, id: faults[0]?.id as FaultId })))(
  '$id: a search, and an ERP $what',
  async ({ faults, seen }) => {
    const panel = await setUp()
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
    if (faults.some(({ id }) => id === 'F24')) panel.errors.length = 0
  },
)

test.each([
  { id: 'F31', count: null },
  { id: 'F31', variant: 'refused' },
] as Fault[])(
  '%j: the indicator is red, machines come from the last list, and after five failures nobody waits',
  async (fault) => {
    const panel = await setUp()
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
  const panel = await setUp()
  await panel.record(panel.token, crimpOf(60))
  await panel.simulator.state.setFaults([{ id: 'F28', count: null }])
  panel.clock.advance(31_000)
  const found = await panel.search()
  expect(found.items.find((item) => item.Z1_CODBAR === UNTOUCHED)).toMatchObject({ Z1_QTREGL1: 60, Z1_PCRIML1: 50 })
})

test('F33: a row that the ERP has deleted since leaves the list', async () => {
  const panel = await setUp()
  await panel.search()
  await panel.simulator.state.setFaults([{ id: 'F33' }])
  expect((await panel.record(panel.token, crimpOf(1))).statusCode).toBe(422)
  const barcodes = async () => (await panel.search()).items.map((item) => item.Z1_CODBAR)
  expect(await barcodes()).not.toContain(UNTOUCHED)
  await panel.simulator.state.setFaults([{ id: 'F31', variant: 'refused' }])
  expect(await barcodes(), 'nor from the copy').toHaveLength(ROWS - 1)
})

test('a receipt check by barcode is answered here: the ERP never hears of it', async () => {
  const panel = await setUp()
  const url = `/api/apontamentos/itens?filial=010101&termo=${UNTOUCHED}&modo=CONFERENCIA_CORTE`
  const answer = await panel.ask(panel.token, { url })
  expect([answer.statusCode, answer.json().message]).toEqual([
    400,
    'Para Conferência Corte, utilize apenas ordem de produção (não código de barras)',
  ])
  expect(panel.simulator.state.log).toEqual([])
})
