import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { PlanContent } from '../../contract/control-plans.ts'
import { PLAN_LINES_MAX } from '../../contract/plan-changes.ts'
import { csvOf } from '../text/csv.ts'
import {
  asksTheSame,
  planColumns,
  planCsvColumns,
  planTexts,
  readPlan,
  readPlanImport,
} from './control-plan-imports.ts'
import { completed } from './plan-versions.ts'

const golden = JSON.parse(
  readFileSync(new URL('../../../test/support/golden/control-plan.json', import.meta.url), 'utf8'),
) as { about: string; csvLines: { line: string; ok: boolean; field?: string; message?: string }[] }

/** As the golden data name them; the panel's own has 'Filial' and 'Valor digitado vale' at its end. */
const HEAD = Object.values(planColumns).slice(0, -2).join(';')
const faultsOf = (...lines: string[]) =>
  readPlanImport([HEAD, ...lines].join('\r\n')).faults.map(({ line, column, message }) =>
    [line, column ? planColumns[column] : '', message].join('|'),
  )

test('the columns are those that were agreed', () => expect(golden.about).toContain(HEAD))

test.each(golden.csvLines.map((row) => [row.line, row] as const))('%s', (line, { ok, field, message }) => {
  expect(faultsOf(line)).toEqual(ok ? [] : [`2|${field}|${message}`])
})

test.each([
  ...['1\u00A0250', '1\u202F250,5', "1'250", '1 250', '\u221270', '1.250.00', '+70'],
  ...['1.250\u00A0', '\u00A01.250', '1.250\u00AD'],
])('a force that a program writes as %j is refused by its cell', (cell) => {
  const { plans, faults } = readPlanImport(`Terminal;Bitola;Força mínima\nT1;0,5;${cell}`)
  expect([plans, faults.map(({ line, column }) => [line, column])]).toEqual([[], [[2, 'forcaMin']]])
})

test.each([
  ['70,5\u200B', '1.000', 70_500, 1000],
  ['\u00A070\u00A0', '1.000.000', 70_000, 1_000_000],
  ['1.250,00', '007', 1_250_000, 7],
  ['70\u00AD', ' 12 ', 70_000, 12],
])('a force of %j and a number of pieces of %j have one reading', (force, pieces, forcaMin, aCadaPecas) => {
  const { plans } = readPlanImport(`Terminal;Bitola;Força mínima;A cada peças\nT1;0,5;${force};${pieces}`)
  expect(plans).toMatchObject([{ plan: { forcaMin, aCadaPecas } }])
})

test.each(['3,00', '1\u00A0000', '1 000', '1,000', '1e3'])('a number of pieces of %j is refused', (pieces) => {
  const { plans, faults } = readPlanImport(`Terminal;Bitola;Força mínima;A cada peças\nT1;0,5;75;${pieces}`)
  expect([plans, faults.map(({ column }) => column)]).toEqual([[], ['aCadaPecas']])
})

const whole: PlanContent = {
  ...{ terminal: 'T1326030', bitola: 500, miniaplicador: 'MA-0412', maquina: 'PR0002', filial: '010101' },
  ...{ altura: { nominal: 1095, menos: 40, mais: 50 }, forcaMin: 75_500 },
  ...{ largura: { nominal: 2300, menos: 100, mais: 100 }, alturaIsolante: { nominal: 2000, menos: 0, mais: 1 } },
  ...{ leiturasAltura: 5, leiturasForca: 1, aCadaPecas: 1000, ultimaPeca: true },
  ...{ instrumento: '12-11', reacao: 'Parar, chamar a qualidade', digitadoVale: false },
}
const least: PlanContent = {
  ...{ terminal: '=1+1', bitola: 125, forcaMin: 75_000, leiturasAltura: 3, leiturasForca: 3, ultimaPeca: false },
}

test('a decimal of a file with one point and three digits is refused with both readings, a whole number is a thousand', () => {
  expect(faultsOf('T1;10,00;;;4,10;0,05;0,05;1.250;;;;;;;;;2.500')).toEqual([
    '2|Força mínima|1.250: escreva 1250 ou 1,250',
  ])
  expect(faultsOf('T1;46.032;;;1.100;0,05;2.000;75')).toEqual([
    '2|Bitola|46.032: escreva 46032 ou 46,032',
    '2|Altura nominal|1.100: escreva 1100 ou 1,100',
    '2|Altura tol. +|2.000: escreva 2000 ou 2,000',
  ])
  const { plans, faults } = readPlanImport(`${HEAD}\nT1;0.500;;;1234.567;0.05;,05;1.250,00;;;;;;;;;2.500`)
  expect(faults).toEqual([])
  expect(plans[0]?.plan).toMatchObject({
    ...{ bitola: 500, altura: { nominal: 1_234_567, menos: 50, mais: 50 }, forcaMin: 1_250_000, aCadaPecas: 2500 },
  })
})

