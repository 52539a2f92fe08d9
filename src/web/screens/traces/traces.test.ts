import { expect, test } from 'vitest'
import type { TraceLine } from '../../../contract/traces.ts'
import { entriesOf } from '../../../domain/reports/trace-entries.ts'
import { groupEntries } from './traces.ts'

const line = (id: string, of: Partial<TraceLine>): TraceLine => ({
  id,
  registradoEm: '2026-11-21T12:00:00.000Z',
  etapa: 'cabo',
  situacao: 'entregue',
  filial: '010101',
  ordem: '01621401001',
  item: '000010',
  barras: 'B1',
  posicao: '',
  pecas: 1,
  lote: '',
  codigo: '',
  selo: '',
  seladora: '',
  miniaplicador: '',
  maquina: '',
  operador: '',
  forca: null,
  alturaMm: null,
  forcaMedida: null,
  alturaMedida: null,
  forcaMin: null,
  alturaNominalMm: null,
  relogioMinutos: null,
  motivoForaDoLimite: '',
  bitolaMilli: null,
  ...of,
})

const shown = (lines: readonly TraceLine[]) =>
  groupEntries(entriesOf(lines, [])).map(({ first, entries }) => [
    first.ordem,
    first.barras || first.posicao,
    entries.map(({ id }) => id).join(),
  ])

test('lines of one item stand together, and items of one order, each with the newest first', () => {
  const lines = [
    line('5', { ordem: 'A', barras: 'A2' }),
    line('4', { ordem: 'B', barras: 'B1' }),
    line('3', { ordem: 'A', barras: 'A1' }),
    line('2', { ordem: 'A', barras: 'A2' }),
    line('1', { ordem: 'A', barras: '', posicao: 'J01', etapa: 'juncao' }),
  ]
  expect(shown(lines)).toEqual([
    ['A', 'A2', '5,2'],
    ['A', 'A1', '3'],
    ['A', 'J01', '1'],
    ['B', 'B1', '4'],
  ])
  const older = line('0', { ordem: 'B', barras: 'B1' })
  expect(shown([...lines, older]).at(-1), 'what comes later joins its item').toEqual(['B', 'B1', '4,0'])
})

test('the same order of another plant is another order', () => {
  const lines = [line('2', { filial: '020101' }), line('1', {})]
  expect(shown(lines)).toHaveLength(2)
  expect(groupEntries([])).toEqual([])
})
