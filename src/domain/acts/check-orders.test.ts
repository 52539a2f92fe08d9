import { expect, it } from 'vitest'
import { ownerIn } from './check-orders.ts'

const row = (Z1_ITEMEST: string, check: string) => ({
  Z1_CODBAR: `0101621401001${Z1_ITEMEST}${check}`,
  Z1_OP: '01621401001 ',
  Z1_ITEMEST,
})
const rows = [row('000010', '007'), row('000020', '00S')]

it('reads order and item out of a code by where the codes of the list hold theirs', () => {
  expect(ownerIn('010162200100100001003X', rows)).toEqual({ order: '01622001001', item: '000010' })
})

it('says nothing of a code of another make, nor by a list whose codes do not hold them', () => {
  expect(ownerIn('990162200100100001003X', rows), 'another plant').toBe(null)
  expect(ownerIn('0101622001001ABCDEF03X', rows), 'no number').toBe(null)
  expect(ownerIn('0101622001001', rows)).toBe(null)
  expect(ownerIn('010162200100100001003X', [])).toBe(null)
  const plain = { Z1_CODBAR: '7891234567890123456789', Z1_OP: '01621401001', Z1_ITEMEST: '000010' }
  expect(ownerIn('7891234567890123456700', [plain])).toBe(null)
  expect(ownerIn('010162200100100001003X', [...rows, plain]), 'one row tells against it').toBe(null)
})
