import { describe, expect, test } from 'vitest'
import type { ErrorReply } from '../../src/contract/errors.ts'
import { sectionOf } from '../../src/domain/recordings.ts'
import { databases } from '../harness.ts'
import { type LoadedPanel, openLoadedPanel, untilNothingWaits } from './loaded-panel.ts'
import { report } from './report.ts'
import { sizeOf } from './sizes.ts'
import { inLanes, recordingOf, type Section } from './workload.ts'

const { races } = sizeOf('p12')
const MISTAKE_RACES = 100
const LANES = 3
/** How often a section can be raced for, on the average at least: each race leaves less than half of it. */
const RACES_PER_SECTION_MIN = 5

type Tally = { races: number; offences: string[] }

/** Two operators want more than half of what is left, at once, again and again until nothing is left. */
async function raceFor(section: Section, panel: LoadedPanel, tally: Tally, racesMax: number): Promise<void> {
  for (let left = section.open; left > 0 && tally.races < racesMax; ) {
    tally.races++
    const wanted = Math.floor(left / 2) + 1
    const payload = recordingOf(section, wanted)
    const answers = await Promise.all([panel.token, panel.otherToken].map((token) => panel.record(token, payload)))
    const winners = answers.filter(({ statusCode }) => statusCode === 201 || statusCode === 202)
    const where = `${section.item.Z1_CODBAR} ${section.part}, ${wanted} of ${left}`
    if (winners.length !== 1) tally.offences.push(`${where}: ${winners.length} winners`)
    left -= wanted
    for (const loser of answers.filter((answer) => !winners.includes(answer))) {
      const { message, code } = loser.json() as ErrorReply
      const isTold = code === 'quantity_exceeds_balance' ? message.includes(`Restam ${left} peças`) : left === 0
      if (loser.statusCode !== 409 || !isTold) tally.offences.push(`${where}: the loser is told ${message}`)
    }
  }
}

async function race(panel: LoadedPanel, racesMax: number): Promise<Tally> {
  const tally: Tally = { races: 0, offences: [] }
  await inLanes(panel.sections, LANES, (section) => raceFor(section, panel, tally, racesMax))
  await untilNothingWaits(panel)
  const rows = await panel.db.read.selectFrom('recordings').select(['barcode', 'part', 'pieces']).execute()
  for (const section of panel.sections) {
    const { item, part } = section
    const recorded = rows
      .filter((row) => row.barcode === item.Z1_CODBAR && row.part === part)
      .reduce((sum, { pieces }) => sum + pieces, 0)
    const total = sectionOf(item, part).registered + recorded
    if (total > item.Z1_QUANT) tally.offences.push(`${item.Z1_CODBAR} ${part}: ${total} of ${item.Z1_QUANT} pieces`)
  }
  return tally
}

const sectionsMin = Math.ceil(races / RACES_PER_SECTION_MIN)

describe('P12: two operators want the last pieces at the same instant', () => {
  test.each(databases)(`${races} races, one winner each, on %s`, async (database) => {
    const panel = await openLoadedPanel({ database, sectionsMin, answerWaitMs: 1 })
    const tally = await race(panel, races)
    const { writes } = panel.simulator.state
    report(`P12 ${database}`, { races: tally.races }, { winners: writes.length })
    expect(tally.offences).toEqual([])
    expect(tally.races).toBeGreaterThanOrEqual(races)
    expect(writes.length).toBe(tally.races)
  })

  test('it notices when the balance is not part of the statement that takes from it', async () => {
    const panel = await openLoadedPanel({ database: 'mariadb', answerWaitMs: 1 })
    // the condition then holds always, as if it were not there
    await panel.db.transaction((tx) => tx.updateTable('erp_items').set({ ordered: 1_000_000 }).execute())
    const { offences } = await race(panel, MISTAKE_RACES)
    panel.errors.length = 0
    expect(offences).toContainEqual(expect.stringContaining('2 winners'))
  })
})
