import { expect, test } from 'vitest'
import { documentTitleOf } from './labels.ts'
import { junctionDetailsPath, links } from './links.ts'

const item = 'Item 000050 · OP 01621401001'

test.each([
  [links.dashboard, 'Dashboard'],
  [links.pending, 'Pendências'],
  [links.cutCrimp, 'Corte e Crimpagem'],
  [links.itemEdit, 'Item 000050 · OP 01621401001'],
  [junctionDetailsPath('010101', '01621401001', 'J 1/2'), 'Junção J 1/2 · OP 01621401001'],
  [`${links.junctions}/detalhes/010101/1/%E0`, 'Junção %E0 · OP 1'],
  ['/pages/outra', 'Painel Industrial - Unidade 1'],
])('the tab of %s says %s', (path, title) => {
  expect(documentTitleOf(path, item, 'Unidade 1')).toBe(title)
})

test('a form whose item is not known is named by its screen', () => {
  expect(documentTitleOf(links.itemEdit, null, 'Unidade 1')).toBe('Corte e Crimpagem')
})
