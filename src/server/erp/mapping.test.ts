import { describe, expect, it } from 'vitest'
import { ErpItem } from '../../contract/items.ts'
import { ErpJunction, JunctionDetails } from '../../contract/junctions.ts'
import {
  hasNext,
  numberOf,
  quantityOf,
  rowsOf,
  textOf,
  toErpJunctionRecording,
  toErpReceipt,
  toErpRecording,
  toItem,
  toJunction,
  toJunctionDetails,
  toMachine,
} from './mapping.ts'

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

describe('quantityOf', () => {
  it.each([
    ['', 0],
    ['   ', 0],
    ['1.250,00', 1250],
    [0, 0],
    ['12 pcs', null],
    [null, null],
    [undefined, null],
    [false, null],
    [[5], null],
  ])('%j is %j', (value, expected) => expect(quantityOf(value)).toBe(expected))
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
  it('keeps back what only we need', () => {
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
    expect(toErpRecording({ ...recording, captura: { dispositivo: 'tablet 3' } })).toEqual(recording)
  })
})

describe('junctions', () => {
  it('reads a row: blanks and slashes inside stay, padding goes, a column that is missing is empty', () => {
    const row = toJunction({ Z8_POSICAO: 'J 02/A    ', Z8_PJUNCAO: '125,50', Z8_QTDPECA: '120.00', Z8_OP: '01 ' })
    expect(ErpJunction.safeParse(row).error).toBeUndefined()
    expect(row).toMatchObject({ Z8_POSICAO: 'J 02/A', Z8_PJUNCAO: 125.5, Z8_QTDPECA: 120, Z8_DESCPRO: '', Z8_OP: '01' })
  })

  const REGISTRO = { Z9_GRUPOMP: 'TERMINAIS ' }
  const CIRCUITO = { z1_de: 'J 02/A   |E   ', Z1_PARA: 'X10.3  ', Z1_BITOLA: 0.5 }
  const details = { registros: [REGISTRO], circuitos: [CIRCUITO], teste: { ZTB_FORCA: '70,00', ZTB_BITOLA: '0,50 ' } }
  const read = {
    registros: [{ Z9_GRUPOMP: 'TERMINAIS' }],
    circuitos: [expect.objectContaining({ Z1_DE: 'J 02/A|E', Z1_PARA: 'X10.3', Z1_BITOLA: '0.5', Z1_CODBAR: '' })],
    teste: { ZTB_FORCA: 70, ZTB_BITOLA: '0,50' },
  }
  const everyRow = () => true

  it.each([
    ['in data', { data: details }],
    ['bare', details],
    ['in a list', [details]],
    ['in items', { Items: [details], HasNext: 'false' }],
    ['its test in a list', { data: { ...details, teste: [details.teste] } }],
    ['single objects for lists', { data: { ...details, registros: REGISTRO, circuitos: CIRCUITO } }],
    ['one by one', [{ registros: [REGISTRO] }, { circuitos: [CIRCUITO] }, { teste: details.teste }]],
  ])('reads details %s', (_, value) => {
    const found = toJunctionDetails(value, everyRow)
    expect(found).toEqual(read)
    expect(JunctionDetails.safeParse(found).error).toBeUndefined()
  })

  it.each([
    [{}, null],
    [[], null],
    [null, null],
    [{ ZTB_FORCA: '', ZTB_BITOLA: '  ' }, null],
    [
      { ZTB_FORCA: '', ZTB_BITOLA: '0,50' },
      { ZTB_FORCA: null, ZTB_BITOLA: '0,50' },
    ],
  ])('the test %j', (teste, expected) =>
    expect(toJunctionDetails({ data: { ...details, teste } }, everyRow)?.teste).toEqual(expected),
  )

  it('reads no details where there are none', () => {
    expect(toJunctionDetails({ message: 'Processando' }, everyRow)).toBeNull()
    expect(toJunctionDetails({ data: details }, () => false)).toEqual({ registros: [], circuitos: [], teste: null })
  })

  const recording = {
    FILIAL: '010101',
    NUMERO_OP: '01621401001',
    TIPO_REGISTRO: 'JUNCAO',
    POSICAO: 'J 02/A',
    QTD_PECAS: 120,
    QTD_APONTADA: 30,
    DATA: '2026-11-21',
    OPERADOR: 'jsilva',
    FORCA: 92.5,
    MAQUINA: 'US0002 - Telsonic',
    GRUPO_MP: 'TERMINAIS',
  } as const

  it('sends a recording as it is but for the date, and any group with terminals under one name', () => {
    expect(toErpJunctionRecording({ ...recording, captura: { medidoForca: true } }, 'AAAA-MM-DD')).toEqual(recording)
    expect(toErpJunctionRecording(recording, 'AAAAMMDD')).toEqual({ ...recording, DATA: '20261121' })
    const groupOf = (group: string) => toErpJunctionRecording({ ...recording, GRUPO_MP: group }, 'AAAA-MM-DD').GRUPO_MP
    expect([groupOf('M500US01'), groupOf('TERM. SELADOS')]).toEqual(['M500US01', 'TERMINAIS'])
  })
})

it('a receipt says who and when by the clock of the plant', () => {
  const receipt = {
    branch: '010101',
    barcode: '0101621401001000010007',
    operator: 'João',
    at: { day: '2026-11-21', time: '09:41:07' },
  }
  const sent = { FILIAL: '010101', COD_BARRA: '0101621401001000010007', OPERADOR: 'João', HORA: '09:41:07' }
  expect(toErpReceipt(receipt, 'AAAAMMDD')).toEqual({ ...sent, DATA: '20261121' })
  expect(toErpReceipt(receipt, 'AAAA-MM-DD')).toEqual({ ...sent, DATA: '2026-11-21' })
})
