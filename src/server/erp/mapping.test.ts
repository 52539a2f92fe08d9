import { describe, expect, it } from 'vitest'
import { ErpItem } from '../../contract/items.ts'
import { hasNext, numberOf, rowsOf, textOf, toErpRecording, toItem, toMachine } from './mapping.ts'

describe('numberOf', () => {
  it.each([
    [120, 120],
    ['120', 120],
    ['120.00', 120],
    ['1.250,00', 1250],
    ['120,5', 120.5],
    ['1,250.75', 1250.75],
    ['1.250.000', 1_250_000],
    ['1.250.000,5', 1_250_000.5],
    [' 70 ', 70],
    ['-3,5', -3.5],
    [',5', 0.5],
    ['', null],
    ['      ', null],
    ['abc', null],
    ['1e5', null],
    [null, null],
    [undefined, null],
    [Number.NaN, null],
  ])('%j is %j', (value, expected) => expect(numberOf(value)).toBe(expected))
})

describe('textOf', () => {
  it.each([
    ['C101                ', 'C101'],
    ['', ''],
    [null, ''],
    [undefined, ''],
    [0.5, '0.5'],
  ])('%j is %j', (value, expected) => expect(textOf(value)).toBe(expected))
})

describe('rowsOf', () => {
  const row = { Z1_CODBAR: '1' }
  it.each([
    ['a bare array', [row]],
    ['items', { items: [row], hasNext: false }],
    ['Items', { Items: [row], HasNext: 'false' }],
    ['itens', { itens: [row], count: 1 }],
    ['data', { data: [row] }],
    ['items within data', { data: { items: [row] } }],
    ['a single row in data', { data: row }],
    ['objects', { objects: [row], labels: {} }],
    ['a single row', { z1_codbar: '1' }],
  ])('finds the row in %s', (_, value) => expect(rowsOf(value, 'Z1_CODBAR')).toEqual([row]))

  it.each([[[]], [{ items: [] }], [{}], [null], [{ data: null }]])('finds none in %j', (value) =>
    expect(rowsOf(value, 'Z1_CODBAR')).toEqual([]),
  )

  it.each([['text'], [1], [undefined], [{ something: 'else' }]])('says that %j is no list', (value) =>
    expect(rowsOf(value, 'Z1_CODBAR')).toBeNull(),
  )
})

describe('hasNext', () => {
  it.each([[{ hasNext: true }], [{ HasNext: 'true' }], [{ hasnext: 'S' }], [{ hasNext: '.T.' }]])('%j', (value) =>
    expect(hasNext(value)).toBe(true),
  )
  it.each([[{ hasNext: false }], [{ HasNext: 'false' }], [{ hasNext: 'N' }], [{}], [[]], [null]])('not %j', (value) =>
    expect(hasNext(value)).toBe(false),
  )
})

describe('toItem', () => {
  it('gives a whole item of a padded row with numbers as text', () => {
    const item = toItem({
      Z1_FILIAL: '010101',
      Z1_CODBAR: '0101621401001000010007',
      Z1_GRAVA: 'C101                ',
      Z1_QUANT: '1.250,00',
      Z1_COMPR: '1250.0',
      Z1_QTREGCO: '',
      Z1_RMINL1: '70',
      Z1_RMINL2: '',
      Z1_DECAL1: '1,10',
      Z1_BITOLA: '0,50  ',
      Z1_DE: 'J01|E               ',
    })
    expect(ErpItem.safeParse(item).error).toBeUndefined()
    expect(item).toMatchObject({
      Z1_GRAVA: 'C101',
      Z1_QUANT: 1250,
      Z1_COMPR: 1250,
      Z1_QTREGCO: 0,
      Z1_RMINL1: 70,
      Z1_RMINL2: null,
      Z1_DECAL1: 1.1,
      Z1_DECAL2: null,
      Z1_BITOLA: '0,50',
      Z1_CLIENTE: '',
      Z1_DE: 'J01|E',
    })
  })
})

describe('toMachine', () => {
  it('takes three columns', () =>
    expect(toMachine({ ID: 'KX0001', FABRICANTE: 'Komax     ', DESCRICAO: 'CORTE 01   ', TIPOS: 'CABO' })).toEqual({
      id: 'KX0001',
      fabricante: 'Komax',
      descricao: 'CORTE 01',
    }))
})

describe('toErpRecording', () => {
  it('adds our id and keeps what only we need', () => {
    const recording = {
      EMPRESA: '010101',
      ORDEM_PROD: '01621401001',
      QTD_ORDEM_PROD: 120,
      QTD_REALIZADA: 60,
      COD_BARRA: '0101621401001000010007',
      MAQUINA: 'KX0001 - Komax',
      COD_CABO: 'CB050AMVD',
      LOTE_CABO: 'L261118004',
      COMPRIMENTO_CABO: 1250,
    }
    expect(toErpRecording({ ...recording, captura: { dispositivo: 'tablet 3' } }, 'the-id')).toEqual({
      ...recording,
      ID_INTEGRACAO: 'the-id',
    })
  })
})
