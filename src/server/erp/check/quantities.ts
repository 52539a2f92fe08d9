import type { ErpObject } from '../answer.ts'
import { itemQuantities, junctionQuantities, quantityOf, textOf } from '../mapping.ts'
import { whereOf } from './fields.ts'
import { type Finding, type FindingCode, finding, valueText } from './findings.ts'

export type QuantityRules = {
  fields: readonly string[]
  /** Fields that are percentages; `registered` are those that grow up to `ordered`. */
  percents: readonly string[]
  registered: readonly string[]
  ordered: string
}

export const itemQuantityRules: QuantityRules = {
  fields: itemQuantities,
  percents: ['Z1_PCORTE', 'Z1_PCRIML1', 'Z1_PCRIML2'],
  registered: ['Z1_QTREGCO', 'Z1_QTREGL1', 'Z1_QTREGL2'],
  ordered: 'Z1_QUANT',
}

export const junctionQuantityRules: QuantityRules = {
  fields: junctionQuantities,
  percents: ['Z8_PJUNCAO'],
  registered: [],
  ordered: 'Z8_QTDPECA',
}

const PIECES_MAX = 1_000_000
const PERCENT_MAX = 100
const DECIMALS_MAX = 2

const numbers = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 20 })
const readAs = (value: unknown) => `${valueText(value)}, lido como ${numbers.format(quantityOf(value) ?? 0)}`

const isMarked = (value: unknown): value is string => typeof value === 'string' && /[.,]/.test(value)

/** `Str()` of three decimals and thousands of a person look the same while no value shows another number of decimals. */
const mayBeThousands = (values: readonly unknown[]): boolean => {
  const marked = values.filter(isMarked)
  return (
    marked.every((value) => /^\d{1,3}[.,]\d{3}$/.test(value.trim())) && marked.some((value) => quantityOf(value) !== 0)
  )
}

const decimalsOf = (value: unknown): number =>
  /^[+-]?\d*[.,](\d+?)0*$/.exec(String(value).trim())?.[1]?.replace(/^0$/, '').length ?? 0

type Odd = (value: unknown, row: ErpObject) => boolean

/** Oddities that a column is checked for; the first found is reported. */
const oddities = (rules: QuantityRules, field: string): [FindingCode, Odd][] => [
  ['huge', (value) => (quantityOf(value) ?? 0) > PIECES_MAX],
  ['many_decimals', (value) => decimalsOf(value) > DECIMALS_MAX],
  ['over_hundred', (value) => rules.percents.includes(field) && (quantityOf(value) ?? 0) > PERCENT_MAX],
  [
    'over_ordered',
    (value, row) =>
      rules.registered.includes(field) &&
      (quantityOf(value) ?? 0) > (quantityOf(row[rules.ordered]) ?? Number.POSITIVE_INFINITY),
  ],
]

/** Quantities that can be read and may mean something else: notices, one a column. */
export function inspectQuantities(rows: readonly ErpObject[], rules: QuantityRules, rowKey: string): Finding[] {
  const doubtful = (field: string) => mayBeThousands(rows.map((row) => row[field]))
  const isOrderedDoubtful = doubtful(rules.ordered)
  return rules.fields.flatMap((field): Finding[] => {
    const said = (code: FindingCode, odd: readonly ErpObject[]) => {
      const value = odd[0]?.[field]
      const keys = odd.map((row) => textOf(row[rowKey]).trim())
      return [{ ...finding(code, field, value, whereOf(keys, rows.length)), value: readAs(value) }]
    }
    if (doubtful(field)) {
      const odd = rows.filter((row) => isMarked(row[field]) && quantityOf(row[field]) !== 0)
      return said('thousands_or_decimals', odd)
    }
    for (const [code, isOdd] of oddities(rules, field)) {
      const odd = rows.filter((row) => isOdd(row[field], row))
      // what is registered was compared with a number that is in doubt itself
      if (odd.length > 0 && !(code === 'over_ordered' && isOrderedDoubtful)) return said(code, odd)
    }
    return []
  })
}
