import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CrimpCounter } from '../../contract/crimp-counters.ts'
import { addDays } from '../plant/plant-time.ts'
import { forecaster, forecastText, lifeNote, limitAtPiece } from './tool-life.ts'

type Golden = {
  forecasts: {
    name: string
    crimps: number
    limit: number
    today: string
    history: Record<string, number>
    expected: { state: string; date?: string; inDays?: number }
  }[]
}

const golden = JSON.parse(
  readFileSync(new URL('../../../test/support/golden/tool-life.json', import.meta.url), 'utf8'),
) as Golden

const TODAY = '2026-11-23'
const forecast = (
  wear: { numberOfCrimps: number; limitOfCrimps: number },
  history: ReadonlyMap<string, number>,
  today: string,
) => forecaster(history, today)(wear)
/** As many crimps on each of the last days, yesterday the last. */
const evenly = (days: number, crimps: number) =>
  new Map(Array.from({ length: days }, (_, at) => [addDays(TODAY, at - days), crimps]))

describe('a forecast', () => {
  test.each(golden.forecasts)('holds the golden data: $name', ({ crimps, limit, today, history, expected }) => {
    const { estado, dia, emDias } = forecast(
      { numberOfCrimps: crimps, limitOfCrimps: limit },
      new Map(Object.entries(history)),
      today,
    )
    expect({ estado, dia, emDias }).toEqual({
      estado: expected.state,
      dia: expected.date ?? null,
      emDias: expected.inDays ?? null,
    })
  })

  test('of a tool that has been in use for five days divides by as many, and says that it is rough', () => {
    const used = forecast({ numberOfCrimps: 0, limitOfCrimps: 1000 }, evenly(5, 100), TODAY)
    // Wednesday to Sunday have a mean; Monday and Tuesday bring nothing
    expect(used).toEqual({ estado: 'previsto', dia: '2026-12-06', emDias: 13, aproximada: true })
    expect(forecastText(used)).toBe('Previsto: cerca de dom 06/12 (13 dias)')
  })

  test('is sure from ten days on, and begins to count tomorrow', () => {
    expect(forecast({ numberOfCrimps: 999, limitOfCrimps: 1000 }, evenly(10, 100), TODAY)).toEqual({
      estado: 'previsto',
      dia: '2026-11-24',
      emDias: 1,
      aproximada: false,
    })
    expect(forecast({ numberOfCrimps: 0, limitOfCrimps: 100 }, evenly(9, 100), TODAY).aproximada).toBe(true)
  })

  test('knows neither today nor what is older than its window', () => {
    const history = new Map([
      [TODAY, 500],
      [addDays(TODAY, -29), 500],
      [addDays(TODAY, -28), 10],
      [addDays(TODAY, -1), 10],
    ])
    expect(forecast({ numberOfCrimps: 0, limitOfCrimps: 100 }, history, TODAY).estado).toBe('sem-previsao')
    expect(forecast({ numberOfCrimps: 0, limitOfCrimps: 100 }, history.set(addDays(TODAY, -2), 10), TODAY).estado).toBe(
      'previsto',
    )
  })

  test('a day on which more was taken back than made counts as none', () => {
    const history = evenly(28, 100).set(addDays(TODAY, -7), -5000)
    const { estado, dia } = forecast({ numberOfCrimps: 0, limitOfCrimps: 600 }, history, TODAY)
    expect({ estado, dia }).toEqual({ estado: 'previsto', dia: '2026-11-29' })
  })
})

test.each([
  [{ numberOfCrimps: 99_588, limitOfCrimps: 100_000 }, 500, 412],
  [{ numberOfCrimps: 99_588, limitOfCrimps: 100_000 }, 412, null],
  [{ numberOfCrimps: 100_000, limitOfCrimps: 100_000 }, 500, null],
  [{ numberOfCrimps: 99_588, limitOfCrimps: -1 }, 500, null],
])('of %j and %i open pieces the limit is reached at piece %s', (unit, openPieces, piece) => {
  expect(limitAtPiece(unit, openPieces)).toBe(piece)
})

