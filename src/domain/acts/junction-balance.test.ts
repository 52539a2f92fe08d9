import { expect, test } from 'vitest'
import type { ErpJunction, JunctionRecording } from '../../contract/junctions.ts'
import { decideJunction, moveJunction } from './junction-balance.ts'

const read = (some: Partial<ErpJunction> = {}): ErpJunction => ({
  Z8_POSICAO: 'J 02/A',
  Z8_TERMINA: 'T0925590',
  Z8_GRUPOMP: 'TERMINAIS',
  Z8_ESTANQU: 'S',
  Z8_CABOESP: 'N',
  Z8_PJUNCAO: 25,
  Z8_QTDPECA: 120,
  Z8_CLIENTE: 'Andorinha Implementos Ltda',
  Z8_PRODUTO: 'CHT000412-01',
  Z8_REVCLI: 'C',
  Z8_REVLTM: '00',
  Z8_DESCPRO: 'CHICOTE PAINEL CABINE',
  ...some,
})
const onWay = (pieces: number, some: Partial<ErpJunction> = {}) =>
  moveJunction(read(some), { delivered: 0, onWay: pieces })
const joined = (pieces: number, group = 'TERMINAIS') => ({ QTD_APONTADA: pieces, GRUPO_MP: group }) as JunctionRecording

test.each([
  [{ Z8_PJUNCAO: 25, Z8_QTDPECA: 120 }, 30, 50],
  [{ Z8_PJUNCAO: 33.33, Z8_QTDPECA: 3 }, 2, 100],
  [{ Z8_PJUNCAO: 0, Z8_QTDPECA: 7 }, 3, 42.86],
  [{ Z8_PJUNCAO: 90, Z8_QTDPECA: 100 }, 20, 110],
  [{ Z8_PJUNCAO: 40, Z8_QTDPECA: 0 }, 5, 40],
])('%o and %i pieces delivered since make %f %%', (some, delivered, percent) => {
  expect(moveJunction(read(some), { delivered, onWay: 0 }).Z8_PJUNCAO).toBe(percent)
})

test('a position is open while what the ERP has and what is on its way stay below 100 %', () => {
  const full = { refused: 'section_complete' }
  expect(decideJunction(joined(1), onWay(0))).toBeNull()
  expect(decideJunction(joined(1), onWay(89))).toBeNull()
  expect(decideJunction(joined(1), onWay(90))).toEqual(full)
  expect(decideJunction(joined(1), onWay(0, { Z8_PJUNCAO: 130 }))).toEqual(full)
  expect(decideJunction(joined(1), onWay(2, { Z8_PJUNCAO: 33.33, Z8_QTDPECA: 3 }))).toEqual(full)
})

test('one recording takes from one piece to all of the position', () => {
  expect(decideJunction(joined(120), onWay(0))).toBeNull()
  expect(decideJunction(joined(121), onWay(0))).toEqual({ refused: 'quantity_exceeds_junction', values: { max: 120 } })
  expect(decideJunction(joined(1000), onWay(0, { Z8_QTDPECA: 0 }))).toBeNull()
  expect(decideJunction(joined(1, 'M500US01'), onWay(0))).toEqual({ refused: 'group_mismatch' })
  expect(decideJunction(joined(1), null)).toEqual({ refused: 'junction_not_found' })
})
