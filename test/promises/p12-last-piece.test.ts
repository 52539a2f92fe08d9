import { describe, expect, test } from 'vitest'
import { databases, noWait } from '../support/harness.ts'
import { RACES_PER_SECTION_MIN, race } from '../support/promises/last-piece.ts'
import { openLoadedPanel } from '../support/promises/loaded-panel.ts'
import { report } from '../support/promises/report.ts'
import { sizeOf, smallOf } from '../support/promises/sizes.ts'

const { races } = sizeOf('p12')
const sectionsMin = Math.ceil(races / RACES_PER_SECTION_MIN)

describe('P12: two operators want the last pieces at the same instant', () => {
  test.each(databases)(`${races} races, one winner each, on %s`, async (database) => {
    const panel = await openLoadedPanel({ database, sectionsMin, answerWait: noWait })
    const tally = await race(panel, races)
    const { writes } = panel.simulator.state
    report(`P12 ${database}`, { races: tally.races }, { winners: writes.length })
    expect(tally.offences).toEqual([])
    expect(tally.races).toBeGreaterThanOrEqual(races)
    expect(writes.length).toBe(tally.races)
  })

  test('it notices when the balance is not part of the statement that takes from it', async () => {
    const panel = await openLoadedPanel({ database: 'mariadb', answerWait: noWait })
    // the condition then holds always, as if it were not there
    await panel.db.transaction((tx) => tx.updateTable('erp_items').set({ ordered: 1_000_000 }).execute())
    const { offences } = await race(panel, smallOf('p12').races)
    panel.errors.length = 0
    expect(offences).toContainEqual(expect.stringContaining('2 winners'))
  })
})
