import { describe, expect, test } from 'vitest'
import type { Junction, JunctionDetails } from '../../src/contract/junctions.ts'
import { addUser, databases, ORDER, openTestPanel } from '../support/harness.ts'

type Panel = Awaited<ReturnType<typeof openTestPanel>>

async function openWithOperator(options: Parameters<typeof openTestPanel>[0] = {}) {
  const panel = await openTestPanel(options)
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  const get = async (path: string) => {
    const answer = await panel.ask(token, { method: 'GET', url: path })
    return { status: answer.statusCode, body: answer.json() as Record<string, unknown> }
  }
  return { ...panel, token, get }
}

const listOf = (order = ORDER, branch = '010101') => `/api/juncao/obter-juncoes?filial=${branch}&numeroOp=${order}`
const detailsOf = (position: string) =>
  `/api/juncao/obter-detalhes?filial=010101&numeroOp=${ORDER}&posicao=${encodeURIComponent(position)}`
const turnAway = ({ simulator }: Panel) => simulator.state.setFaults([{ id: 'F31', variant: 'refused', count: null }])

describe.each(databases)('junctions on %s', (database) => {
  test('what the ERP has said is answered while it is away, with the time of the older copy', async () => {
    const panel = await openWithOperator({ database })
    const { get, clock } = panel
    const readAt = new Date(clock.now()).toISOString()
    const before = await get(listOf())
    const details = await get(detailsOf('J01'))
    clock.advance(600_000)
    await turnAway(panel)
    expect(await get(listOf())).toEqual({ status: 200, body: { ...before.body, dadosDe: readAt } })
    expect(await get(detailsOf('J01'))).toEqual({ status: 200, body: { ...details.body, dadosDe: readAt } })
    expect((await get(detailsOf('J02'))).body.code).toBe('erp_unavailable')
  })
})

describe('junctions', () => {
  test('an order lists its positions, and a position its wires, its groups and its test', async () => {
    const { get } = await openWithOperator()
    const { body } = await get(listOf())
    const items = body.items as Junction[]
    expect(items.map(({ Z8_POSICAO, Z8_PJUNCAO }) => [Z8_POSICAO, Z8_PJUNCAO])).toEqual([
      ['J 02/A', 25],
      ['J01', 0],
      ['J02', 0],
      ['J03', 100],
    ])
    expect(items[0]).toMatchObject({ Z8_GRUPOMP: 'TERMINAIS', aguardandoErp: 0 })
    const details = await get(detailsOf('J 02/A'))
    expect(details.status).toBe(200)
    const { data, juncao, dadosDe } = details.body as { data: JunctionDetails; juncao: Junction; dadosDe: null }
    expect(juncao).toEqual(items[0])
    expect(dadosDe).toBeNull()
    const ends = data.circuitos.flatMap(({ Z1_DE, Z1_PARA }) => [Z1_DE, Z1_PARA])
    expect(ends).toEqual(expect.arrayContaining(['J 02/A|E', 'J 02/A|D']))
    expect(data.registros[0]?.Z9_GRUPOMP).toBe('TERMINAIS')
    expect(data.teste?.ZTB_FORCA).toBeGreaterThan(0)
  })
})

test('what does not exist is said so', async () => {
  const { get } = await openWithOperator()
  expect(await get(detailsOf('J99'))).toMatchObject({
    status: 404,
    body: { message: 'Junção não encontrada para os parâmetros informados' },
  })
  expect((await get(listOf('99999999999'))).body).toEqual({ items: [], dadosDe: null })
  expect((await get(listOf(ORDER, '990101'))).body.code).toBe('unknown_plant')
})

test('without a position the wires of all come', async () => {
  const { get } = await openWithOperator()
  const { data, juncao } = (await get(detailsOf(''))).body as { data: JunctionDetails; juncao: null }
  expect(juncao).toBeNull()
  expect(new Set(data.circuitos.flatMap(({ Z1_DE, Z1_PARA }) => [Z1_DE, Z1_PARA])).size).toBeGreaterThan(6)
})
