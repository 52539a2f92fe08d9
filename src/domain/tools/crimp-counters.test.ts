import { expect, test } from 'vitest'
import { type CrimpCounter, type CrimpHistoryEntry, UNLIMITED } from '../../contract/crimp-counters.ts'
import {
  historyCsv,
  historyFileName,
  isMaintenanceDue,
  leastWornFirst,
  mostWornFirst,
  usedPercent,
  waitingListCsv,
  waitingListFileName,
  wearLevel,
  wearText,
  wearWarning,
} from './crimp-counters.ts'

const wear = (numberOfCrimps: number, limitOfCrimps = 100_000) => ({ numberOfCrimps, limitOfCrimps })

test.each([
  [wear(0), 0, 'fine', false],
  [wear(79_999), 79, 'fine', false],
  [wear(80_000), 80, 'near', false],
  [wear(99_999), 99, 'near', false],
  [wear(100_000), 100, 'reached', true],
  [wear(130_500), 130, 'reached', true],
  [wear(5_000_000, UNLIMITED), 0, 'unlimited', false],
  [wear(-3), 0, 'fine', false],
] as const)('%o is at %i %% and %s', (counter, percent, level, isDue) => {
  expect(usedPercent(counter)).toBe(percent)
  expect(wearLevel(counter, 80)).toBe(level)
  expect(isMaintenanceDue(counter)).toBe(isDue)
})

test('the most worn comes first, those without a limit last', () => {
  const units = [wear(5_000_000, UNLIMITED), wear(20_000), wear(130_500), wear(60_000, 50_000), wear(100_000)]
  expect(units.toSorted(mostWornFirst).map(usedPercent)).toEqual([130, 120, 100, 20, 0])
})

test('the warning threshold is a setting', () => {
  expect(wearLevel(wear(70_000), 70)).toBe('near')
  expect(wearLevel(wear(99_999), 100)).toBe('fine')
})

const counter: CrimpCounter = {
  miniaplicator: 'MA-0001',
  numberOfCrimps: 100_000,
  limitOfCrimps: 100_000,
  associatedTerminals: ['T1326030'],
  serviceOrder: null,
  maintenanceDate: null,
  comments: null,
  lifetimeCrimps: 250_000,
  version: 3,
}
const entry: CrimpHistoryEntry = {
  id: 1,
  miniaplicator: 'MA-0001',
  numberOfCrimps: -4,
  limitOfCrimps: -1,
  updateDate: '2026-11-21T18:00:00.000Z',
  serviceOrder: 4711,
  maintenanceDate: '2026-12-01',
  comments: 'trocar "faca"; bigorna\r\ngasta',
  change: 'reset',
  changedBy: 'Maria Souza',
  maintenanceRecord: null,
}
const momentText = () => '21/11/2026 15:00'

test('a file of what awaits maintenance names its columns and leaves empty what is not scheduled', () => {
  expect(waitingListCsv([counter])).toBe(
    '\uFEFFMini Aplicador;Qtd. Crimpagem;Limite Crimpagens;Ordem de Serviço;Data de Manutenção;Comentários\r\n' +
      '"=""MA-0001""";100000;100000;;;\r\n',
  )
})

test('a file of the changes writes days and moments as people do, and every comment on one line', () => {
  expect(historyCsv([entry], momentText)).toBe(
    '\uFEFFMini Aplicador;Qtd. Crimpagem;Limite Crimpagens;Data de Alteração;Ordem de Serviço;Data de Manutenção;Comentários\r\n' +
      '"=""MA-0001""";-4;Ilimitado;21/11/2026 15:00;4711;01/12/2026;"trocar ""faca"", bigorna gasta"\r\n',
  )
})

test('names of tools are no formulas', () => {
  expect(waitingListCsv([{ ...counter, miniaplicator: '=1+1', comments: '@SOMA(A1)' }])).toContain(
    `\r\n"=""'=1+1""";100000;100000;;;"'@SOMA(A1)"\r\n`,
  )
})

test('the files carry their day', () => {
  expect(waitingListFileName('2026-11-21')).toBe('aguardando_agendamento_2026-11-21.csv')
  expect(historyFileName('2026-11-21')).toBe('historico_alteracoes_2026-11-21.csv')
})

test('tools are offered the least worn first, and those due for maintenance last', () => {
  const unit = (miniaplicator: string, numberOfCrimps: number, limitOfCrimps: number) => ({
    ...{ miniaplicator, numberOfCrimps, limitOfCrimps },
  })
  const units = [unit('D', 112_000, 100_000), unit('C', 97_000, 100_000), unit('A', 500, -1), unit('B', 10, 100)]
  expect(units.toSorted(leastWornFirst).map(({ miniaplicator }) => miniaplicator)).toEqual(['A', 'B', 'C', 'D'])
  expect(units.map(wearText)).toEqual(['112.000 de 100.000', '97.000 de 100.000', '500 (sem limite)', '10 de 100'])
  const warnings = units.map(wearWarning)
  expect(warnings).toEqual([
    'D passou do limite (112.000 de 100.000). Avise a manutenção.',
    ...[undefined, undefined, undefined],
  ])
})
