import { describe, expect, test } from 'vitest'
import { databases } from '../support/harness.ts'
import { report } from '../support/promises/report.ts'
import { sizeOf, smallOf } from '../support/promises/sizes.ts'
import { checksOfActs } from '../support/promises/storm/checks-of-acts.ts'
import { checksOfCounters } from '../support/promises/storm/checks-of-counters.ts'
import { checksOfRecordings } from '../support/promises/storm/checks-of-recordings.ts'
import { checksOfScraps } from '../support/promises/storm/checks-of-scraps.ts'
import { type Storm, storm } from '../support/promises/storm/storm.ts'
import { findBroken, type World } from '../support/promises/storm/world.ts'

const size = sizeOf('storm')
const checks = [...checksOfRecordings, ...checksOfCounters, ...checksOfActs, ...checksOfScraps]

/** Checks that find nothing where what they look for is put in. */
const blindIn = (world: World): string[] =>
  checks
    .filter(({ find, spoil }) => {
      const spoilt = structuredClone(world)
      spoil(spoilt)
      return find(spoilt).length <= find(world).length
    })
    .map(({ name }) => name)

/** For whoever must find out why. */
function showBroken(world: World): void {
  for (const { name, find } of checks) for (const wrong of find(world).slice(0, 3)) console.log(name, wrong)
}

function reportStorm(name: string, { world, kills, seen, seconds }: Storm): void {
  const byKind = Map.groupBy(world.presses, ({ kind }) => kind)
  const states = Map.groupBy(world.rows.recordings, ({ state }) => state)
  report(name, size, {
    ...{ seconds: Math.round(seconds), seen, perMinute: Math.round((seen / seconds) * 60), deaths: kills },
    ...Object.fromEntries([...byKind, ...states].map(([what, rows]) => [what, rows.length])),
    ...{ changes: world.changes.length, checks: checks.length, broken: findBroken(world, checks).length },
  })
}

describe('storm: hands of all roles, acts of all kinds, deaths of servers and database, an ERP with faults', () => {
  test.each(databases)('on %s nothing is lost, doubled or miscounted', async (database) => {
    const outcome = await storm(database, size)
    reportStorm(`storm ${database}`, outcome)
    showBroken(outcome.world)
    expect(findBroken(outcome.world, checks)).toEqual([])
    expect(outcome.seen).toBeGreaterThanOrEqual(size.acts)
    expect(blindIn(outcome.world)).toEqual([])
  })

  test('it notices a counter that moves twice, a press that is not written, a roll-up that misses some, a receipt that is not looked for', async () => {
    const { world } = await storm('sqlite', { ...smallOf('storm'), kills: 0 }, 'storm-mistakes')
    const broken = findBroken(world, checks)
    for (const name of [
      'counters differ from their ledger',
      'calls were seen as saved and are not here',
      'days and machines have other pieces in the roll-up than were recorded',
      '(devices have shown what the database lacks|epochs have begun)',
    ])
      expect(broken).toContainEqual(expect.stringMatching(`^\\d+ ${name}$`))
  })
})
