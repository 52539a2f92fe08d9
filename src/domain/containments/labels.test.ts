import { expect, test } from 'vitest'
import { readBarcode } from '../../../test/support/code-128.ts'
import { type LabelRow, labelEnd, labelStart, labels } from './labels.ts'

const head = {
  ...{ number: 'C-000123', reason: 'Altura fora: 1,170 mm', openedBy: 'Maria <Souza>' },
  openedDay: '23/11/2026 11:20',
}
const end: LabelRow = {
  ...{ orderNumber: '01621401001', item: '0012', barcode: '0101001621401001000012', position: '' },
  ...{ stage: 'Terminal Lado 1', pieces: 120 },
}
const junction: LabelRow = { ...end, item: '', barcode: '', position: 'J-12', stage: 'Junção', pieces: 1250 }

const pagesOf = (page: string) => page.split('<section>').slice(1)
const codesOf = (page: string) => [...page.matchAll(/<svg.*?<\/svg>/gs)].map(([svg]) => readBarcode(svg))

test('a reader finds on each label its containment and its item; a junction has its place in words', () => {
  const pages = pagesOf(labels(head, [end, junction], 1))
  expect(pages.map(codesOf)).toEqual([['C-000123', '0101001621401001000012'], ['C-000123']])
  for (const text of ['SUSPEITO - NÃO USAR', 'Contenção C-000123', 'Devolver à qualidade', 'Altura fora: 1,170 mm']) {
    for (const page of pages) expect(page).toContain(text)
  }
  expect(pages[0]).toContain('Peças: 120')
  expect(pages[1]).toContain('Ordem 01621401001 · Posição J-12')
  expect(pages[1]).toContain('Peças: 1.250')
})

test('each row has its copies, and what people typed is text', () => {
  const page = [labelStart(head), labels(head, [end, { ...junction, position: '<b>' }], 3), labelEnd].join('')
  expect(pagesOf(page).map((label) => label.includes('&lt;b&gt;'))).toEqual([false, false, false, true, true, true])
  expect(page).toContain('Maria &lt;Souza&gt;')
  expect(page).not.toMatch(/<script| style=/)
})
