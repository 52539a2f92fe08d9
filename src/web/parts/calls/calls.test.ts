import { describe, expect, test } from 'vitest'
import type { MaintenanceCall } from '../../../contract/maintenance-calls.ts'
import type { CallPlace } from '../../acts/maintenance-calls.ts'
import { newCalls } from './bell.ts'
import { callsAt } from './calls.ts'

const nowMs = Date.parse('2026-11-23T12:00:00Z')

const call = (numero: number, more: Partial<MaintenanceCall> = {}): MaintenanceCall => ({
  id: `00000000-0000-4000-8000-${String(numero).padStart(12, '0')}`,
  numero,
  filial: '010101',
  maquina: 'PR0001 - Schäfer',
  miniaplicador: 'MA-0001',
  codigoBarras: '0101621401001000010007',
  posicao: '',
  ordem: '01621401001',
  lado: '1',
  sintoma: 'altura-fora',
  nota: '',
  situacao: 'aberto',
  abertoEm: '2026-11-23T11:50:00.000Z',
  abertoPor: 'Maria Souza',
  autorConfirmado: true,
  enviadoDepois: false,
  juntados: 0,
  atendidoEm: null,
  atendidoPor: '',
  encerradoEm: null,
  encerradoPor: '',
  causa: null,
  causaTexto: '',
  feito: '',
  motivo: '',
  maintenanceRecord: null,
  version: 1,
  equipe: 'manutencao',
  assunto: '',
  medicao: null,
  ...more,
})
const resolved = (numero: number, encerradoEm: string) => call(numero, { situacao: 'resolvido', encerradoEm })

const elsewhere: CallPlace = { machine: 'PR0002', tool: '', order: '1', barcode: '2', side: '', junction: '' }
const numbers = (calls: readonly MaintenanceCall[], place: CallPlace) =>
  callsAt(calls, place, nowMs).map(({ numero }) => numero)

describe('what is said of calls where somebody works', () => {
  test.each<[string, Partial<CallPlace>]>([
    ['machine', { machine: 'pr0001 ' }],
    ['tool', { tool: 'ma-0001' }],
    ['side of an item', { barcode: '0101621401001000010007', side: '1' }],
  ])('is of the same %s', (_, same) => {
    expect(numbers([call(214)], { ...elsewhere, ...same })).toEqual([214])
  })

  test('is of the same junction, and of no other of its order', () => {
    const atJunction = call(214, { codigoBarras: '', lado: '', posicao: 'J01', maquina: 'US0001', miniaplicador: '' })
    const place = { ...elsewhere, order: '01621401001', junction: 'J01' }
    expect(numbers([atJunction], place)).toEqual([214])
    expect(numbers([atJunction], { ...place, junction: 'J02' })).toEqual([])
  })

  test('is nothing of the other side, nor of what both leave empty', () => {
    expect(numbers([call(214)], { ...elsewhere, barcode: '0101621401001000010007', side: '2' })).toEqual([])
    expect(numbers([call(214, { miniaplicador: '', posicao: '' })], { ...elsewhere, machine: '' })).toEqual([])
  })

  test('is nothing of a tool that is in no register', () => {
    expect(numbers([call(214, { miniaplicador: 'Sem Cadastro' })], { ...elsewhere, tool: 'Sem Cadastro' })).toEqual([])
  })

  test('is of all open calls; without one of the last resolved, for half an hour', () => {
    const place = { ...elsewhere, machine: 'PR0001' }
    const settled = [resolved(213, '2026-11-23T11:45:00.000Z'), resolved(212, '2026-11-23T11:40:00.000Z')]
    expect(numbers([call(214), call(215, { situacao: 'atendido' }), ...settled], place)).toEqual([214, 215])
    expect(numbers(settled, place)).toEqual([213])
    expect(numbers([resolved(211, '2026-11-23T11:29:00.000Z')], place)).toEqual([])
    expect(numbers([call(216, { situacao: 'cancelado', encerradoEm: '2026-11-23T11:59:00.000Z' })], place)).toEqual([])
  })

  test('is of the call settled last, whenever it was opened', () => {
    const place = { ...elsewhere, machine: 'PR0001' }
    const byOpening = [resolved(213, '2026-11-23T11:20:00.000Z'), resolved(212, '2026-11-23T11:58:00.000Z')]
    expect(numbers(byOpening, place)).toEqual([212])
  })
})

describe('a device rings', () => {
  const known = new Set([call(213).id])
  const rung = (...calls: MaintenanceCall[]) => newCalls(known, calls).map(({ numero }) => numero)

  test('for a call that was not there before', () => {
    expect(rung(call(213), call(214))).toEqual([214])
  })

  test('for nothing that was there at first', () => {
    expect(newCalls(null, [call(214)])).toEqual([])
  })

  test('for none that came too late, or that somebody is at already', () => {
    expect(rung(call(214, { enviadoDepois: true }), call(215, { situacao: 'atendido' }), resolved(216, ''))).toEqual([])
  })
})
