import { expect, test } from 'vitest'
import { traceKinds } from '../../contract/traces.ts'
import { traceSample } from './trace-samples.ts'
import {
  chooseKind,
  isBelowMinimum,
  isOutsidePlan,
  measuredIn,
  millimetresText,
  passesFilter,
  planLines,
  requiredIn,
  requiredText,
  shiftIn,
  shiftText,
  traceFileName,
  usedIn,
} from './traces.ts'

const found = (counts: Partial<Record<(typeof traceKinds)[number], number>>) =>
  traceKinds.flatMap((tipo) => (counts[tipo] === undefined ? [] : [{ tipo, apontamentos: counts[tipo] }]))

test('a term is what was asked, else what has most recordings, else what comes first', () => {
  expect(chooseKind([], undefined)).toBe(null)
  expect(chooseKind([], 'maquina')).toBe('maquina')
  expect(chooseKind(found({ lote: 9, ordem: 1 }), 'ordem')).toBe('ordem')
  expect(chooseKind(found({ lote: 1, ordem: 9, maquina: 3 }), undefined)).toBe('ordem')
  expect(chooseKind(found({ barras: 2, miniaplicador: 2, maquina: 2 }).toReversed(), undefined)).toBe('barras')
})

const nothing = { codigo: '', selo: '', seladora: '', miniaplicador: '', forca: null, alturaMm: null }

test('what was used is told of the side that was recorded', () => {
  const payload = { TERM_LD1: 'T1', MA_LD1: 'M1', FORCA_LD1: 70, TERM_LD2: 'T2', SELO_LD2: 'S2', SELADORA_LD2: 'E2' }
  expect(usedIn('l1', payload)).toEqual({ ...nothing, codigo: 'T1', miniaplicador: 'M1', forca: 70 })
  expect(usedIn('l2', payload)).toEqual({ ...nothing, codigo: 'T2', selo: 'S2', seladora: 'E2' })
  expect(usedIn('cabo', { COD_CABO: 'C1', LOTE_CABO: 'L1' })).toEqual({ ...nothing, codigo: 'C1' })
  // by ultrasound: no terminal, no height
  expect(usedIn('juncao', { FORCA: 92.5 })).toEqual({ ...nothing, forca: 92.5 })
  expect(usedIn('recebimento', { codigoBarras: 'x' })).toEqual(nothing)
})

test('measured or not is said of values that there are, by a device that says it', () => {
  const values = { ...nothing, forca: 70, alturaMm: 1.1 }
  expect(measuredIn(values, { medidoForca: true, medidoAltura: false })).toEqual({
    forcaMedida: true,
    alturaMedida: false,
  })
  expect(measuredIn(values, {})).toEqual({ forcaMedida: null, alturaMedida: null })
  expect(measuredIn(values, null)).toEqual({ forcaMedida: null, alturaMedida: null })
  expect(measuredIn(nothing, { medidoForca: true, medidoAltura: true })).toEqual({
    forcaMedida: null,
    alturaMedida: null,
  })
})

const asks = (item: object | undefined, junction?: { ZTB_FORCA: number | null }) =>
  ({ item, junction: junction && { registros: [], circuitos: [], teste: junction } }) as Parameters<
    typeof requiredIn
  >[2]

test('what the order asks for is said of values that there are, as far as its copy says it', () => {
  const values = { ...nothing, forca: 70, alturaMm: 1.1 }
  const item = { Z1_RMINL1: 70, Z1_DECAL1: 1.12, Z1_RMINL2: 0, Z1_DECAL2: null }
  const unknown = { forcaMin: null, alturaNominalMm: null }
  expect(requiredIn('l1', values, asks(item))).toEqual({ forcaMin: 70, alturaNominalMm: 1.12 })
  expect(requiredIn('l2', values, asks(item)), 'an order that asks 0 asks nothing').toEqual(unknown)
  expect(requiredIn('l1', values, asks(undefined))).toEqual(unknown)
  expect(requiredIn('juncao', values, asks(undefined, { ZTB_FORCA: 92.5 }))).toEqual({ ...unknown, forcaMin: 92.5 })
  expect(requiredIn('cabo', nothing, asks(item))).toEqual(unknown)
  expect(['', '70'].map((text) => requiredText(70, text))).toEqual(['-', '70'])
  expect(requiredText(null, '')).toBe('')
})