test('signs that nobody sees are no part of a name, and marks of direction are refused by name', () => {
  const names = ['TPU\u200B9', 'KB\u00A0 77', 'KB\u00AD78', ' Conexa\u0303o\u2009']
  const { plans, faults } = readPlanImport([HEAD, ...names.map((name) => `${name};0,50;;;;;;70`)].join('\n'))
  expect([plans.map(({ plan }) => plan.terminal), faults]).toEqual([['TPU9', 'KB  77', 'KB78', 'Conexão'], []])
  expect(faultsOf('TPU9;0,50;;;;;;70', 'TPU\uFEFF9;0,50;;;;;;80')).toEqual([
    '3|Terminal|O mesmo plano já está na linha 2.',
  ])
  expect(faultsOf('T\u202E1;0,50;;;;;;70')).toEqual([
    '2|Terminal|Há marcas de direção do texto, que não se veem: apague e digite novamente',
  ])
})

test('a box of a form takes a point for the decimal one', () => {
  const texts = { ...planTexts(whole), bitola: '1.250', forcaMin: '70.500' }
  expect(readPlan(texts).plan).toMatchObject({ bitola: 1250, forcaMin: 70_500 })
})

test('what is exported is read back as it was', () => {
  const plans = [whole, least, { ...least, terminal: '007' }]
  const { plans: read, faults, lines } = readPlanImport(csvOf(planCsvColumns, plans))
  expect([faults, lines]).toEqual([[], 3])
  expect(read.map(({ line, plan }) => [line, plan])).toEqual(plans.map((plan, at) => [at + 2, completed(plan, null)]))
})

test('a form begins with the texts of a plan and makes the same plan of them', () => {
  for (const plan of [whole, least])
    expect(readPlan(planTexts(plan))).toEqual({ plan: completed(plan, null), faults: [] })
})

test('what a plan asks for is another thing than where it holds', () => {
  expect(asksTheSame(whole, { ...whole, terminal: 't1326030', maquina: 'X' })).toBe(true)
  expect(asksTheSame(whole, { ...whole, forcaMin: 75_501 })).toBe(false)
  expect(asksTheSame(whole, { ...whole, ultimaPeca: false })).toBe(false)
})

test('what begins like a formula is text', () => {
  for (const name of ['=1+1', '+55', '-1', '@x', '=HYPERLINK("x")']) {
    const quoted = `"${name.replaceAll('"', '""')}"`
    const { plans, faults } = readPlanImport(`Terminal;Bitola;Força mínima\n${quoted};0,5;75`)
    expect([faults, plans[0]?.plan.terminal], name).toEqual([[], name])
  }
})

test('columns may stand in any order, with commas between them, and be left out', () => {
  const { plans, faults } = readPlanImport('\uFEFFFORCA MINIMA,bitola,Terminal\n75,0.50,T1\n,,\n"70,5",0.75,T1\n')
  expect(faults).toEqual([])
  expect(plans).toEqual([
    { line: 2, plan: { ...least, terminal: 'T1', bitola: 500 } },
    { line: 4, plan: { ...least, terminal: 'T1', bitola: 750, forcaMin: 70_500 } },
  ])
})

