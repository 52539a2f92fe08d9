import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CLASS, cut, startTestClient, type TestClient, UNTOUCHED } from '../../test/support/simulator-client.ts'
import { SOON } from '../../test/support/slowness.ts'
import { sampleBlockedLot } from './sample-catalogue.ts'

const ORDER = '01621401001'

const joint = (position: string, pieces: number, id: string, more: Record<string, unknown> = {}) => ({
  FILIAL: '010101',
  NUMERO_OP: ORDER,
  TIPO_REGISTRO: 'JUNCAO',
  POSICAO: position,
  QTD_PECAS: 120,
  QTD_APONTADA: pieces,
  DATA: '2026-11-21',
  OPERADOR: 'jsilva',
  FORCA: 92.5,
  MAQUINA: 'SP0001 - Mecal',
  GRUPO_MP: 'TERMINAIS',
  ALTURA: 1.52,
  LOTE_TERMINAL: 'L261118004',
  TERMINAL: 'T0925590',
  ESTANQUEIDADE: 'Sim',
  ID_INTEGRACAO: id,
  ...more,
})
const receipt = (barcode: string, id: string) => ({
  FILIAL: '010101',
  COD_BARRA: barcode,
  OPERADOR: 'jsilva',
  DATA: '20261121',
  HORA: '09:41:07',
  ID_INTEGRACAO: id,
})
const recordJoint = (client: TestClient, body: object) => client.call('POST', `${CLASS}/juncoes/apontamentos`, body)
const receive = (client: TestClient, body: object) => client.call('POST', `${CLASS}/conferencia`, body)
const lookUp = async (client: TestClient, id: string) => (await client.call('GET', `${CLASS}/integracoes/${id}`)).body()

test('the junctions of an order, by GET and by POST', async () => {
  await using client = await startTestClient()
  const byGet = (await client.call('GET', `${CLASS}/juncoes?filial=010101&numeroOp=${ORDER}`)).body()
  expect(byGet).toMatchObject({
    items: [{ Z8_POSICAO: 'J01', Z8_TERMINA: 'T0925590', Z8_ESTANQU: 'S', Z8_PJUNCAO: 0, Z8_QTDPECA: 120 }, {}, {}, {}],
    hasNext: false,
  })
  const request = { FILIAL: '010101', NUMEROOP: ORDER }
  expect((await client.call('POST', `${CLASS}/juncoes`, request)).body()).toEqual(byGet)
})

test('one junction with its wires and its test, or all of an order', async () => {
  await using client = await startTestClient()
  const detail = (position: string) =>
    client.call(
      'GET',
      `${CLASS}/juncoes/detalhes?filial=010101&numeroOp=${ORDER}&posicao=${encodeURIComponent(position)}`,
    )
  expect((await detail('J01')).body()).toMatchObject({
    data: {
      registros: [{ Z9_POSICAO: 'J01', Z9_GRUPOMP: 'TERMINAIS', Z9_QTDAPO: 0, Z9_QTDPECA: 120 }],
      circuitos: [
        { Z1_DE: 'J01|E', Z1_ITEMEST: '000010' },
        { Z1_PARA: 'J01|D' },
        { Z1_DE: 'J01|D' },
        { Z1_PARA: 'J01|E' },
      ],
      teste: { ZTB_BITOLA: '0,50', ZTB_FORCA: 70 },
    },
  })
  expect((await detail('J 02/A')).body()).toMatchObject({ data: { registros: [{ Z9_QTDAPO: 30 }] } })
  expect((await detail('')).body()).toMatchObject({ data: { registros: [{}, {}, {}, {}] } })
  expect((await detail('J9')).status).toBe(404)
  const request = { FILIAL: '010101', NUMEROOP: ORDER, POSICAO: 'J01' }
  expect((await client.call('POST', `${CLASS}/juncoes/detalhes`, request)).body()).toEqual((await detail('J01')).body())
})