test('below the minimum is what is less than the order asks, or was recorded with a reason', () => {
  const line = { forca: 70, forcaMin: 70, alturaNominalMm: null, forcaMedida: null, alturaMedida: null }
  const said = (of: object) => isBelowMinimum({ ...line, motivoForaDoLimite: '', ...of })
  expect([{}, { forca: 69.9 }, { forcaMin: null }, { forca: null, forcaMin: null }].map(said)).toEqual([
    false,
    true,
    false,
    false,
  ])
  expect(said({ forcaMin: null, motivoForaDoLimite: 'Outro motivo' }), 'the copy is gone').toBe(true)
})

test('not measured is what a device said so of, and not what it left open', () => {
  const line = { forca: 70, forcaMin: null, alturaNominalMm: null, motivoForaDoLimite: '' }
  const passes = (forcaMedida: boolean | null, alturaMedida: boolean | null) =>
    passesFilter['nao-medido']({ ...line, forcaMedida, alturaMedida })
  expect([passes(null, null), passes(true, true), passes(true, false), passes(false, null)]).toEqual([
    false,
    false,
    true,
    true,
  ])
})

test('a plan is named with what is outside of it; a limit of the order, or an older server, with nothing', () => {
  const limits = { low: 1050, high: 1150, nominal: 1100 }
  const height = (milli: number, isOut: boolean) =>
    traceSample({ characteristic: 'altura', readings: [1100, milli], isOut }, { version: 3, limits })
  const force = (version: number | null) =>
    traceSample(
      { characteristic: 'forca', readings: [69_900], isOut: true },
      version === null ? null : { version, limits: { low: 75_000, high: null, nominal: null } },
    )
  expect(planLines({ medicoes: [height(1110, false)] })).toEqual(['dentro do plano v3'])
  expect(planLines({ medicoes: [height(1110, false), height(1170, true), force(4)] })).toEqual([
    ...['fora do plano v3 · v4', 'Altura 1,100 / 1,170 (fora)', 'Altura 1,050 a 1,150', 'Força 69,9', 'Força mín. 75'],
  ])
  expect([{ medicoes: [force(null)] }, { medicoes: [] }, {}].map(isOutsidePlan)).toEqual([false, false, false])
  expect([{ medicoes: [force(null)] }, {}].flatMap(planLines)).toEqual([])
})

test.each([
  [null, ''],
  [1, '1,00'],
  [1.1, '1,10'],
  [1.1234, '1,1234'],
  [1.12344, '1,1234'],
  [1000, '1000,00'],
])('%s millimetres are written %j', (heightMm, text) => expect(millimetresText(heightMm)).toBe(text))

test('the time that a device was off by shows from ten minutes on', () => {
  const minutes = (desvioMs?: number) => shiftIn(desvioMs === undefined ? null : { desvioMs }).relogioMinutos
  expect([undefined, 0, 600_000, 600_001, -11 * 60_000].map(minutes)).toEqual([null, null, null, 10, -11])
  expect([11, -11, 20 * 1440 + 185, -1440].map(shiftText)).toEqual(['+11 min', '-11 min', '+20 d 3 h', '-1 d'])
})

test.each([
  ['L261118004', 'L261118004'],
  ['KX0001 - Komax', 'KX0001-Komax'],
  ['../../etc/passwd', 'etc-passwd'],
  ['..\\..\\windows', 'windows'],
  ['a"\r\nSet-Cookie: x=1', 'a-Set-Cookie-x-1'],
  ['Crimpação', 'Crimpacao'],
  ['😀', 'termo'],
  ['%00.csv', '00-csv'],
  ['x'.repeat(255), 'x'.repeat(60)],
  [`${'x'.repeat(59)} y`, 'x'.repeat(59)],
])('of %j only what may stand in a file name is in it', (term, safe) => {
  expect(traceFileName('lote', term, '2026-11-21')).toBe(`rastreabilidade_lote_${safe}_2026-11-21.csv`)
})