const DECIMAL = 'Esperado um número com até 3 casas, por exemplo 0,50'
const TOLERANCE = 'Preencha nominal e as duas tolerâncias, ou nenhuma'
const shapes: [line: string, field: string, message: string][] = [
  [';0,50;;;1,100;0,050;0,050;75', 'Terminal', 'Campo obrigatório'],
  ['   ;0,50;;;1,100;0,050;0,050;75', 'Terminal', 'Campo obrigatório'],
  [`${'T'.repeat(256)};0,50;;;;;;75`, 'Terminal', 'Texto longo demais (máximo 255)'],
  ['"T\t1";0,50;;;;;;75', 'Terminal', 'Caracteres de controle não são aceitos'],
  ['T1;;;;;;;75', 'Bitola', 'Campo obrigatório'],
  ['T1;AWG 20;;;;;;75', 'Bitola', DECIMAL],
  ['T1;0;;;;;;75', 'Bitola', DECIMAL],
  ['T1;0,0001;;;;;;75', 'Bitola', DECIMAL],
  ['T1;-0,5;;;;;;75', 'Bitola', DECIMAL],
  ['T1;0,5 mm²;;;;;;75', 'Bitola', DECIMAL],
  ['T1;1.10,5;;;;;;75', 'Bitola', DECIMAL],
  ['T1;1e1;;;;;;75', 'Bitola', DECIMAL],
  ['T1;∞;;;;;;75', 'Bitola', DECIMAL],
  ['T1;٠,٥;;;;;;75', 'Bitola', DECIMAL],
  [`T1;0,5;${'M'.repeat(256)};;;;;75`, 'Mini aplicador', 'Texto longo demais (máximo 255)'],
  [`T1;0,5;;${'M'.repeat(121)};;;;75`, 'Máquina', 'Texto longo demais (máximo 120)'],
  ['T1;0,5;;;1,1;0,05;;', 'Altura tol. +', TOLERANCE],
  ['T1;0,5;;;1,1;;0,05;', 'Altura tol. -', TOLERANCE],
  ['T1;0,5;;;;0,05;0,05;', 'Altura nominal', TOLERANCE],
  ['T1;0,5;;;1,1;;;75', 'Altura tol. -', TOLERANCE],
  ['T1;0,5;;;x;0,05;0,05;', 'Altura nominal', DECIMAL],
  ['T1;0,5;;;1,1;x;0,05;', 'Altura tol. -', DECIMAL],
  ['T1;0,5;;;1,1;0,05;±0,05;', 'Altura tol. +', DECIMAL],
  ['T1;0,5;;;0;0,05;0,05;', 'Altura nominal', DECIMAL],
  ['T1;0,5;;;1,1;1,1;0,05;', 'Altura tol. -', 'A tolerância é maior que o nominal'],
  ['T1;0,5;;;1,1;50;0,05;', 'Altura tol. -', 'A tolerância é maior que o nominal'],
  ['T1;0,5;;;;;;setenta', 'Força mínima', DECIMAL],
  ['T1;0,5;;;;;;0', 'Força mínima', DECIMAL],
  ['T1;0,5;;;;;;75 N', 'Força mínima', DECIMAL],
  ['T1;0,5;;;;;;75;2,3;;0,1', 'Largura tol. -', TOLERANCE],
  ['T1;0,5;;;;;;75;;;;2;0,1', 'Altura isolante tol. +', TOLERANCE],
  ['T1;0,5;;;;;;75;;;;;;;0', 'Altura leituras', 'Esperado um número de 1 a 10'],
  ['T1;0,5;;;;;;75;;;;;;;2,5', 'Altura leituras', 'Esperado um número de 1 a 10'],
  ['T1;0,5;;;;;;75;;;;;;;;11', 'Força leituras', 'Esperado um número de 1 a 10'],
  ['T1;0,5;;;;;;75;;;;;;;;;1000001', 'A cada peças', 'Esperado um número de 1 a 1.000.000'],
  ['T1;0,5;;;;;;75;;;;;;;;;0', 'A cada peças', 'Esperado um número de 1 a 1.000.000'],
  ['T1;0,5;;;;;;75;;;;;;;;;;X', 'Última peça', 'Esperado S ou N'],
  [`T1;0,5;;;;;;75;;;;;;;;;;;${'I'.repeat(61)}`, 'Instrumento', 'Texto longo demais (máximo 60)'],
  [`T1;0,5;;;;;;75;;;;;;;;;;;;${'R'.repeat(501)}`, 'Plano de reação', 'Texto longo demais (máximo 500)'],
  ['T1;0,5', 'Altura nominal', 'Informe ao menos a altura ou a força mínima'],
  ['T1;0,5;;;;;;75;;;;;;;;;;;;;a mais', '', 'São esperadas 20 colunas, e aqui há 21.'],
]

test.each(shapes)('a wrong line is refused by its field and a sentence: %s', (line, field, message) => {
  expect(faultsOf('T9;0,5;;;;;;75', line)).toEqual([`3|${field}|${message}`])
})

test.each([
  ['', 1, 'O arquivo está vazio.'],
  [HEAD, 1, 'O arquivo só tem os nomes das colunas.'],
  ['Terminal;Bitola;Cor\nT1;0,5;az', 1, "Coluna desconhecida: 'Cor'."],
  ['Terminal;Força mínima\nT1;75', 1, 'Falta a coluna Bitola.'],
  ['Bitola;Força mínima\n0,5;75', 1, 'Falta a coluna Terminal.'],
  ['Terminal;Bitola;bitola\nT1;0,5;0,5', 1, 'A mesma coluna está duas vezes.'],
  [`${HEAD}\n"T1;0,5`, 2, 'Há aspas que não se fecham nesta linha.'],
  ['PK\u0003\u0004', 1, 'Isto não é um CSV: grave a planilha como CSV (UTF-8).'],
  [`${HEAD}\n${'T1;0,5;;;;;;75\n'.repeat(PLAN_LINES_MAX + 1)}`, 5002, 'São no máximo 5.000 linhas por arquivo.'],
])('a file that is none is refused whole', (content, line, message) => {
  expect(readPlanImport(content)).toEqual({
    ...{ lines: 0, plans: [], suspects: [] },
    faults: [{ line, column: null, message }],
  })
})

test('everything that is wrong is named, and a plan that stands on two lines at the second', () => {
  expect(faultsOf('T1;0,5;;;;;;75', ';x;;;;;;75', ' t1 ;0.500;;;;;;80', 'T1;0,5;ma-1;;;;;75')).toEqual([
    '3|Terminal|Campo obrigatório',
    `3|Bitola|${DECIMAL}`,
    '4|Terminal|O mesmo plano já está na linha 2.',
  ])
})
