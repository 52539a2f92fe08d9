import fc from 'fast-check'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { goodOf, inAddress, type Sent } from './requests.ts'
import { fieldsOf } from './wrong-requests.ts'

const hostile = fc.oneof(
  fc.constantFrom(
    "' OR 1=1; DROP TABLE users; --",
    '<script>alert(1)</script>',
    '../../../etc/passwd',
    '{{7*7}}',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '\u202e\u2066',
    'ﷺ'.repeat(20),
    '😀'.repeat(11),
    '%00%0a',
    'NaN',
    'Infinity',
    '__proto__',
    ' ',
    '\u00a0',
    'İ'.repeat(64),
    '0101621401001000010007',
    '010101',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 30 }),
)
const value = fc.oneof(
  { weight: 4, arbitrary: hostile },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.maxSafeInteger() },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59Z',
      '2026-02-30T00:00:00Z',
      '-000001-01-01T00:00:00Z',
    ),
  },
)

/** A good request in which some fields were replaced by anything at all. */
export const anySent = (endpoint: Endpoint): fc.Arbitrary<Sent> => {
  const changed = (place: 'query' | 'body' | 'params') => {
    const names = Object.keys(fieldsOf(endpoint, place).properties)
    const whole = (goodOf(endpoint)[place] ?? {}) as Record<string, unknown>
    return names.length === 0
      ? fc.constant(goodOf(endpoint)[place])
      : fc
          .dictionary(fc.constantFrom(...names), value, { maxKeys: 4 })
          .map((wrong) => ({ ...whole, ...wrong, ...captured(wrong) }))
          // such an address is that of another call, or of none
          .filter(
            (fields) => place !== 'params' || Object.values(fields).every((one) => !/^\.{0,2}$/.test(inAddress(one))),
          )
  }
  return fc.record({ params: changed('params'), query: changed('query'), body: changed('body') }) as fc.Arbitrary<Sent>
}
const captured = ({ captura }: Record<string, unknown>) =>
  typeof captura === 'string' ? { captura: { registradoEm: captura } } : {}
