import { expect, test } from 'vitest'
import {
  emptyRecord,
  recordToSend,
  type ScheduleForm,
  scheduleOf,
  scheduleProblems,
  storedTexts,
  weekdayText,
} from './scheduling.ts'

const form = { ...emptyRecord, serviceOrder: '4711', maintenanceDate: '2026-11-21', comments: '' }
const unfinished = {
  serviceDone: 'Informe o serviço realizado.',
  safetyCondition: 'Informe a condição de segurança.',
  responsible: 'Informe o responsável.',
}

test.each([
  ['complete, for today', form, {}],
  [
    'without an order',
    { ...form, serviceOrder: '' },
    { serviceOrder: 'Informe a ordem de serviço, diferente de zero.' },
  ],
  [
    'an order 70,7',
    { ...form, serviceOrder: '70,7' },
    { serviceOrder: 'Informe a ordem de serviço, diferente de zero.' },
  ],
  [
    'an order 2.5',
    { ...form, serviceOrder: '2.5' },
    { serviceOrder: 'Informe a ordem de serviço, diferente de zero.' },
  ],
  ['an order -5', { ...form, serviceOrder: '-5' }, { serviceOrder: 'Informe a ordem de serviço, diferente de zero.' }],
  ['an order 4x', { ...form, serviceOrder: '4x' }, { serviceOrder: 'Informe a ordem de serviço, diferente de zero.' }],
  ['order zero', { ...form, serviceOrder: '000' }, { serviceOrder: 'Informe a ordem de serviço, diferente de zero.' }],
  ['an order too long', { ...form, serviceOrder: '1000000000' }, { serviceOrder: 'A ordem vai até 999.999.999.' }],
  ['without a date', { ...form, maintenanceDate: '' }, { maintenanceDate: 'Informe a previsão de manutenção.' }],
  [
    'a day that is over',
    { ...form, maintenanceDate: '2026-11-20' },
    { maintenanceDate: 'A previsão de manutenção não pode ser anterior a hoje.' },
  ],
  ['with a record that was begun', { ...form, parts: 'faca' }, unfinished],
  ['with a whole record', { ...form, serviceDone: 'x', safetyCondition: 'segura', responsible: 'Ana' }, {}],
] satisfies [string, ScheduleForm, object][])('a schedule %s', (_, typed, problems) => {
  expect(scheduleProblems(typed, '2026-11-21')).toEqual(problems)
})

test('a unit that is not scheduled has an empty form', () => {
  const unit = {
    miniaplicator: 'MA-0001',
    numberOfCrimps: 5,
    limitOfCrimps: 4,
    associatedTerminals: [],
    serviceOrder: null,
    maintenanceDate: null,
    comments: null,
    lifetimeCrimps: 5,
    version: 1,
  }
  expect(scheduleOf(unit)).toEqual({ ...form, serviceOrder: '', maintenanceDate: '' })
  expect(scheduleOf({ ...unit, serviceOrder: 4711, maintenanceDate: '2026-11-21', comments: 'faca' })).toEqual({
    ...emptyRecord,
    serviceOrder: '4711',
    maintenanceDate: '2026-11-21',
    comments: 'faca',
  })
})

test('a day is written in full, whatever the language of the browser', () => {
  expect(weekdayText('2027-01-15')).toBe('sexta-feira, 15/01/2027')
})

test('what is stored stands beside what was typed over it, and only there', () => {
  const stored = { serviceOrder: '7002', maintenanceDate: '2027-01-15', comments: 'faca' }
  expect(storedTexts(stored, stored)).toEqual({})
  expect(storedTexts(stored, { ...stored, serviceOrder: '7001' })).toEqual({ serviceOrder: 'Atual: 7002' })
  expect(storedTexts(stored, { serviceOrder: '', maintenanceDate: '2027-01-16', comments: 'bigorna' })).toEqual({
    serviceOrder: 'Atual: 7002',
    maintenanceDate: 'Atual: sexta-feira, 15/01/2027',
    comments: 'Atual: faca',
  })
  expect(storedTexts({ serviceOrder: '', maintenanceDate: '', comments: '' }, stored)).toEqual({})
})

test('a record travels only where one was written', () => {
  expect(recordToSend(emptyRecord)).toEqual({})
  const written = {
    serviceDone: ' Faca trocada\n',
    parts: ' ',
    safetyCondition: 'segura' as const,
    responsible: ' Ana ',
  }
  expect(recordToSend(written)).toEqual({
    maintenanceRecord: { serviceDone: 'Faca trocada', parts: '', safetyCondition: 'segura', responsible: 'Ana' },
  })
})
