import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openedFile, spreadsheetPrograms } from '../../../test/support/spreadsheets.ts'
import type { ControlPlan, PlanContent } from '../../contract/control-plans.ts'
import { NOTHING_REQUIRED, PlanForm } from '../../contract/plan-changes.ts'
import { csvImportable, csvOf, importedText } from '../text/csv.ts'
import { csvTextOf } from '../text/csv-tables.ts'
import { planFileColumns, readPlanImport } from './control-plan-imports.ts'
import { completed, placeKeyOf } from './plan-versions.ts'

/** What a form takes and a spreadsheet changes: it would make days, numbers, logical words and formulas of them. */
const eaten = [
  'MAR-01',
  'SET-02',
  'ABR 10',
  'FALSO',
  '12/nov',
  '#REF!',
  'True',
  '1E5',
  '12-11',
  '3/4',
  '007',
  '123456789012345',
  '1.250',
  '70,5',
  '12/nov/26',
  'CONEXÃƒO',
]
const formulas = [
  '=1+1',
  "'=1",
  '+55',
  '-1',
  '@x',
  '="x"',
  '\'="x"',
  'a;=1',
  "a, '=1",
  "a,' '=b",
  'x =y',
  "x '=y",
  "'x'",
  '2" a;b',
  '"',
  "''",
  "'-",
]
const signs = fc.constantFrom(...('aZ9ção =+-@\'",;|.#/()µ😀'.match(/./gu) ?? []))
const names = (lengthMax: number) =>
  fc
    .oneof(
      fc.constantFrom(...eaten, ...formulas),
      fc.array(signs, { minLength: 1, maxLength: 12 }).map((all) => all.join('')),
    )
    .map((name) => name.slice(0, lengthMax).toWellFormed().replace('\uFFFD', '').trim())
    .filter((name) => name !== '')
const saying = (lengthMax: number) => names(lengthMax).filter((name) => /[\p{L}\p{N}]/u.test(name))
const long = saying(500).chain((one) =>
  fc.constant(`${one} e mais `.repeat(20).slice(0, 500).toWellFormed().replace('\uFFFD', '').trim()),
)
const milli = fc.oneof(fc.integer({ min: 1, max: 999_999_999 }), fc.integer({ min: 1, max: 3000 }))
const tolerance = fc
  .record({ nominal: milli, menos: fc.oneof(milli, fc.constant(0)), mais: fc.oneof(milli, fc.constant(0)) })
  .map(({ nominal, menos, mais }) => ({ nominal, menos: menos % nominal, mais }))
const some = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })

const plans: fc.Arbitrary<PlanContent> = fc
  .record({
    ...{ terminal: names(255), bitola: milli, miniaplicador: some(names(255)), maquina: some(names(120)) },
    ...{ filial: some(names(12)), altura: some(tolerance), forcaMin: milli, largura: some(tolerance) },
    ...{
      alturaIsolante: some(tolerance),
      leiturasAltura: fc.integer({ min: 1, max: 10 }),
      leiturasForca: fc.integer({ min: 1, max: 10 }),
    },
    ...{ aCadaPecas: some(fc.integer({ min: 1, max: 1_000_000 })), ultimaPeca: fc.boolean() },
    ...{ instrumento: some(saying(60)), reacao: some(fc.oneof(saying(500), long)), digitadoVale: fc.boolean() },
  })
  .map((plan) => JSON.parse(JSON.stringify(plan)) as PlanContent)
const tables = fc.uniqueArray(plans, { minLength: 1, maxLength: 5, selector: placeKeyOf })

const stored = (plan: PlanContent): ControlPlan => ({
  ...plan,
  id: 1,
  version: 1,
  validoDe: '2026-11-21T18:00:00.000Z',
  validoAte: null,
})
const exported = (table: readonly PlanContent[]) => csvOf(planFileColumns('America/Sao_Paulo'), table.map(stored))
const imported = (file: string | Buffer) => {
  const { plans: read, faults, suspects } = readPlanImport(csvTextOf(Buffer.from(file), TextDecoder))
  // what looks as if a spreadsheet had written it is taken where it is known
  const known = new Set(read.flatMap(({ plan }) => Object.values(plan)))
  expect(suspects.filter(({ text }) => !known.has(text))).toEqual([])
  return { faults, plans: read.map(({ plan }) => completed(plan, null)) }
}

test('what is exported is imported as it went, also when one of three spreadsheet programs has saved it: 1,000 tables', () => {
  const property = fc.property(tables, (table) => {
    expect(
      table.map((plan) => PlanForm.safeParse(plan).error?.issues),
      NOTHING_REQUIRED,
    ).toEqual(table.map(() => undefined))
    const file = exported(table)
    const went = { faults: [], plans: table }
    expect(imported(file)).toEqual(went)
    const cells = openedFile(file)
    for (const [program, save] of Object.entries(spreadsheetPrograms))
      expect(imported(save(cells)), program).toEqual(went)
  })
  fc.assert(property, { numRuns: 1000 })
})

test('any text at all comes back as it went', () => {
  for (const text of [...eaten, ...formulas]) expect(importedText(cellOf(csvImportable(text))), text).toBe(text)
  const property = fc.property(
    fc.array(signs).map((all) => all.join('')),
    (text) => {
      expect(importedText(cellOf(csvImportable(text)))).toBe(text)
    },
  )
  fc.assert(property, { numRuns: 1000 })
})

const cellOf = (written: string) => (written === '' ? '' : written.slice(1, -1).replaceAll('""', '"'))

test('what somebody wrote into a spreadsheet keeps its apostrophes', () => {
  for (const text of ["'aspas'", "Veja '=A1'", "d'água, 'x'"]) expect(importedText(text)).toBe(text)
})
