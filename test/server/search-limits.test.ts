import { expect, test, vi } from 'vitest'
import { refusals } from '../../src/contract/errors.ts'
import { limits } from '../../src/server/http/limits.ts'
import { addUser, ORDER, openTestPanel, UNTOUCHED } from '../support/harness.ts'
import { SOON } from '../support/slowness.ts'

/** Orders of the sample data that nobody has searched here yet: no copy answers in their place. */
const OTHERS = ['01620302004', '01622001001', '01622201001', '01621001001', '01621101001', '01620101001', '01620201001']
const searchOf = (term: string) => ({ url: `/api/apontamentos/itens?filial=010101&termo=${term}&modo=APONTAMENTO` })

async function setUp() {
  const panel = await openTestPanel({ env: { ERP_MAX_CONCURRENT: '1' } })
  for (const username of ['ana', 'bia']) await addUser(panel.context, { username })
  const [ana, bia] = await Promise.all(['ana', 'bia'].map(async (name) => (await panel.login(name)).token))
  const terms = () => panel.simulator.state.log.filter(({ operation }) => operation === 'itens').map(({ term }) => term)
  return { ...panel, ana: String(ana), bia: String(bia), terms }
}

test('a session has three reads of the ERP open at most, and another does not wait for all of them', async () => {
  const panel = await setUp()
  await panel.ask(panel.ana, searchOf('99999999999'))
  await panel.simulator.state.setFaults([{ id: 'F01', ms: 300, count: 1 }])
  const many = OTHERS.map((term) => panel.ask(panel.ana, searchOf(term)))
  await vi.waitUntil(() => panel.terms().length === 2, SOON)
  expect((await panel.ask(panel.bia, searchOf(ORDER))).statusCode).toBe(200)
  const answers = await Promise.all(many)
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 200, 429, 429, 429, 429])
  expect(panel.terms().slice(1).indexOf(ORDER)).toBeLessThan(3)
  const { max, sentence } = limits.erpReadsOfSession
  expect(max).toBe(3)
  const turnedAway = answers.find(({ statusCode }) => statusCode === 429)
  expect([turnedAway?.json(), turnedAway?.headers['retry-after']]).toEqual([
    { code: 'too_many_searches', message: sentence },
    '2',
  ])
  expect((await panel.ask(panel.ana, searchOf(OTHERS.at(-1) ?? ''))).statusCode).toBe(200)
})

test('beyond the limit the last copy answers where there is one', async () => {
  const panel = await setUp()
  await panel.ask(panel.ana, searchOf(ORDER))
  await panel.simulator.state.setFaults([{ id: 'F01', ms: 300, count: 1 }])
  const many = [...OTHERS.slice(0, 3), ORDER].map((term) => panel.ask(panel.ana, searchOf(term)))
  const last = (await Promise.all(many)).at(-1)
  expect([last?.statusCode, last?.json().dadosDe]).toEqual([200, expect.any(String)])
})

test('a search by barcode reads no other row of its order from the store', async () => {
  const panel = await setUp()
  await panel.ask(panel.ana, searchOf(ORDER))
  const others = panel.db.read.updateTable('erp_items').where('barcode', '!=', UNTOUCHED)
  // whoever reads one of them fails
  await others.set({ row_json: '' }).execute()
  const found = await panel.ask(panel.ana, searchOf(UNTOUCHED))
  expect([found.statusCode, found.json().items]).toEqual([200, [expect.objectContaining({ Z1_CODBAR: UNTOUCHED })]])
})

test('the lists of machines that all tablets want are asked for once', async () => {
  const panel = await setUp()
  const url = '/api/maquinas?filial=010101&tipo=cabo'
  const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => panel.ask(n % 2 ? panel.ana : panel.bia, { url })))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
  expect(panel.simulator.state.log.filter(({ operation }) => operation === 'maquinas')).toHaveLength(1)
})

test('every limit has a sentence that its refusal says', () => {
  const sentences = new Set(Object.values(refusals).map(({ message }) => message as string))
  expect(Object.values(limits).filter(({ sentence }) => !sentences.has(sentence))).toEqual([])
})
