import { expect, test } from 'vitest'
import type { Instrument } from '../../contract/instruments.ts'
import type { Characteristic, MeasurementForm } from '../../contract/measurements.ts'
import {
  instrumentFindingsOf,
  instrumentGate,
  instrumentNote,
  newestFindings,
  takenFindings,
  usedNote,
} from './instruments.ts'

const base = { id: 1, version: 1, descricao: 'Micrômetro', resolucao: 1, ativo: true, calibradoAte: '2026-11-21' }
const mic: Instrument = { ...base, codigo: 'MIC-1', tipo: 'micrometro' }
const used = (code: string, characteristic: Characteristic = 'altura', ...readings: number[]) => ({
  ...{ code, characteristic },
  readings: readings.length > 0 ? readings : [1100],
})
const today = { day: '2026-11-21', isAsked: false }
const of = (more: Partial<Instrument>, ...how: Parameters<typeof used>) =>
  instrumentFindingsOf([{ ...mic, ...more }], used(...how), today)

test('an instrument is good through the last day of its calibration', () => {
  expect(of({}, 'mic-1 ')).toEqual([])
  expect(instrumentFindingsOf([mic], used('MIC-1'), { ...today, day: '2026-11-22' })).toEqual(['instrumento-vencido'])
  const { calibradoAte: _, ...unknown } = mic
  expect(instrumentFindingsOf([unknown], used('MIC-1'), { ...today, day: '2030-01-01' })).toEqual([])
})

test('one that nobody entered, that is not used any more, or none where the plan names one, is noted', () => {
  expect([of({}, 'MIC-2'), of({ ativo: false }, 'MIC-1')]).toEqual([
    ['instrumento-desconhecido'],
    ['instrumento-inativo'],
  ])
  expect(of({}, '')).toEqual([])
  expect(instrumentFindingsOf([mic], used(' '), { ...today, isAsked: true })).toEqual(['sem-instrumento'])
})

test('a gauge measures what it is for, no finer than it shows; one of before without a kind is not asked', () => {
  expect(of({}, 'MIC-1', 'forca', 80_000)).toEqual(['instrumento-inadequado'])
  expect(of({ tipo: 'dinamometro' }, 'MIC-1')).toEqual(['instrumento-inadequado'])
  expect(of({ tipo: 'dinamometro', resolucao: 100 }, 'MIC-1', 'forca', 80_100)).toEqual([])
  expect(of({ tipo: 'paquimetro', resolucao: 10 }, 'MIC-1', 'largura', 1100, 1110)).toEqual([])
  expect(of({ tipo: 'paquimetro', resolucao: 10 }, 'MIC-1', 'altura', 1100, 1101)).toEqual(['instrumento-resolucao'])
  expect(of({ tipo: 'outro' }, 'MIC-1', 'forca')).toEqual([])
  const { tipo: _, ...before } = mic
  expect(instrumentFindingsOf([{ ...before, resolucao: 10 }], used('MIC-1', 'forca', 80_001), today)).toEqual([])
})

test('of the samples of a recording the newest of each characteristic counts', () => {
  const sample = (characteristic: Characteristic, measuredAt: number, ...findings: 'instrumento-vencido'[]) => ({
    ...{ characteristic, measuredAt },
    findings,
  })
  const bad = sample('altura', 1, 'instrumento-vencido')
  expect(newestFindings([bad, sample('forca', 2)])).toEqual(['instrumento-vencido'])
  expect(newestFindings([bad, sample('altura', 2)])).toEqual([])
  expect(newestFindings([sample('altura', 1), bad]), 'of one instant the later').toEqual(['instrumento-vencido'])
})

test('a sample that was measured again with a good gauge asks for nothing, also while it is on its way', () => {
  const plan = { terminal: 'T1', bitola: 500, instrumento: 'MIC', altura: { nominal: 1100, menos: 50, mais: 50 } }
  const taken = (id: string, instrumento: string, measuredAt: number) => {
    const place = { filial: '010101', codigoBarras: '1', ordem: 'OP', parte: 'l1' as const, maquina: 'PR0001' }
    const leituras = [{ caracteristica: 'altura' as const, valores: [1100] }]
    const form: MeasurementForm = { ...place, instrumento, ocasiao: 'avulsa', leituras }
    return { id, occasion: 'avulsa' as const, made: { form, measuredAt } }
  }
  const here = {
    ...{ plan: { ...plan, leiturasAltura: 1, leiturasForca: 1, ultimaPeca: false }, waiting: [] },
    context: { ultimas: [], instrumentos: [mic, { ...mic, codigo: 'MIC-OLD', calibradoAte: '2026-11-20' }] },
    dayOf: () => '2026-11-21',
  }
  const [bad, good] = [taken('a', 'MIC-OLD', 1), taken('b', 'MIC-1', 2)]
  expect(takenFindings([bad], here)).toEqual(['instrumento-vencido'])
  expect(takenFindings([bad, good], here)).toEqual([])
})

test('a bad gauge asks for what its plant says, and for a reason where nobody can release', () => {
  const gate = { findings: ['instrumento-vencido'] as const, hasRelease: false, hasReason: false, isReachable: true }
  const needs = (more: Partial<Parameters<typeof instrumentGate>[0]>) =>
    instrumentGate({ ...gate, mode: 'bloquear', ...more }).needs
  expect([needs({ mode: 'observar' }), needs({ mode: 'avisar' }), needs({})]).toEqual([null, 'reason', 'release'])
  expect([needs({ isReachable: false }), needs({ hasRelease: true }), needs({ findings: [] })]).toEqual([
    'reason',
    null,
    null,
  ])
})

test('what is to be known of an instrument is said before it is used, and what it does not fit once it is', () => {
  const note = (more: Partial<Instrument>, day = '2026-11-21') => instrumentNote('mic-1 ', [{ ...mic, ...more }], day)
  expect(note({})).toBe('Micrômetro')
  expect(note({}, '2026-11-25')).toBe('Instrumento com calibração vencida em 21/11/2026.')
  expect(note({ ativo: false })).toBe('Instrumento inativo: use outro.')
  expect(instrumentNote('X', [mic], '2026-11-21')).toBe('Instrumento não cadastrado.')
  expect([instrumentNote('', [mic], '2026-11-21'), instrumentNote('', [], '2026-11-21', 'MIC-ALT')]).toEqual([
    '',
    'O plano pede: MIC-ALT.',
  ])
  const read = (characteristic: Characteristic, value: number, more: Partial<Instrument> = {}) =>
    usedNote('mic-1', [{ ...mic, ...more }], [{ characteristic, readings: [value] }])
  expect(read('forca', 80_000)).toBe('MIC-1 não serve para tudo o que foi lido: salve à parte.')
  expect(read('altura', 1101, { resolucao: 10 })).toBe('MIC-1 mostra de 0,010 em 0,010: há leitura com mais casas.')
  expect([read('altura', 1101), usedNote('', [mic], [])]).toEqual(['', ''])
})
