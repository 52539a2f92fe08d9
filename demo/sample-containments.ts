import type { Move } from '../src/contract/containments.ts'
import { addDays, dayStartMs, plantDay, toInstant } from '../src/domain/plant/plant-time.ts'
import type { Config } from '../src/server/config.ts'
import { findSubject } from '../src/server/features/containment-subjects.ts'
import { listScrapped } from '../src/server/store/containment-presses.ts'
import {
  type BalancedRow,
  insertSteps,
  listAllRows,
  type NewStep,
  raiseRow,
  setState,
} from '../src/server/store/containment-steps.ts'
import { insertContainment } from '../src/server/store/containments.ts'
import type { Tx } from '../src/server/store/db/db.ts'
import { insertScrap } from '../src/server/store/scraps.ts'
import { listSuspects } from '../src/server/store/suspect-subjects.ts'
import { findQuality } from './history.ts'

const DAY_MS = 86_400_000

type Sample = {
  tool: string
  /** Days before today: what it is about, and when it was opened. */
  from: number
  until: number
  opened: number
  reason: string
  /** What was decided the day after, about the rows in turn; an open one has none yet. */
  decided?: readonly (readonly [row: number, kind: Move, pieces: number, reason: string])[]
}

/** One with labels to print, and one with every decision, closed. */
const samples: readonly Sample[] = [
  {
    ...{ tool: 'MA-0009', from: 26, until: 13, opened: 13, reason: 'Matriz trocada sem nova medição' },
    decided: [
      [0, 'liberar', 50, 'Alturas dentro do plano'],
      [1, 'retrabalhar', 20, 'Terminal torto: desamassar e medir'],
      [1, 'sucatear', 30, 'Crimpagem aberta'],
      [1, 'liberar-retrabalhadas', 18, 'Medidas depois do retrabalho'],
      [1, 'sucatear-retrabalhadas', 2, 'Quebraram no retrabalho'],
    ],
  },
  { tool: 'MA-0011', from: 17, until: 2, opened: 1, reason: 'Altura fora na última amostra: crimpador gasto' },
]

type Seeding = { tx: Tx; config: Config; now: number }

const idOf = (nth: number, of: string) => `00000000-0000-4000-8000-${of}${`${nth + 1}`.padStart(10, '0')}`

async function open({ tx, config, now }: Seeding, nth: number, sample: Sample): Promise<string> {
  const day = (daysAgo: number) => addDays(plantDay(now, config.timeZone), -daysAgo)
  const start = (daysAgo: number) => toInstant(dayStartMs(day(daysAgo), config.timeZone))
  const named = { filial: config.plants[0]?.code ?? '', tipo: 'ferramenta', termo: sample.tool } as const
  const ends = { inicio: start(sample.from), fim: start(sample.until) }
  const { subject, columns } = await findSubject(tx, { ...named, ...ends }, { config, now: () => now })
  const id = idOf(nth, 'c0')
  const [isWidened, isClosed] = [
    { widened_reason: null, widened_at: null, widened_by: null, widened_user_id: null },
    { close_reason: null, closed_at: null, closed_by: null, closed_user_id: null },
  ]
  const opened = {
    ...{ opened_at: dayStartMs(day(sample.opened), config.timeZone) + DAY_MS / 2, opened_day: day(sample.opened) },
    ...{ opened_by: 'Maria Souza', opened_user_id: 1 },
  }
  const stored = { ...columns, ...isWidened, ...isClosed, ...opened, id, content_hash: '', state: 'aberta' } as const
  await insertContainment(tx, { ...stored, reason: sample.reason, version: 1 }, await listSuspects(tx, subject))
  return id
}

/** All that its sample says; the rest is released. */
async function decideAll({ tx, config, now }: Seeding, id: string, { opened, decided = [] }: Sample): Promise<void> {
  const rows = await listAllRows(tx, id)
  const { id: userId, fullName } = await findQuality(tx)
  const day = addDays(plantDay(now, config.timeZone), 1 - opened)
  const at = dayStartMs(day, config.timeZone) + DAY_MS / 3
  const done = decided.flatMap(([row, ...decision]) => (rows[row] ? [{ row: rows[row], decision }] : []))
  const rest = rows
    .slice(2)
    .map((row) => ({ row, decision: ['liberar', row.pieces, 'Alturas dentro do plano'] as const }))
  const steps = [...done, ...rest].map(({ row, decision: [kind, pieces, reason] }, nth): [BalancedRow, NewStep] => [
    row,
    {
      ...{ press_id: idOf(nth, 'c1'), content_hash: '', containment_id: id, row_id: row.id, kind, of_step: null },
      ...{ pieces, reason, checked: kind.startsWith('liberar') ? 'medidas-100' : null, sample_pieces: null },
      ...{ checked_text: null, scrap_reason: kind.startsWith('sucatear') ? 'terminal-torto' : null },
      ...{ decided_by: fullName, user_id: userId, at, decided_day: day },
    },
  ])
  for (const [row, step] of steps) {
    await raiseRow(tx, row)
    await insertSteps(tx, [step])
    if (step.scrap_reason) for (const scrap of await listScrapped(tx, [row], [step])) await insertScrap(tx, scrap)
  }
  await setState(tx, id, { at: at + 60_000, by: fullName, userId, reason: '' })
}

/** After past work, of which they are. */
export async function seedContainments(seeding: Seeding): Promise<void> {
  for (const [nth, sample] of samples.entries()) {
    const id = await open(seeding, nth, sample)
    if (sample.decided) await decideAll(seeding, id, sample)
  }
}
