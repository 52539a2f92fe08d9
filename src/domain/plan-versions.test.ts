import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOver, isVoid, placed, placeKeyOf, startOf } from './plan-versions.ts'

test('a plan is the same however its names are written, and another one in each place', () => {
  const place = { terminal: 'T1', bitola: 500 }
  expect(placeKeyOf({ ...place, terminal: ' t1 ', miniaplicador: 'ma-1' })).toBe(
    placeKeyOf({ ...place, miniaplicador: 'MA-1 ' }),
  )
  const others = [place, { ...place, bitola: 750 }, { ...place, filial: 'A' }, { ...place, maquina: 'A' }]
  expect(new Set([...others, { ...place, miniaplicador: 'A' }].map(placeKeyOf)).size).toBe(5)
})

type Version = { from: number; until: number | null }

/** Ends the newest version now; one that has not begun is void, and the one before it goes on. */
function endNewest(versions: Version[], now: number): void {
  const good = versions.filter((version) => !isVoid(version))
  const [newest, before] = [good.at(-1), good.at(-2)]
  if (!newest || isOver(newest, now)) return
  newest.until = Math.max(now, newest.from)
  if (newest.from > now && before?.until === newest.from) before.until = null
}

test('versions of one plan follow one another and never overlap', () => {
  const act = fc.record({ waits: fc.nat(5), ahead: fc.nat(5), isEnd: fc.boolean() })
  fc.assert(
    fc.property(fc.array(act), (acts) => {
      const versions: Version[] = []
      let now = 0
      for (const { waits, ahead, isEnd } of acts) {
        now += waits
        if (isEnd) endNewest(versions, now)
        else {
          const newest = versions.findLast((version) => !isVoid(version)) ?? null
          const from = now + ahead
          const how = placed(newest, from)
          if (how === 'overlaps') continue
          if (newest && how === 'follows') newest.until = from
          versions.push({ from, until: null })
        }
      }
      const good = versions.filter((version) => !isVoid(version))
      for (const [nth, { from, until }] of good.entries()) {
        const after = good[nth + 1]
        if (after)
          expect([until === null, (until ?? 0) <= after.from, from < (until ?? 0)]).toEqual([false, true, true])
      }
    }),
  )
})

const DST = 'America/New_York'
test.each([
  ['without a day now', undefined, 'America/Sao_Paulo', '2026-11-20T15:00:00.000Z'],
  ['today now', '2026-11-20', 'America/Sao_Paulo', '2026-11-20T15:00:00.000Z'],
  ['tomorrow at midnight of the plant', '2026-11-21', 'America/Sao_Paulo', '2026-11-21T03:00:00.000Z'],
  ['after the clocks are changed at their midnight', '2027-03-15', DST, '2027-03-15T04:00:00.000Z'],
  ['on the day of the change at the midnight before it', '2027-03-14', DST, '2027-03-14T05:00:00.000Z'],
  ['yesterday never', '2026-11-19', 'America/Sao_Paulo', null],
])('a plan begins %s', (_, day, timeZone, instant) => {
  const start = startOf(day, Date.parse('2026-11-20T15:00:00Z'), timeZone)
  expect(start === null ? null : new Date(start).toISOString()).toBe(instant)
})
