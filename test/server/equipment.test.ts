import { expect, test } from 'vitest'
import type { EquipmentList } from '../../src/contract/equipment.ts'
import { addUser, crimpOf, cutOf, ORDER, openTestPanel, parked, UNTOUCHED } from '../support/harness.ts'

async function setUp(env: Record<string, string> = {}) {
  const panel = await openTestPanel({ env })
  await addUser(panel.context, { username: 'maria' })
  const { token } = await panel.login('maria')
  // logs in anew: some tests look days later
  const request = async (filial: string) =>
    panel.ask((await panel.login('maria')).token, { url: `/api/equipamentos?filial=${filial}` })
  const list = async (filial = '010101'): Promise<EquipmentList> => (await request(filial)).json()
  const find = async (id: string, filial?: string) =>
    (await list(filial)).equipamentos.find((equipment) => equipment.id === id)
  return { ...panel, token, request, list, find }
}

const idle = { pecas: 0, media: null }
const eightHours = [0, 0, 0, 0, 0, 0, 0, 0]

test('every machine of the ERP is listed, and says what was recorded with it', async () => {
  const { token, record, find, list, clock } = await setUp()
  expect((await list()).equipamentos.map(({ id }) => id).slice(0, 3)).toEqual(['KX0001', 'KX0002', 'KX0003'])
  const { dia, turno, cadastroLidoEm } = await list()
  expect([dia, turno]).toEqual(['2026-11-21', { inicio: '2026-11-21T09:00:00.000Z', fim: '2026-11-21T17:00:00.000Z' }])
  expect(cadastroLidoEm).toBe('2026-11-21T15:00:00.000Z')
  expect(await find('KX0001')).toEqual({
    id: 'KX0001',
    fabricante: 'Komax',
    descricao: 'ALPHA CORTE E CRIMPAGEM 01',
    cadastrada: true,
    ultimo: null,
    hoje: idle,
    turno: idle,
    porHora: { turno: eightHours, ontem: eightHours },
    miniaplicador: null,
    aguardandoErp: 0,
  })
  await record(token, cutOf(9))
  clock.advance(60_000)
  await record(token, crimpOf(12))
  expect(await find('KX0001')).toMatchObject({
    ultimo: {
      quando: '2026-11-21T15:01:00.000Z',
      parte: 'l1',
      ordem: ORDER,
      item: '000010',
      codigoBarras: UNTOUCHED,
      posicao: '',
      pecas: 12,
      restam: 108,
      operador: 'Maria Souza',
    },
    hoje: { pecas: 21, media: null },
    turno: { pecas: 21, media: null },
    porHora: { turno: [0, 0, 0, 0, 0, 0, 21, 0], ontem: eightHours },
    miniaplicador: { nome: 'MA-0001', crimpagens: 12 },
    aguardandoErp: 0,
  })
  expect(await find('KX0001', '020101')).toMatchObject({ ultimo: null, hoje: idle })
})

test('what yesterday made is what today is compared with', async () => {
  const { token, record, find, clock } = await setUp({ SHIFTS: '00:00, 12:00' })
  await record(token, cutOf(40))
  clock.advance(24 * 3_600_000)
  expect(await find('KX0001')).toMatchObject({ hoje: { pecas: 0, media: 40 }, turno: { pecas: 0, media: 40 } })
  clock.advance(-3_600_000)
  expect(await find('KX0001')).toMatchObject({ hoje: { pecas: 0, media: 40 }, turno: idle })
})

test('a machine that the ERP does not list is there with what waits for somebody', async () => {
  const { token, record, find } = await setUp()
  await record(token, parked({ ...crimpOf(5), MAQUINA: 'ZZ0001 - Antiga' }))
  expect(await find('ZZ0001')).toMatchObject({
    fabricante: 'Antiga',
    descricao: '',
    cadastrada: false,
    ultimo: { item: '', pecas: 5, restam: null },
    hoje: { pecas: 5, media: null },
    aguardandoErp: 1,
  })
})

test('without the ERP the last copy of its list answers, and without a copy what was recorded does', async () => {
  const { token, record, list, clock, simulator } = await setUp()
  expect((await record(token, cutOf(5))).statusCode).toBe(201)
  await simulator.state.setFaults([{ id: 'F31', variant: 'refused' }])
  expect(await list()).toMatchObject({ cadastroLidoEm: null })
  expect((await list()).equipamentos.map(({ id, cadastrada }) => [id, cadastrada])).toEqual([['KX0001', false]])
  await simulator.state.setFaults([])
  clock.advance(120_000)
  const listed = await list()
  expect(listed.equipamentos).toHaveLength(12)
  await simulator.state.setFaults([{ id: 'F31', variant: 'refused' }])
  clock.advance(86_400_000)
  expect(await list()).toMatchObject({ dia: '2026-11-22', cadastroLidoEm: listed.cadastroLidoEm })
})

test('a plant that this installation does not have is refused', async () => {
  const { request } = await setUp()
  expect((await request('999999')).json().code).toBe('unknown_plant')
})