test('a recording raises the percentage, beyond 100 as well, and is stored once', async () => {
  await using client = await startTestClient()
  const { state } = client.simulator
  const body = joint('J 02/A', 60, 'a', { TERMINAL: 'T1062914' })
  const first = await recordJoint(client, body)
  expect([first.status, first.body()]).toEqual([
    201,
    { message: 'Apontamento de junção registrado com sucesso!', registro: '000000001' },
  ])
  expect((await recordJoint(client, body)).body()).toEqual({ ...first.body(), repetido: true })
  expect(state.junction('010101', ORDER, 'J 02/A')?.Z8_PJUNCAO).toBe(75)
  await recordJoint(client, { ...body, QTD_APONTADA: 120, ID_INTEGRACAO: 'b' })
  expect(state.junction('010101', ORDER, 'J 02/A')?.Z8_PJUNCAO).toBe(175)
  expect(state.junctionWrites).toMatchObject([
    { id: 'a', position: 'J 02/A', pieces: 60 },
    { id: 'b', pieces: 120 },
  ])
  expect((await recordJoint(client, { ...body, QTD_APONTADA: 1 })).status).toBe(409)
  expect(await lookUp(client, 'a')).toMatchObject({ STATUS: '1' })
})

test('by ultrasound there is no terminal', async () => {
  await using client = await startTestClient()
  const { ALTURA, LOTE_TERMINAL, TERMINAL, ESTANQUEIDADE, ...ultrasonic } = joint('J02', 10, 'a')
  expect((await recordJoint(client, { ...ultrasonic, GRUPO_MP: 'M500US01' })).status).toBe(201)
})

test.each([
  ['an unknown position', joint('J9', 1, 'x'), 'Junção não encontrada'],
  ['a position of another order', joint('J01', 1, 'x', { NUMERO_OP: '00A3F701002' }), 'Junção não encontrada'],
  ['an unknown machine', joint('J01', 1, 'x', { MAQUINA: 'ZZ0001' }), 'Máquina não cadastrada'],
  ['another terminal', joint('J01', 1, 'x', { TERMINAL: 'T1326030' }), 'Terminal informado difere da estrutura'],
  ['a blocked lot', joint('J01', 1, 'x', { LOTE_TERMINAL: sampleBlockedLot }), 'Lote bloqueado'],
  ['no quantity', joint('J01', 0, 'x'), 'Quantidade inválida'],
  ['one that is complete', joint('J03', 1, 'x', { TERMINAL: 'T1326030' }), 'Junção já concluída'],
])('%s is refused, and the id table says so', async (_, body, message) => {
  await using client = await startTestClient()
  const heard = await recordJoint(client, body)
  expect([heard.status, heard.body()]).toEqual([400, { errorCode: 400, errorMessage: message }])
  expect(client.simulator.state.junctionWrites).toEqual([])
  expect(await lookUp(client, 'x')).toMatchObject({ STATUS: '2', MENSAGEM: message })
})

test('a receipt marks the item, once; whoever comes later is told so', async () => {
  await using client = await startTestClient()
  const { state } = client.simulator
  const marked = { Z1_CODBAR: UNTOUCHED, Z1_CONFERE: 'S' }
  const first = await receive(client, receipt(UNTOUCHED, 'a'))
  expect([first.status, first.body()]).toEqual([200, { message: 'Recebimento confirmado', ...marked }])
  expect((await receive(client, receipt(UNTOUCHED, 'a'))).body()).toEqual({ ...first.body(), repetido: true })
  expect((await receive(client, receipt(UNTOUCHED, 'b'))).body()).toEqual({ message: 'Item já recebido', ...marked })
  expect(state.row(UNTOUCHED)?.Z1_CONFERE).toBe('S')
  expect(state.receipts).toMatchObject([{ id: 'a', barcode: UNTOUCHED, operator: 'jsilva' }])
  expect(await lookUp(client, 'b')).toMatchObject({ STATUS: '1', MENSAGEM: 'Item já recebido' })
  const unknown = await receive(client, receipt(UNTOUCHED.replace('000010', '000990'), 'c'))
  expect(unknown.body()).toMatchObject({ errorMessage: 'Código de barras não encontrado' })
})

