import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sampleBlockedLot } from '../../demo/simulator/sample-catalogue.ts'
import { makeSampleOrders } from '../../demo/simulator/sample-orders.ts'
import { ErpJunction, JunctionDetails } from '../../src/contract/junctions.ts'
import { ErpSettings } from '../../src/server/erp/settings.ts'
import {
  BRANCH,
  describeJoint,
  failureOf,
  find,
  joint,
  listJoints,
  ORDER,
  POSITION,
  recordJoint,
  startErp,
} from '../support/erp.ts'

const NOT_FOUND = { kind: 'not_found', message: 'Junção não encontrada para os parâmetros informados' }

describe.each(['clean', 'realistic', 'dirty'] as const)('with the %s profile', (profile) => {
  it('lists the junctions of an order, and none of an unknown one', async () => {
    await using erp = await startErp({ profile, speed: 0 })
    const rows = await listJoints(erp.gateway)
    for (const row of rows) expect(ErpJunction.safeParse(row).error).toBeUndefined()
    expect(rows.map((row) => [row.Z8_POSICAO, row.Z8_GRUPOMP, row.Z8_TERMINA, row.Z8_PJUNCAO])).toEqual([
      ['J01', 'TERMINAIS', 'T0925590', 0],
      ['J02', 'M500US01', '', 0],
      ['J 02/A', 'TERMINAIS', 'T1062914', 25],
      ['J03', 'TERMINAIS', 'T1326030', 100],
    ])
    expect(rows[0]).toMatchObject({ Z8_QTDPECA: 120, Z8_DESCPRO: 'CHICOTE PAINEL CABINE', Z8_REVCLI: 'C' })
    expect(await listJoints(erp.gateway, '99999999999')).toEqual([])
  })

  it('describes each, and knows none that is not there', async () => {
    await using erp = await startErp({ profile, speed: 0 })
    const details = await describeJoint(erp.gateway, 'J01')
    expect(JunctionDetails.safeParse(details).error).toBeUndefined()
    expect(details.registros).toEqual([{ Z9_GRUPOMP: 'TERMINAIS' }])
    expect(details.teste).toEqual({ ZTB_FORCA: 70, ZTB_BITOLA: '0,50' })
    expect(details.circuitos).toHaveLength(4)
    expect(details.circuitos[0]).toEqual({
      Z1_DE: 'J01|E',
      Z1_PARA: expect.any(String),
      Z1_ITEMEST: '000010',
      Z1_COR: 'am/vd',
      Z1_BITOLA: '0,50',
      Z1_GRAVA: 'C101',
      Z1_CODBAR: '0101621401001000010007',
      Z1_CODCABO: 'CB050AMVD',
    })
    const [loop] = (await describeJoint(erp.gateway, 'J03')).circuitos
    expect([loop?.Z1_DE, loop?.Z1_PARA]).toEqual(['J03|E', 'J03|D'])
    for (let n = 0; n < 5; n += 1) {
      expect(await failureOf(describeJoint(erp.gateway, 'J9'))).toEqual(NOT_FOUND)
    }
  })

  it('keeps a position with a blank and a slash from the list to the recording and back', async () => {
    await using erp = await startErp({ profile, speed: 0 })
    const id = randomUUID()
    const listed = (await listJoints(erp.gateway)).find((row) => row.Z8_POSICAO === POSITION)
    const position = listed?.Z8_POSICAO ?? ''
    const { circuitos } = await describeJoint(erp.gateway, position)
    expect(circuitos.map(({ Z1_DE, Z1_PARA }) => [Z1_DE, Z1_PARA].filter((end) => end.startsWith(position)))).toEqual([
      ['J 02/A|E'],
      ['J 02/A|D'],
      ['J 02/A|D'],
    ])
    expect(await recordJoint(erp.gateway, joint(30, { POSICAO: position }), id)).toEqual({
      outcome: 'confirmed',
      message: 'Apontamento de junção registrado com sucesso!',
      erpRecord: '000000001',
    })
    expect(erp.simulator.state.junctionWrites).toMatchObject([{ id, position: POSITION, pieces: 30 }])
    expect((await listJoints(erp.gateway))[2]).toMatchObject({ Z8_POSICAO: POSITION, Z8_PJUNCAO: 50 })
    expect(await find(erp.gateway, id)).toMatchObject({ status: 'done' })
  })
})

