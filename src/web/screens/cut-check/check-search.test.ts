import { expect, it } from 'vitest'
import type { CutItem } from '../../../contract/items.ts'
import { checkedItems, missingText } from './check-search.ts'

const item = (number: number, received = '') =>
  ({ Z1_ITEMEST: String(number).padStart(6, '0'), Z1_CODBAR: `code-${number}`, Z1_CONFERE: received }) as CutItem
const none = new Set<string>()

it('knows how far each receipt has come', () => {
  const items = [item(1), item(2, 'S'), item(3), { ...item(4, 'S'), recebimentoAguardandoErp: true }]
  expect(checkedItems(items, new Set(['code-3'])).map(({ receipt }) => receipt)).toEqual([
    'open',
    'confirmed',
    'here',
    'atServer',
  ])
})

it('names what is missing', () => {
  expect(missingText(checkedItems([item(1, 'S')], none))).toBeNull()
  expect(missingText(checkedItems([item(1, 'S'), item(2)], none))).toBe('Falta 1: 000002')
  const many = Array.from({ length: 14 }, (_, index) => item(index))
  expect(missingText(checkedItems(many, none))).toMatch(/^Faltam 14: 000000, 000001, .*, 000011 e mais 2$/)
})