test('a junction or an item under a running write makes the next one wait, others do not', async () => {
  await using client = await startTestClient({ instances: 5 })
  const { state } = client.simulator
  await state.setFaults([
    { id: 'F01', operation: 'juncoes-apontamentos', ms: 60_000 },
    { id: 'F01', operation: 'conferencia', ms: 60_000 },
  ])
  const dropped = (heard: Promise<unknown>) => heard.catch(() => 'dropped')
  const hanging = [
    dropped(recordJoint(client, joint('J01', 1, 'held joint'))),
    dropped(receive(client, receipt(UNTOUCHED, 'held receipt'))),
  ]
  await vi.waitUntil(() => ['held joint', 'held receipt'].every((id) => state.integration(id)?.status === '0'), SOON)
  const waiting = [
    dropped(recordJoint(client, joint('J01', 1, 'waiting joint'))),
    dropped(client.record(cut(UNTOUCHED, 1, 'waiting cut'))),
  ]
  await vi.waitUntil(() => state.log.length === 4, SOON)
  expect((await recordJoint(client, joint('J 02/A', 1, 'other', { TERMINAL: 'T1062914' }))).status).toBe(201)
  expect(state.log.map(({ outcome }) => outcome)).toEqual([null, null, null, null, 201])
  await client.simulator.close()
  expect(await Promise.all([...hanging, ...waiting])).toEqual(Array(4).fill('dropped'))
})

test('the tenant decides whose junctions and items these are', async () => {
  await using client = await startTestClient()
  const tenantId = '01,020101'
  const of = (path: string) => client.call('GET', CLASS + path, undefined, { tenantId })
  expect((await of(`/juncoes?filial=010101&numeroOp=${ORDER}`)).body().items).toEqual([])
  expect((await of(`/juncoes/detalhes?numeroOp=${ORDER}&posicao=J01`)).status).toBe(404)
  for (const [path, body] of [
    ['/juncoes/apontamentos', joint('J01', 1, 'x')],
    ['/conferencia', receipt(UNTOUCHED, 'y')],
  ] as const) {
    expect((await client.call('POST', CLASS + path, body, { tenantId })).status).toBe(400)
  }
})

test('a restart keeps junctions and receipts, also behind a journal from before there were any', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'erp-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const journalFile = join(folder, 'erp.jsonl')
  const old = { id: 'old', bodyHash: '', branch: '010101', barcode: UNTOUCHED, section: 'cable', pieces: 30 }
  appendFileSync(journalFile, `${JSON.stringify({ ...old, erpRecord: '000000001', at: 1 })}\n`)

  const first = await startTestClient({ journalFile })
  await first.record(cut(UNTOUCHED, 12, 'a'))
  await recordJoint(first, joint('J01', 30, 'b'))
  await receive(first, receipt(UNTOUCHED, 'c'))
  await receive(first, receipt(UNTOUCHED, 'd'))
  const { writes, junctionWrites, receipts } = first.simulator.state
  await first.simulator.close()

  await using second = await startTestClient({ journalFile })
  const { state } = second.simulator
  expect([state.writes, state.junctionWrites, state.receipts]).toEqual([writes, junctionWrites, receipts])
  expect([writes.length, junctionWrites.length, receipts.length]).toEqual([2, 1, 1])
  expect(state.row(UNTOUCHED)).toMatchObject({ Z1_QTREGCO: 42, Z1_CONFERE: 'S' })
  expect(state.junction('010101', ORDER, 'J01')?.Z8_PJUNCAO).toBe(25)
  expect((await recordJoint(second, joint('J01', 30, 'b'))).body()).toMatchObject({
    registro: '000000001',
    repetido: true,
  })
  expect(await lookUp(second, 'd')).toMatchObject({ MENSAGEM: 'Item já recebido' })
  state.reset()
  expect([state.junctionWrites, state.receipts]).toEqual([[], []])
})