it('a dirty ERP says the same of every junction as a tidy one', async () => {
  await using clean = await startErp()
  await using dirty = await startErp({ profile: 'dirty' })
  const byPosition = (a: ErpJunction, b: ErpJunction) => (a.Z8_POSICAO < b.Z8_POSICAO ? -1 : 1)
  for (const { branch, number, junctions } of makeSampleOrders()) {
    const [tidy, odd] = await Promise.all(
      [clean, dirty].map(async ({ gateway }) =>
        (await gateway.searchJunctions({ branch, order: number })).rows.sort(byPosition),
      ),
    )
    expect(odd, `order ${number}`).toEqual(tidy)
    expect(odd).toHaveLength(junctions.length)
    for (const { Z8_POSICAO: position } of odd ?? []) {
      const [one, other] = await Promise.all(
        [clean, dirty].map(({ gateway }) => gateway.junctionDetails({ branch, order: number, position })),
      )
      expect(other).toEqual(one)
    }
  }
  const used = new Set(dirty.simulator.state.log.flatMap(({ faults }) => faults))
  const shapes = ['F10', 'F13', 'F14', 'F15', 'F16', 'F17', 'F18', 'F25', 'F26', 'F27']
  expect([...used]).toEqual(expect.arrayContaining(shapes))
})

it('without a position all wires of the order come', async () => {
  await using erp = await startErp()
  const all = await describeJoint(erp.gateway, '')
  expect(all.registros).toHaveLength(4)
  const each = await Promise.all(
    ['J01', 'J02', POSITION, 'J03'].map((position) => describeJoint(erp.gateway, position)),
  )
  expect(all.circuitos).toEqual(expect.arrayContaining(each.flatMap(({ circuitos }) => circuitos)))
})

describe('a junction recording', () => {
  it('is stored once, whatever is sent again, without what is not for the ERP', async () => {
    await using erp = await startErp()
    const id = randomUUID()
    const first = await recordJoint(erp.gateway, joint(10, { captura: { dispositivo: 'tablet 3' } }), id)
    expect(first).toMatchObject({ outcome: 'confirmed', erpRecord: '000000001' })
    // The ERP compares contents: with the block in it, this would be another recording under the same id.
    expect(await recordJoint(erp.gateway, joint(10), id)).toEqual(first)
    expect(erp.simulator.state.junctionWrites).toHaveLength(1)
  })

  it('of a joint by ultrasound goes without terminal, height, lot and tightness', async () => {
    await using erp = await startErp()
    const { ALTURA, LOTE_TERMINAL, TERMINAL, ESTANQUEIDADE, ...ultrasonic } = joint(10, {
      POSICAO: 'J02',
      GRUPO_MP: 'M500US01',
      MAQUINA: 'US0002 - Telsonic',
    })
    expect(await recordJoint(erp.gateway, ultrasonic)).toMatchObject({ outcome: 'confirmed' })
    expect(erp.simulator.state.junction(BRANCH, ORDER, 'J02')?.Z8_PJUNCAO).toBeCloseTo(8.33)
  })

  it.each([
    [{ POSICAO: 'J9' }, 'Junção não encontrada'],
    [{ POSICAO: 'J03', TERMINAL: 'T1326030' }, 'Junção já concluída'],
    [{ MAQUINA: 'Não há' }, 'Máquina não cadastrada'],
    [{ LOTE_TERMINAL: sampleBlockedLot }, 'Lote bloqueado'],
    [{ TERMINAL: 'T0925590' }, 'Terminal informado difere da estrutura'],
  ])('with %j is refused in the ERP’s words, and found as refused', async (wrong, message) => {
    await using erp = await startErp()
    const id = randomUUID()
    expect(await recordJoint(erp.gateway, joint(1, wrong), id)).toEqual({ outcome: 'refused', message })
    expect(await find(erp.gateway, id)).toEqual({ status: 'refused', message })
    expect(erp.simulator.state.junctionWrites).toEqual([])
  })

  it('writes its day as the plant’s ERP wants it, and goes to its address', async () => {
    await using erp = await startErp()
    const id = randomUUID()
    await recordJoint(erp.gateway, joint(), id)
    const compact = erp.open({ settings: ErpSettings.parse({ dateFormats: { junctionRecordings: 'AAAAMMDD' } }) })
    // Another content under the same id: the day is written otherwise.
    expect(await recordJoint(compact, joint(), id)).toMatchObject({ outcome: 'refused' })
    const elsewhere = erp.open({ settings: ErpSettings.parse({ paths: { junctions: '/p1/nowhere' } }) })
    expect(await listJoints(elsewhere)).toEqual([])
    expect(await describeJoint(elsewhere)).toMatchObject({ registros: [{}] })
  })
})
