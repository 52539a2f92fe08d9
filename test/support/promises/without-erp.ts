import { randomUUID } from 'node:crypto'
import { callTopics } from '../../../src/contract/maintenance-calls.ts'
import { type CallTeam, callTeams } from '../../../src/contract/values.ts'
import { actKinds } from '../../../src/server/store/act-kinds.ts'
import type { Db } from '../../../src/server/store/db/db.ts'
import { callOf, measurementOf, scrapOf } from '../harness.ts'
import { listActIds } from '../stored-acts.ts'
import type { LivePanel } from './live-panel.ts'

/** A kind of a tablet's queue that no ERP hears of. */
type KindWithoutErp = {
  path: string
  /** Two with one `subject` are about the same thing. */
  bodyOf: (subject: string) => object
  /** What is wrong with what is stored, a line per offence, counted from the ids whose press somebody saw answered. */
  findOffences: (answered: ReadonlySet<string>, db: Db) => Promise<string[]>
}

const linesOf = (offences: Record<string, unknown[]>): string[] =>
  Object.entries(offences).flatMap(([what, found]) => (found.length > 0 ? [`${found.length} ${what}`] : []))

/** What a page sends beside the place, of the first that each team is called for. */
export const aboutTeam = (equipe: CallTeam) =>
  equipe === 'manutencao' ? {} : { equipe, assunto: callTopics[equipe][0], sintoma: 'outro' as const }

/** A subject is for one team, and each of them has some. */
const aboutTeams = callTeams.map(aboutTeam)
const teamAt = (subject: string) => aboutTeams[parseInt(subject, 16) % aboutTeams.length]

const calls: KindWithoutErp = {
  path: '/api/chamados',
  bodyOf: (subject) => callOf({ maquina: `PR ${subject}`, ...teamAt(subject) }),
  async findOffences(answered, db) {
    const opened = await db.read.selectFrom('maintenance_calls').selectAll().orderBy('call_number').execute()
    const joins = await db.read.selectFrom('maintenance_call_joins').selectAll().execute()
    const isOfTeam = ({ machine, team }: (typeof opened)[number]) =>
      team === (teamAt(machine.slice('PR '.length))?.equipe ?? 'manutencao')
    const stored = new Set([...opened, ...joins].map(({ id }) => id))
    const joinsOf = Map.groupBy(joins, ({ call_id: id }) => id)
    const machines = new Set(opened.map(({ machine }) => machine))
    return linesOf({
      'presses were seen as answered and are not here': [...answered].filter((id) => !stored.has(id)),
      'presses are here and nobody saw them answered': [...stored].filter((id) => !answered.has(id)),
      'presses are both a call and part of one': joins.filter(({ id }) => opened.some((call) => call.id === id)),
      'calls are beside another about the same': opened.slice(machines.size),
      'calls are for another team': opened.filter((call) => !isOfTeam(call)),
      'calls bear another number than the next': opened.filter((call, at) => call.call_number !== at + 1),
      'calls say another number of presses': opened.filter(
        (call) => call.joined !== (joinsOf.get(call.id)?.length ?? 0),
      ),
    })
  },
}

const measurements: KindWithoutErp = {
  path: '/api/medicoes',
  bodyOf: (subject) =>
    measurementOf({
      maquina: `PR ${subject}`,
      leituras: [
        { caracteristica: 'altura', valores: [1100, 1098] },
        { caracteristica: 'forca', valores: [92_000] },
      ],
    }),
  async findOffences(answered, db) {
    const rows = await db.read.selectFrom('measurements').select(['act_id', 'counted']).execute()
    const acts = Map.groupBy(rows, ({ act_id: id }) => id)
    return linesOf({
      'acts were seen as answered and are not here': [...answered].filter((id) => !acts.has(id)),
      'acts are here and nobody saw them answered': [...acts.keys()].filter((id) => !answered.has(id)),
      'acts have not each of their readings once': [...acts.values()].filter((own) => own.length !== 2),
      'readings do not count': rows.filter(({ counted }) => counted !== 1),
    })
  },
}

/** A tool of its own: what others count stays as it is. */
const SCRAP_UNIT = 'MA-REFUGO'

const scraps: KindWithoutErp = {
  path: '/api/refugos',
  bodyOf: (subject) => scrapOf({ maquina: `PR ${subject}`, miniaplicador: SCRAP_UNIT, pecas: 3 }),
  async findOffences(answered, db) {
    const rows = await db.read.selectFrom('scraps').select(['id', 'counted', 'pieces']).execute()
    const stored = new Set(rows.map(({ id }) => id))
    const days = await db.read.selectFrom('daily_scrap').select('pieces').execute()
    const unit = await db.read
      .selectFrom('applicator_units')
      .select('lifetime_crimps as pieces')
      .where('name', '=', SCRAP_UNIT)
      .execute()
    const sumOf = (of: readonly { pieces: number }[]) => of.reduce((sum, { pieces }) => sum + pieces, 0)
    return linesOf({
      'scraps were seen as answered and are not here': [...answered].filter((id) => !stored.has(id)),
      'scraps are here and nobody saw them answered': [...stored].filter((id) => !answered.has(id)),
      'scraps do not count': rows.filter(({ counted }) => counted !== 1),
      'sums of scrap by day are not those of the scraps': sumOf(days) === sumOf(rows) ? [] : days,
      'counters of the tool are not the sum of its scraps': sumOf(unit) === sumOf(rows) ? [] : [unit],
    })
  },
}

export const kindsWithoutErp: readonly KindWithoutErp[] = [calls, measurements, scraps]

/** One person at one kind: each press is about something else, and is repeated under its id until it is answered. */
async function pressOne(
  live: LivePanel,
  { path, bodyOf }: KindWithoutErp,
  answered: Set<string> | undefined,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const id = randomUUID()
    const payload = bodyOf(id)
    let answer = await live.send(path, id, payload)
    // beyond what one person may call in a minute a tablet waits
    while (answer === null || answer.status === 503 || answer.status === 429) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      answer = await live.send(path, id, payload)
    }
    if (answer.status !== 201) throw new Error(`answered ${answer.status}: ${answer.text}`)
    answered?.add(id)
  }
}

/** So many people at each kind. Adds to `answered` the ids whose press they saw answered. */
export const pressWithoutErp = (
  live: LivePanel,
  { people, answered, isOver }: { people: number; answered: readonly Set<string>[]; isOver: () => boolean },
): Promise<unknown> =>
  Promise.all(
    kindsWithoutErp.flatMap((kind, at) =>
      Array.from({ length: people }, () => pressOne(live, kind, answered[at], isOver)),
    ),
  )

/** The ids of what is stored without the ERP. */
export const listStoredWithoutErp = ({ read }: Db): Promise<Set<string>> =>
  listActIds(
    read,
    actKinds.filter(({ table }) => table !== 'recordings'),
  )

/** By kind, in their order. */
export const nothingAnswered = () => kindsWithoutErp.map(() => new Set<string>())

/** How many of each kind were seen as answered, for the report of a run. */
export const countsWithoutErp = (answered: readonly ReadonlySet<string>[]): Record<string, number> =>
  Object.fromEntries(kindsWithoutErp.map(({ path }, at) => [path.replace('/api/', ''), answered[at]?.size ?? 0]))

export async function findOffencesWithoutErp(answered: readonly ReadonlySet<string>[], db: Db): Promise<string[]> {
  const found = await Promise.all(kindsWithoutErp.map((kind, at) => kind.findOffences(answered[at] ?? new Set(), db)))
  return found.flat()
}
