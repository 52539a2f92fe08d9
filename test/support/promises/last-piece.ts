import type { ErrorReply } from '../../../src/contract/errors.ts'
import { sectionOf } from '../../../src/domain/acts/recordings.ts'
import { type LoadedPanel, untilNothingWaits } from './loaded-panel.ts'
import { inLanes, recordingOf, type Section } from './workload.ts'

const LANES = 3
/** How often a section can be raced for, on the average at least: each race leaves less than half of it. */
export const RACES_PER_SECTION_MIN = 5

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
      const said = left === 1 ? 'Resta 1 peça' : `Restam ${left} peças`
      const isAnswered = code === 'quantity_exceeds_balance' ? message.includes(said) : left === 0
      if (loser.statusCode !== 409 || !isAnswered) tally.offences.push(`${where}: the loser is told ${message}`)
    }
  }
}

/** Races for one section after the other, delivers all that waits, and says what should not have been. */
export async function race(panel: LoadedPanel, racesMax: number): Promise<Tally> {
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
