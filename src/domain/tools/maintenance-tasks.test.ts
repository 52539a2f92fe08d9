import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Forecast } from '../../contract/crimp-counters.ts'
import { dueText, everyText, planOf, soonestFirst, taskUse } from './maintenance-tasks.ts'

type Golden = {
  tasks: {
    name: string
    everyCrimps: number | null
    everyDays: number | null
    lifetime: number
    doneLifetime: number
    doneDay: string
    today: string
    expected: { usedPercent: number; by: string; due: boolean }
  }[]
}
const golden = JSON.parse(
  readFileSync(new URL('../../../test/support/golden/tool-life.json', import.meta.url), 'utf8'),
) as Golden

test.each(golden.tasks)(
  'a task holds the golden data: $name',
  ({ lifetime, doneLifetime, doneDay, today, ...task }) => {
    const since = { lifetime: doneLifetime, day: doneDay }
    const { usedPercent, by, isDue } = taskUse(task, { lifetimeCrimps: lifetime, since, today })
    expect({ usedPercent, by, due: isDue }).toEqual(task.expected)
  },
)

test('of a task that is as far by crimps as by days the crimps are named', () => {
  const since = { lifetime: 0, day: '2026-11-19' }
  const use = taskUse({ everyCrimps: 100, everyDays: 8 }, { lifetimeCrimps: 50, since, today: '2026-11-23' })
  expect([use.usedPercent, use.by]).toEqual([50, 'crimpagens'])
})

const TODAY = '2026-11-23'
const expected = (emDias: number, dia: string): Forecast => ({ estado: 'previsto', dia, emDias, aproximada: false })
const unknown: Forecast = { estado: 'sem-previsao', dia: null, emDias: null, aproximada: false }
const part = { id: 1, code: '1-456', mountedAt: '2026-11-01T10:00:00.000Z', limitOfCrimps: 1000 }
const task = { id: 7, miniaplicator: null, name: 'Limpeza', active: true, version: 1 }
const since = { lifetime: 0, day: '2026-11-20' }

test('the plan has what comes due, soonest first, and leaves out what never does', () => {
  const unit = {
    miniaplicator: 'MA-0001',
    lifetimeCrimps: 900,
    pecas: [
      { ...part, kind: 'bigorna' as const, numberOfCrimps: 900, previsao: expected(4, '2026-11-27') },
      { ...part, kind: 'cortador' as const, numberOfCrimps: 1100, previsao: unknown },
      { ...part, kind: 'outra' as const, numberOfCrimps: 990, previsao: unknown },
      { ...part, kind: 'crimpador-condutor' as const, limitOfCrimps: -1, numberOfCrimps: 10, previsao: unknown },
    ],
  }
  const tasks = [
    { task: { ...task, everyCrimps: 1000, everyDays: 7 }, since, doneDay: '2026-11-20' },
    { task: { ...task, id: 8, name: 'Óleo', everyCrimps: 500, everyDays: null }, since, doneDay: null },
    { task: { ...task, id: 9, name: 'Revisão', everyCrimps: null, everyDays: 5 }, since, doneDay: null },
  ]
  const forecast = () => expected(3, '2026-11-26')
  const rows = planOf(unit, tasks, { forecast, today: TODAY }).sort(soonestFirst)
  expect(rows.map((row) => [row.name, row.usedPercent, row.dueDay, dueText(row)])).toEqual([
    ['Óleo', 180, '2026-11-26', 'Vencido, 80% além'],
    ['Cortador 1-456', 110, null, 'Vencido, 10% além'],
    ['Revisão', 60, '2026-11-25', 'em 2 dias'],
    // by the count a day before the calendar
    ['Limpeza', 90, '2026-11-26', 'em 4 dias ou 100 crimpagens'],
    ['Bigorna 1-456', 90, '2026-11-27', 'em 4 dias ou 100 crimpagens'],
    ['Peça 1-456', 99, null, 'em 10 crimpagens'],
  ])
})

test.each([
  [{ everyCrimps: 25_000, everyDays: 7 }, 'a cada 25.000 crimpagens ou 7 dias'],
  [{ everyCrimps: null, everyDays: 1 }, 'a cada 1 dia'],
  [{ everyCrimps: 25_000, everyDays: null }, 'a cada 25.000 crimpagens'],
])('how often: %j reads %s', (task, text) => {
  expect(everyText(task)).toBe(text)
})
