import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, plantDay, toInstant } from '../plant/plant-time.ts'
import { isInForce } from './control-plans.ts'
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

test.each([
  ['Asia/Tokyo', '2026-12-01', '2026-11-30T15:00:00.000Z', 'has no summer time'],
  ['Europe/Lisbon', '2026-03-29', '2026-03-29T00:00:00.000Z', 'it begins later on that day'],
  ['Europe/Lisbon', '2026-03-30', '2026-03-29T23:00:00.000Z', 'it began the day before'],
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', 'that midnight never comes: the day begins at one'],
  [
    'America/Santiago',
    '2026-04-05',
    '2026-04-05T04:00:00.000Z',
    'at that midnight it is eleven again: the second counts',
  ],
  ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z', 'that midnight comes twice: the first one counts'],
  ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00.000Z', 'it ends by half an hour'],
])('in %s the version of %s is in force from its midnight on, to the millisecond', (zone, day, instant, why) => {
  const now = Date.parse('2026-01-02T00:00:00Z')
  const from = startOf(day, now, zone) ?? 0
  expect(toInstant(from), why).toBe(instant)
  const versions = [
    { from: now, until: from },
    { from, until: null },
  ]
  const inForce = (at: number) => versions.map((version) => isInForce(version, at))
  expect([inForce(from - 1), inForce(from)]).toEqual([
    [true, false],
    [false, true],
  ])
})

test.each(['America/Sao_Paulo', 'America/Santiago', 'America/Havana', 'Europe/Lisbon'])(
  'no instant of two years in %s has the version of another day',
  (zone) => {
    const now = Date.parse('2025-12-30T12:00:00Z')
    for (let day = '2026-01-01'; day < '2028-01-01'; day = addDays(day, 1)) {
      const from = startOf(day, now, zone) ?? 0
      expect([plantDay(from - 1, zone), plantDay(from, zone)], day).toEqual([addDays(day, -1), day])
    }
  },
)
