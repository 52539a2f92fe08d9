import { expect, test } from 'vitest'
import { UNLIMITED } from '../../contract/crimp-counters.ts'
import { toInstant } from '../plant/plant-time.ts'
import {
  attentionFirst,
  comparedSpans,
  equipmentState,
  machineFinder,
  meanOfWorked,
  openCallOf,
  unlistedMachine,
} from './equipment.ts'

const timeZone = 'America/Sao_Paulo'
const stateAt = (now: string, quando: string) =>
  equipmentState(
    {
      ultimo: {
        quando,
        parte: 'cabo',
        ordem: '',
        item: '',
        codigoBarras: '',
        posicao: '',
        pecas: 1,
        restam: null,
        operador: '',
      },
    },
    { nowMs: Date.parse(now), timeZone },
  )

test('a machine is at work for 15 minutes after a recording, then it stands, and from midnight on it is unused', () => {
  const last = '2026-11-21T15:00:00.000Z'
  expect(stateAt('2026-11-21T15:00:00.000Z', last)).toBe('producing')
  expect(stateAt('2026-11-21T15:15:00.000Z', last)).toBe('producing')
  expect(stateAt('2026-11-21T15:15:00.001Z', last)).toBe('stopped')
  expect(stateAt('2026-11-22T02:59:59.999Z', last)).toBe('stopped')
  expect(stateAt('2026-11-22T03:00:00.000Z', last)).toBe('unused')
  expect(equipmentState({ ultimo: null }, { nowMs: 0, timeZone })).toBe('unused')
})

test('what needs somebody comes first: a tool over its limit, a silent machine, a tool near its limit', () => {
  const toolAt = (crimpagens: number, limite = 100) => ({ nome: 'MA', crimpagens, limite })
  const machines = [
    { id: 'unused, tool over', state: 'unused', miniaplicador: toolAt(130) },
    { id: 'at work', state: 'producing', miniaplicador: toolAt(79) },
    { id: 'without a limit', state: 'producing', miniaplicador: toolAt(900, UNLIMITED) },
    { id: 'tool near', state: 'producing', miniaplicador: toolAt(80) },
    { id: 'silent', state: 'stopped', miniaplicador: null },
    { id: 'tool over', state: 'producing', miniaplicador: toolAt(100) },
    { id: 'silent too', state: 'stopped', miniaplicador: toolAt(99) },
  ] as const
  expect(attentionFirst(machines, 80).map(({ id }) => id)).toEqual([
    'tool over',
    'silent',
    'silent too',
    'tool near',
    'at work',
    'without a limit',
    'unused, tool over',
  ])
})

test('whoever has called stands before all others, the longest waiting first, and somebody who came after them', () => {
  const call = (situacao: 'aberto' | 'atendido', abertoEm: string) => ({ situacao, abertoEm })
  const machines = [
    { id: 'silent', state: 'stopped', miniaplicador: null },
    { id: 'attended, unused', state: 'unused', miniaplicador: null, call: call('atendido', '2026-11-21T15:00:00Z') },
    { id: 'attended', state: 'producing', miniaplicador: null, call: call('atendido', '2026-11-21T15:00:00Z') },
    { id: 'called', state: 'producing', miniaplicador: null, call: call('aberto', '2026-11-21T15:00:00Z') },
    { id: 'called before', state: 'unused', miniaplicador: null, call: call('aberto', '2026-11-21T14:00:00Z') },
  ] as const
  expect(attentionFirst(machines, 80).map(({ id }) => id)).toEqual([
    'called before',
    'called',
    'attended',
    'silent',
    'attended, unused',
  ])
})

test('of the calls of a machine one that nobody attends is shown', () => {
  const call = (maquina: string, situacao: 'aberto' | 'atendido') => ({ maquina, situacao, abertoEm: '' })
  const [attended, open] = [call('KX0001', 'atendido'), call('kx0001 - Komax', 'aberto')]
  expect(openCallOf('KX0001', [call('KX0002', 'aberto'), attended, open])).toBe(open)
  expect(openCallOf('KX0001', [attended])).toBe(attended)
  expect(openCallOf('KX0003', [attended, open])).toBeUndefined()
})

test('midnight stops no machine that is at work', () =>
  expect(stateAt('2026-11-22T03:05:00.000Z', '2026-11-22T02:55:00.000Z')).toBe('producing'))

test('a recording names a machine by its id, whatever its maker is called', () => {
  const machineOf = machineFinder(['KX0001', 'PR', 'PR - 1'].map((id) => ({ id, fabricante: 'Komax', descricao: '' })))
  const found = ['KX0001 - Komax', 'kx0001', 'KX00012 - Komax', 'PR - 1 - Mecal', 'PR - 10', 'Bancada', '']
  expect(found.map(machineOf)).toEqual(['kx0001', 'kx0001', 'kx00012', 'pr - 1', 'pr', 'bancada', ''])
  expect(unlistedMachine('ZZ1 - Mecal - Velha')).toEqual({ id: 'ZZ1', fabricante: 'Mecal - Velha', descricao: '' })
  expect(unlistedMachine('Bancada')).toEqual({ id: 'Bancada', fabricante: '', descricao: '' })
})

test('a mean is of the days on which there was work', () => {
  expect(meanOfWorked([0, 10, 0, 15])).toBe(13)
  expect(meanOfWorked([0, 0])).toBeNull()
})

test('what is compared are the seven days before today, and the same shift of each', () => {
  const plan = { shifts: ['06:00', '14:00', '22:00'], timeZone }
  const { day, shift, today, days, shifts } = comparedSpans(Date.parse('2026-11-22T04:00:00.000Z'), plan)
  const instants = ({ startMs, endMs }: { startMs: number; endMs: number }) => [toInstant(startMs), toInstant(endMs)]
  expect(day).toBe('2026-11-22')
  expect(instants(shift), 'the night that began yesterday').toEqual([
    '2026-11-22T01:00:00.000Z',
    '2026-11-22T09:00:00.000Z',
  ])
  expect(instants(today)).toEqual(['2026-11-22T03:00:00.000Z', '2026-11-23T03:00:00.000Z'])
  expect([days.length, shifts.length]).toEqual([7, 7])
  expect(days.map(({ endMs }) => endMs)).toEqual([today, ...days.slice(0, 6)].map(({ startMs }) => startMs))
  expect(shifts.map(instants).at(-1)).toEqual(['2026-11-15T01:00:00.000Z', '2026-11-15T09:00:00.000Z'])
})
