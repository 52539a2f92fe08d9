import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { ApplicatorForm } from '../../src/contract/applicators.ts'
import { crimpCounters, LIMIT_CRIMPS_DEFAULT, UNLIMITED } from '../../src/contract/crimp-counters.ts'
import { items } from '../../src/contract/items.ts'
import { isUltrasonic, JunctionRecording, junctions } from '../../src/contract/junctions.ts'
import { LOG_ENTRIES_DEFAULT } from '../../src/contract/log-entries.ts'
import { CutCrimpRecording } from '../../src/contract/recordings.ts'
import { SealingStationForm } from '../../src/contract/sealing-stations.ts'
import { ItemBarcode } from '../../src/contract/values.ts'
import { junctionQuantityBounds } from '../../src/domain/acts/junction-balance.ts'
import { correctForce, correctHeight, quantityBounds } from '../../src/domain/forms/form-edits.ts'
import { wholePercent } from '../../src/domain/forms/recording-form.ts'
import { dayText } from '../../src/domain/plant/plant-time.ts'
import { isMaintenanceDue, usedPercent, wearLevel } from '../../src/domain/tools/crimp-counters.ts'
import { addUser, crimpOf, joinOf, openTestPanel } from '../support/harness.ts'
import { listFiles, readText } from '../support/tidy/source.ts'

/** The plant's own table of limits, row by row. What browsers keep stands in src/web/app/limits.test.ts; what only a page shows, in test/journeys/limits.e2e.ts. */

/** Which of these the schema takes. */
const taken = <Value>(schema: z.ZodMiniType | undefined, values: readonly Value[], around: (value: Value) => unknown) =>
  values.filter((value) => schema?.safeParse(around(value)).success)

const settingsOf = async () => {
  const { ask, login, context } = await openTestPanel()
  await addUser(context, { username: 'operador' })
  const answer = await ask((await login('operador')).token, { url: '/api/configuracao' })
  return answer.json<{ plants: { code: string }[]; limitWarningPercent: number }>()
}

const orders = (lengths: readonly number[]) => lengths.map((length) => '1'.repeat(length))

const rows: Record<string, () => void | Promise<void>> = {
  'Text fields (terminal, miniaplicator, seal, station name)': () => {
    for (const schema of [ApplicatorForm, SealingStationForm]) {
      const [one = '', other = ''] = Object.keys(schema.shape)
      for (const [field, beside] of [
        [one, other],
        [other, one],
      ] as const) {
        const lengths = [0, 1, 255, 256]
        const fitting = taken(schema, lengths, (length) => ({ [beside]: 'X', [field]: 'a'.repeat(length) }))
        expect(fitting, field).toEqual([1, 255])
      }
    }
  },
  'Unlimited crimp limit': () => {
    expect(UNLIMITED).toBe(-1)
    const body = (limitOfCrimps: number) => ({ miniaplicator: 'MA-0001', limitOfCrimps })
    expect(taken(crimpCounters.setLimit.body, [-2, -1, 0, 1], body)).toEqual([-1, 1])
    const unlimited = { numberOfCrimps: 1_000_000_000, limitOfCrimps: -1 }
    expect([isMaintenanceDue(unlimited), usedPercent(unlimited)]).toEqual([false, 0])
  },
  'Warning colour for limit': async () => {
    const { limitWarningPercent } = await settingsOf()
    expect(limitWarningPercent).toBe(80)
    const levelAt = (numberOfCrimps: number) => wearLevel({ numberOfCrimps, limitOfCrimps: 100_000 }, 80)
    expect([79_999, 80_000, 99_999, 100_000].map(levelAt)).toEqual(['fine', 'near', 'near', 'reached'])
  },
  'Default new limit on reset': () => expect(LIMIT_CRIMPS_DEFAULT).toBe(100_000),
  'Backend logs query default maxCount': () => expect(LOG_ENTRIES_DEFAULT).toBe(1000),
  'Table max height': () => {
    const heightsIn = (folder: RegExp, height: RegExp) =>
      listFiles()
        .filter((path) => folder.test(path) && path.endsWith('.tsx'))
        .flatMap((path) => [...readText(path).matchAll(height)].map(([, px]) => Number(px)))
    const own = /heightMax=\S*?(\d+)px/g
    expect(
      heightsIn(/^src\/web\/parts\/management\//, own),
      'the registers; other lists use the height there is',
    ).toEqual([600])
    const dialogs = /^src\/web\/(parts\/(selectors|charts)|screens\/charts)\//
    expect(new Set(heightsIn(dialogs, own))).toEqual(new Set([500]))
    expect(heightsIn(/^src\/web\/screens\/(?!charts)/, own)).toEqual([])
  },
  'Barcode length': () => expect(taken(ItemBarcode, [21, 22, 23], (length) => '0'.repeat(length))).toEqual([22]),
  'Order input max: junctions, cut and crimp search': () => {
    const queryOf = (numeroOp: string) => ({ filial: '010101', numeroOp })
    expect(taken(junctions.list.query, orders([20, 21]), queryOf)).toEqual(orders([20]))
    const found = (termo: string) => ({ filial: '010101', termo, modo: 'APONTAMENTO' })
    expect(taken(items.search.query, orders([50, 51]), found)).toEqual(orders([50]))
  },
  'Plant codes': async () => {
    const { plants } = await settingsOf()
    expect(plants.map(({ code }) => code)).toEqual(['010101', '020101'])
  },
  Quantity: () => {
    const counts = [0, 1, 1000, 1.5]
    expect(taken(CutCrimpRecording, counts, (pieces) => crimpOf(pieces))).toEqual([1, 1000])
    expect(taken(JunctionRecording, counts, (pieces) => joinOf(pieces))).toEqual([1, 1000])
    expect(quantityBounds(null, 'cabo')).toEqual({ min: 1, max: 999 })
    expect(junctionQuantityBounds(null)).toEqual({ min: 1, max: 1000 })
  },
  'Minimum force / crimp height': () => {
    expect(taken(CutCrimpRecording, [0, 1], (FORCA_LD1) => ({ ...crimpOf(1), FORCA_LD1 }))).toEqual([1])
    const heights = [0, 0.009, 0.01]
    expect(taken(CutCrimpRecording, heights, (ALTURA_LD1) => ({ ...crimpOf(1), ALTURA_LD1 }))).toEqual([0.01])
    expect([correctForce('0').text, correctHeight('0').text]).toEqual(['1', '0,01'])
  },
  'Ultrasonic group prefix': () =>
    expect(['M500', ' M5001', 'M50', 'TERMINAIS', 'XM500'].filter(isUltrasonic)).toEqual(['M500', ' M5001']),
  'Progress: 100 means complete': () => expect([99.99, 100, 101, -1].map(wholePercent)).toEqual([99, 100, 100, 0]),
  'Locale: days': () => expect(dayText('2026-11-21')).toBe('21/11/2026'),
}

test.each(Object.entries(rows))('%s', async (_, holds) => {
  await holds()
})
