import { expect, test } from 'vitest'
import { readBarcode } from '../../../test/support/code-128.ts'
import { reasonSheet } from './scrap-sheets.ts'

const reason = (codigo: string, etapa: 'corte' | 'crimpagem' | 'juncao' | 'todas', ativo = true) =>
  ({ codigo, texto: `Motivo ${codigo}`, etapa, ativo, posicao: 1 }) as const

test('a reader finds on each page the reasons of its stage, each once, and no other', () => {
  const sheet = reasonSheet(
    [
      ...[reason('fios-cortados', 'corte'), reason('altura-fora', 'crimpagem'), reason('solda-fraca', 'juncao')],
      ...[reason('outro', 'todas'), reason('contencao', 'todas'), reason('rebarba-2', 'crimpagem', false)],
    ],
    'Fábrica <1>',
  )
  const pages = sheet.split('<section>').slice(1)
  expect(pages.map((page) => [...page.matchAll(/<svg.*?<\/svg>/gs)].map(([svg]) => readBarcode(svg)))).toEqual([
    ['REF-fios-cortados', 'REF-outro'],
    ['REF-altura-fora', 'REF-outro'],
    ['REF-solda-fraca', 'REF-outro'],
  ])
  expect(sheet).toContain('Fábrica &lt;1&gt;')
})