test.each([
  [97_000, 500, 'MA-0412: 97% · acaba em 3 dias (qui 26/11).'],
  [79_999, 500, undefined],
  [99_588, 500, 'MA-0412 atinge o limite na peça 412 desta ordem (faltam 500).'],
  [98_588, 1500, 'MA-0412 atinge o limite na peça 1.412 desta ordem (faltam 1.500).'],
  [100_000, 500, undefined],
])('whoever chooses a tool with %i of 100,000 crimps for %i pieces reads: %s', (numberOfCrimps, openPieces, note) => {
  const unit = {
    miniaplicator: 'MA-0412',
    numberOfCrimps,
    limitOfCrimps: 100_000,
    associatedTerminals: [],
    serviceOrder: null,
    maintenanceDate: null,
    comments: null,
    lifetimeCrimps: numberOfCrimps,
    version: 1,
    previsao: { estado: 'previsto', dia: '2026-11-26', emDias: 3, aproximada: false } as const,
  }
  expect(lifeNote(unit, openPieces, 80)?.text).toBe(note)
  expect(lifeNote({ ...unit, previsao: undefined }, openPieces, 80)?.text, 'a server of the version before').toBe(
    numberOfCrimps === 97_000 ? undefined : note,
  )
})

test('each part of a tool is spoken of for itself, also one that is over its limit', () => {
  const previsao = { estado: 'previsto', dia: '2026-11-26', emDias: 3, aproximada: false } as const
  const part = { id: 1, code: '1-456', mountedAt: '2026-11-01T10:00:00.000Z', limitOfCrimps: 50_000, previsao }
  const unit = {
    miniaplicator: 'MA-0412',
    numberOfCrimps: 10,
    limitOfCrimps: 100_000,
    associatedTerminals: [],
    serviceOrder: null,
    maintenanceDate: null,
    comments: null,
    lifetimeCrimps: 10,
    version: 1,
    previsao,
    pecas: [
      { ...part, kind: 'bigorna' as const, numberOfCrimps: 49_588 },
      { ...part, kind: 'crimpador-condutor' as const, numberOfCrimps: 45_500 },
      { ...part, kind: 'cortador' as const, numberOfCrimps: 50_001 },
      { ...part, kind: 'outra' as const, numberOfCrimps: 49_900 },
      { ...part, kind: 'crimpador-isolante' as const, numberOfCrimps: 10 },
    ],
  }
  expect(lifeNote(unit, 500, 80)?.text).toBe(
    [
      'A bigorna de MA-0412 atinge o limite na peça 412 desta ordem (faltam 500).',
      'O crimpador do condutor de MA-0412: 91% · acaba em 3 dias (qui 26/11).',
      'O cortador de MA-0412 passou do limite (50.001 de 50.000). Avise a manutenção.',
      'A peça 1-456 de MA-0412 atinge o limite na peça 100 desta ordem (faltam 500).',
    ].join(' '),
  )
})

test('a forecast of many weeks is the one that counting day by day gives', () => {
  const dayByDay = (left: number, history: ReadonlyMap<string, number>): string | null => {
    // all weekdays have four days: the means are of twelfths
    let twelfths = left * 12
    for (let ahead = 1; ahead <= 365; ahead++) {
      const day = addDays(TODAY, ahead)
      for (let ago = 28; ago >= 1; ago--) {
        const past = addDays(TODAY, -ago)
        if (new Date(past).getUTCDay() === new Date(day).getUTCDay()) twelfths -= (history.get(past) ?? 0) * 3
      }
      if (twelfths <= 0) return day
    }
    return null
  }
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 28, maxLength: 28 }),
      fc.integer({ min: 1, max: 600_000 }),
      (crimps, left) => {
        const history = new Map(crimps.map((of, at) => [addDays(TODAY, at - 28), of]))
        const found = forecast({ numberOfCrimps: 0, limitOfCrimps: left }, history, TODAY)
        expect(found.dia).toBe(dayByDay(left, history))
      },
    ),
  )
})

test.each([
  ['2026-11-26', 1, 'qui 26/11', '1 dia', true],
  ['2026-12-24', 29, 'qui 24/12', '29 dias', true],
  ['2026-12-25', 30, 'sex 25/12', '30 dias', false],
  ['2027-01-06', 42, '06/01/2027', 'cerca de 6 semanas', false],
  ['2027-08-11', 259, '11/08/2027', 'cerca de 9 meses', false],
])(
  'a forecast for %s, %i days ahead, says its year where it is another: %s (%s), soon: %s',
  (dia, emDias, day, far, isSoon) => {
    const previsao = { estado: 'previsto', dia, emDias, aproximada: false } as const
    const worn = { miniaplicator: 'MA-0412', numberOfCrimps: 97_000, limitOfCrimps: 100_000, previsao }
    expect(forecastText(previsao)).toBe(`Previsto: ${day} (${far})`)
    expect(lifeNote(worn as unknown as CrimpCounter, 500, 80)).toEqual({
      ...{ text: `MA-0412: 97% · acaba em ${far} (${day}).`, isSoon },
    })
  },
)
