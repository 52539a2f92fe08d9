import { expect, test } from 'vitest'
import type { Junction, JunctionRecording } from '../contract/junctions.ts'
import { decideJunction, isJunctionOpen, junctionPercent, piecesMaxOf } from './junctions.ts'

const junction = (some: Partial<Junction> = {}): Junction => ({
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
  aguardandoErp: 0,
  ...some,
})
const joined = (pieces: number) => ({ QTD_APONTADA: pieces }) as JunctionRecording

test.each([
  [{ percent: 25, planned: 120 }, 30, 50],
  [{ percent: 33.33, planned: 3 }, 2, 100],
  [{ percent: 0, planned: 7 }, 3, 42.86],
  [{ percent: 90, planned: 100 }, 20, 110],
  [{ percent: 40, planned: 0 }, 5, 40],
])('%o and %i pieces make %f %%', (read, pieces, percent) => {
  expect(junctionPercent(read, pieces)).toBe(percent)
})

test('a position is open while what the ERP has and what is on its way stay below 100 %', () => {
  expect(isJunctionOpen(junction())).toBe(true)
  expect(isJunctionOpen(junction({ aguardandoErp: 89 }))).toBe(true)
  expect(isJunctionOpen(junction({ aguardandoErp: 90 }))).toBe(false)
  expect(isJunctionOpen(junction({ Z8_PJUNCAO: 100 }))).toBe(false)
  expect(isJunctionOpen(junction({ Z8_PJUNCAO: 130 }))).toBe(false)
})

test('one recording takes from one piece to all of the position', () => {
  expect(decideJunction(joined(120), junction())).toBeNull()
  expect(decideJunction(joined(121), junction())).toEqual({
    refused: 'quantity_exceeds_junction',
    values: { max: 120 },
  })
  expect(piecesMaxOf(junction({ Z8_QTDPECA: 0 }))).toBe(1000)
  expect(decideJunction(joined(1), null)).toEqual({ refused: 'junction_not_found' })
  expect(decideJunction(joined(1), junction({ Z8_PJUNCAO: 100 }))).toEqual({ refused: 'section_complete' })
})
