import fc from 'fast-check'
import type { PlanContent } from '../../../src/contract/control-plans.ts'
import { ORDER, UNTOUCHED } from '../harness.ts'
import type { Refusal, Version } from './brute.ts'

/** Two items of one plant with the same terminal and gauge at their first end. */
export const items = {
  [ORDER]: { codigoBarras: UNTOUCHED, SELO_LD1: 'S0963244' },
  '01622001001': { codigoBarras: '010162200100100120001R', SELO_LD1: 'S0967067' },
}
export type OrderNumber = keyof typeof items
export const orders = Object.keys(items) as OrderNumber[]
export const barcodeOf = (order: OrderNumber) => items[order].codigoBarras

const altura = { nominal: 1100, menos: 50, mais: 50 }
const narrow = { nominal: 1100, menos: 10, mais: 60 }
const base = {
  terminal: 'T1326030',
  bitola: 500,
  leiturasAltura: 3,
  leiturasForca: 3,
  ultimaPeca: false,
  digitadoVale: true,
}
const plans: PlanContent[] = [
  { ...base, altura, forcaMin: 75_000 },
  { ...base, altura: narrow, forcaMin: 90_000 },
  { ...base, altura, forcaMin: 75_000, digitadoVale: false },
  { ...base, altura, largura: altura },
  { ...base, forcaMin: 75_000 },
]

const seldom = fc.constantFrom(false, false, false, false, false, true)
const spot = fc.record({
  order: fc.constantFrom(ORDER, ORDER, '01622001001') as fc.Arbitrary<OrderNumber>,
  tool: fc.constantFrom('MA-0001', 'MA-0001', 'MA-0001', ' ma-0001', 'MA-0002'),
  press: fc.constantFrom('KX0001 - Komax', 'KX0001 - Komax', 'KX0001 - Komax', 'KX0001', 'PR0002 - Schäfer'),
  reel: fc.constantFrom('L-1', 'L-1', 'L-1', 'L-1', 'L-2'),
})
const height = fc.constantFrom(1100, 1100, 1145, 1170, 1230)
const force = fc.constantFrom(92_000, 92_000, 80_000, 72_000, 60_000)
const readings = fc.oneof(
  fc.record({ altura: fc.array(height, { minLength: 1, maxLength: 2 }) }),
  fc.record({ altura: fc.tuple(height), forca: fc.array(force, { minLength: 1, maxLength: 2 }) }),
  fc.record({ forca: fc.tuple(force) }),
  fc.record({ altura: fc.tuple(fc.constant(1100)), forca: fc.tuple(fc.constant(92_000)) }),
  fc.record({ largura: fc.tuple(height) }),
)
/** Minutes on a tablet's queue; 0: online. */
const lateOne: fc.Arbitrary<number> = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 90 }))
const late: fc.Arbitrary<number> = fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: lateOne })
const typed = fc.record({
  altura: fc.record({ milli: height, isMeasured: fc.boolean() }),
  forca: fc.record({ milli: force, isMeasured: fc.boolean() }),
})
const pieces = fc.integer({ min: 1, max: 5 })
const look = fc.record({
  seen: fc.constantFrom('old page', 'nothing', 'newest', 'newest', 'all'),
  typed: fc.constantFrom<{ what: 'altura' | 'forca'; milli: number }[]>(
    ...[[], []],
    [{ what: 'altura', milli: 1170 }],
    [{ what: 'forca', milli: 72_000 }],
  ),
  pieces: fc.option(pieces),
})
const pick = fc.nat(1000)
const step = fc.integer({ min: 1, max: 14 })
const acts = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('sample' as const),
      step,
      spot,
      readings,
      late: lateOne,
      isDoubted: seldom,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      ...{ kind: fc.constant('press' as const), step, spot, typed, late, pieces, isByQuality: seldom },
      ...{ isNaming: fc.constantFrom(true, true, true, false), isAsTaken: fc.constantFrom(true, true, true, false) },
      /** The newest of its order, or one that is asked for at once. */
      release: fc.constantFrom('none', 'none', 'last', 'ask', 'ask'),
      look,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('release' as const), step, spot, look }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('out' as const), step, pick, isBack: seldom }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('treat' as const), step, pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('plan' as const), step, plan: fc.constantFrom(...plans) }) },
)
export const histories = fc.record({
  plan: fc.constantFrom(...plans),
  acts: fc.array(acts, { minLength: 8, maxLength: 16, size: 'max' }),
  wait: fc.integer({ min: 0, max: 20 }),
})
export type Act = typeof acts extends fc.Arbitrary<infer A> ? A : never
export type ActOf<Kind extends Act['kind']> = Extract<Act, { kind: Kind }>
export type Look = ActOf<'release'>['look']
export type Drawn = typeof histories extends fc.Arbitrary<infer H> ? H : never

const dueTexts: Record<string, string> = {
  'primeira-peca': 'Falta medir a primeira peça',
  'troca-de-lote': 'Falta medir depois da troca de lote',
  'troca-de-mini-aplicador': 'Falta medir depois da troca de mini aplicador',
  'troca-de-maquina': 'Falta medir depois da troca de máquina',
  'novo-turno': 'Falta medir neste turno',
}
const called = { altura: 'altura', forca: 'força', largura: 'largura' }

export function refusalText({ outside, due, missing }: Refusal): string {
  const [first] = outside
  if (first && outside.length === 1)
    return `Meça de novo antes de registrar: a última ${called[first]} está fora do plano.`
  const list = (all: readonly (keyof typeof called)[]) =>
    new Intl.ListFormat('pt-BR').format(all.map((what) => called[what]))
  if (first) return `Meça de novo antes de registrar: ${list(outside)} estão fora do plano.`
  return `${dueTexts[due ?? '']}${missing.length > 0 ? `: ${list(missing)}` : ''}.`
}

export const versionOf = (content: PlanContent, version: number, from: number): Version => {
  const bounds = (of: typeof altura) => ({
    low: of.nominal - of.menos,
    high: of.nominal + of.mais,
    nominal: of.nominal,
  })
  return {
    ...{ version, from, isTypedEnough: content.digitadoVale !== false },
    ...(content.altura && { altura: bounds(content.altura) }),
    ...(content.largura && { largura: bounds(content.largura) }),
    ...(content.forcaMin === undefined ? {} : { forceMin: content.forcaMin }),
  }
}
