import { nameKey } from '../src/domain/acts/recordings.ts'
import { addDays, plantDay, wallMs } from '../src/domain/plant/plant-time.ts'
import type { Config } from '../src/server/config.ts'
import type { Tx } from '../src/server/store/db/db.ts'
import type { Recording } from '../src/server/store/recordings.ts'
import { insertScrap, isWearing, type NewScrap, undoScrap } from '../src/server/store/scraps.ts'
import { operators, type PastWork } from './history.ts'
import { workShare } from './working-days.ts'

const DAYS = 42
const DAYS_OF_WEEK = 7

type Sample = {
  /** At the plant. */
  time: string
  reason: string
  /** In a week of the six, the first of which is 0; none where it is 0. */
  pieces: (week: number, nth: number) => number
  part?: 'cabo' | 'juncao'
  isRework?: true
}

/** What a press throws away on a day: set-up pieces as a shift begins, and one reason that grows from week to week. */
const samples: readonly Sample[] = [
  { time: '06:15', reason: 'peca-de-ajuste', pieces: () => 3 },
  { time: '14:15', reason: 'peca-de-ajuste', pieces: (_, nth) => (nth % 2 === 0 ? 2 : 4) },
  { time: '08:50', reason: 'altura-fora', pieces: (week, nth) => 2 + 2 * week + (nth % 3) },
  { time: '11:20', reason: 'fios-fora', pieces: (_, nth) => (nth % 2 === 0 ? 6 : 4) },
  { time: '10:05', reason: 'terminal-torto', pieces: (_, nth) => (nth % 4 === 0 ? 3 : 0) },
  { time: '15:40', reason: 'forca-baixa', pieces: (_, nth) => (nth % 5 === 0 ? 2 : 0) },
  { time: '16:10', reason: 'terminal-torto', pieces: (_, nth) => (nth % 6 === 0 ? 5 : 0), isRework: true },
  { time: '07:30', reason: 'comprimento-errado', pieces: (_, nth) => (nth % 3 === 0 ? 4 : 0), part: 'cabo' },
  { time: '17:00', reason: 'solda-fraca', pieces: (_, nth) => (nth % 7 === 0 ? 2 : 0), part: 'juncao' },
]

const isOfPart = ({ part }: Recording, wanted: Sample['part']) =>
  wanted === undefined ? part === 'l1' || part === 'l2' : part === wanted

/** The place at which a recording was made. */
function placeOf(recording: Recording) {
  const { branch, part, orderNumber, barcode, position, terminal, machine, lot, gaugeMilli = null } = recording
  const unit = recording.applicator ?? ''
  if (part === 'recebimento') throw new Error('nothing is thrown away where it is received')
  return {
    ...{ branch, part, order_number: orderNumber, barcode, position, machine, lot: lot.trim(), unit },
    ...{ terminal, terminal_key: nameKey(terminal), gauge_milli: gaugeMilli, unit_key: nameKey(unit) },
  }
}

type Seeded = { config: Config; now: number; past: PastWork }

/** Scrap of six weeks, at the places of past work; the last one is to be undone. */
export function makePastScraps({ config, now, past }: Seeded): NewScrap[] {
  const today = plantDay(now, config.timeZone)
  const scraps: NewScrap[] = []
  for (let nth = 0; nth < DAYS; nth++) {
    const day = addDays(today, nth - DAYS)
    if (workShare(day) < 1) continue
    for (const [at, { time, reason, pieces, part, isRework }] of samples.entries()) {
      const thrown = pieces(Math.floor(nth / DAYS_OF_WEEK), nth)
      const able = past.recordings.filter((recording) => isOfPart(recording, part))
      const recording = able[(nth * samples.length + at * 5) % able.length]
      if (thrown === 0 || !recording) continue
      const recordedAt = wallMs(day, time, config.timeZone)
      const id = `00000000-0000-4000-8000-5c${`${scraps.length + 1}`.padStart(10, '0')}`
      scraps.push({
        ...{ id, content_hash: id, ...placeOf(recording), reason_code: reason, note: '', pieces: thrown },
        ...{ is_rework: isRework ? 1 : 0, origin: 'operador', trusted: 1, user_id: 1 },
        ...{ operator: operators[scraps.length % operators.length] ?? '', production_day: day },
        ...{ recorded_at: recordedAt, received_at: recordedAt },
      })
    }
  }
  return scraps
}

/** Crimps of a tool that its scrap counts by itself. */
export const scrapWearOf = (scraps: readonly NewScrap[], tool: string): number =>
  scraps.slice(0, -1).reduce((sum, row) => sum + (row.unit === tool && isWearing(row) ? row.pieces : 0), 0)

export async function seedScraps(tx: Tx, scraps: readonly NewScrap[]): Promise<void> {
  for (const row of scraps) await insertScrap(tx, row)
  const last = scraps.at(-1)
  if (last) await undoScrap(tx, last.id, { at: last.received_at + 60_000, by: last.operator, userId: 1, reason: null })
}
