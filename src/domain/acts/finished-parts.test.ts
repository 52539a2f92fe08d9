import { expect, test } from 'vitest'
import type { CutItem } from '../../contract/items.ts'
import type { CutCrimpRecording } from '../../contract/recordings.ts'
import {
  isDoneOutside,
  lastFirst,
  type PartRecording,
  partRecordingOf,
  piecesDoneText,
  recordedTexts,
} from './finished-parts.ts'

const words = { forceUnit: 'N', momentText: (instant: string) => instant.slice(11, 16) }

const crimped: PartRecording = {
  id: 'a',
  registradoEm: '2026-11-23T22:31:00.000Z',
  lote: 'B23-004517/2',
  miniaplicador: 'MA-0001',
  maquina: 'PR0001 - Mecal',
  operador: 'Maria Souza',
  forca: 70,
  forcaMedida: false,
  alturaMm: 1.1,
  alturaMedida: null,
}

test.each<[string, Partial<PartRecording>, string]>([
  ['a crimp', {}, 'lote B23-004517/2 · MA-0001 · PR0001 · 70 N não medido · 1,10 mm · Maria Souza 22:31'],
  [
    'measured',
    { forcaMedida: true },
    'lote B23-004517/2 · MA-0001 · PR0001 · 70 N medido · 1,10 mm · Maria Souza 22:31',
  ],
  ['nobody said', { forcaMedida: null }, 'lote B23-004517/2 · MA-0001 · PR0001 · 70 N · 1,10 mm · Maria Souza 22:31'],
  [
    'a cut',
    { miniaplicador: '', forca: null, forcaMedida: null, alturaMm: null, maquina: 'KX0001' },
    'lote B23-004517/2 · KX0001 · Maria Souza 22:31',
  ],
  ['no name', { operador: ' ' }, 'lote B23-004517/2 · MA-0001 · PR0001 · 70 N não medido · 1,10 mm · 22:31'],
])('%s is said in one line', (_, some, line) => {
  expect(recordedTexts([{ ...crimped, ...some }], words).join(' · ')).toBe(line)
})

test('a part is done outside its plan where one of its samples is', () => {
  const sample = { medido: 'Altura 1,200', exigido: 'Altura 1,050 a 1,150', plano: 2, fora: false }
  expect(isDoneOutside([crimped, { ...crimped, medicoes: [sample] }])).toBe(false)
  expect(isDoneOutside([crimped, { ...crimped, medicoes: [sample, { ...sample, fora: true }] }])).toBe(true)
})

test('of several recordings the last one is said, and how many there are beside it', () => {
  const earlier = { ...crimped, id: 'b', registradoEm: '2026-11-23T20:00:00.000Z', lote: 'EARLIER' }
  const here = { ...crimped, id: 'c', registradoEm: '2026-11-23T23:00:00.000Z', lote: 'HERE' }
  const all = lastFirst([crimped, earlier], [here, crimped])
  expect(all.map(({ id }) => id)).toEqual(['c', 'a', 'b'])
  expect(recordedTexts(all, words)).toContain('lote HERE')
  expect(recordedTexts(all, words).at(-1)).toBe('+2')
  expect(recordedTexts([], words)).toEqual([])
})

test('what this device has recorded says the same as the trace', () => {
  const payload = {
    FORCA_LD1: 70,
    ALTURA_LD1: 1.1,
    LOTE_TERM_LD1: 'B23-004517/2',
    MA_LD1: 'MA-0001',
    MAQUINA: 'PR0001 - Mecal',
    OPERADOR: 'Maria Souza',
    captura: { medidoForca: false, medicoes: ['m'] },
  } as CutCrimpRecording
  const { id, registradoEm: frozenAt } = crimped
  const frozen = { id, part: 'l1', payload, frozenAt } as const
  expect(partRecordingOf(frozen, [])).toMatchObject(crimped)
  expect([['n'], ['m', 'n']].map((outside) => isDoneOutside([partRecordingOf(frozen, outside)]))).toEqual([false, true])
})

test('pieces on their way are done', () => {
  const sides = { Z1_TERML1: 'T1326030', Z1_SELOL1: '0' }
  const item = { ...sides, Z1_QUANT: 1200, Z1_QTREGL1: 1000, aguardandoErp: { cabo: 0, l1: 200, l2: 0 } } as CutItem
  expect(piecesDoneText(item, 'l1')).toBe('1.200 de 1.200')
  expect(piecesDoneText({ ...item, Z1_QTREGL1: 900 }, 'l1')).toBe('1.100 de 1.200')
})
