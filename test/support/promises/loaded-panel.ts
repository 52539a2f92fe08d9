import type { CutItem } from '../../../src/contract/items.ts'
import { addUser, openTestPanel, type TestPanel } from '../harness.ts'
import { largeOrders, type Section, searchPath, sectionsOf } from './workload.ts'

type Options = Parameters<typeof openTestPanel>[0] & {
  /** Pieces and sections that the test may need; the largest order is searched in any case. */
  piecesMin?: number
  sectionsMin?: number
  /** Before the first call: what a deliberate mistake hooks into the app. */
  bend?: (app: TestPanel['app']) => void
}

/** A panel in this process with two operators logged in and enough to record. The ERP stores twice what it is sent twice. */
export async function openLoadedPanel({ piecesMin = 0, sectionsMin = 0, bend, ...options }: Options) {
  const panel = await openTestPanel({ ...options, simulator: { dedup: false, ...options.simulator } })
  bend?.(panel.app)
  await addUser(panel.context, { username: 'operador' })
  await addUser(panel.context, { username: 'colega', fullName: 'Ana Lima' })
  const { token } = await panel.login('operador')
  const { token: otherToken } = await panel.login('colega')
  const sections: Section[] = []
  const isEnough = () =>
    sections.length >= Math.max(sectionsMin, 1) && sections.reduce((sum, { open }) => sum + open, 0) >= piecesMin
  for (const order of largeOrders) {
    const answer = await panel.ask(token, { method: 'GET', url: searchPath(order) })
    sections.push(...sectionsOf((answer.json() as { items: CutItem[] }).items))
    if (isEnough()) return { ...panel, token, otherToken, sections }
  }
  throw new Error(`the sample has fewer than ${piecesMin} pieces or ${sectionsMin} sections open`)
}

export type LoadedPanel = Awaited<ReturnType<typeof openLoadedPanel>>

const ROUNDS_MAX = 2000

/** Time passes and the worker works, until nothing waits for the ERP any more. */
export async function untilNothingWaits({ db, clock, context }: LoadedPanel): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    await context.outbox.deliverDue()
    const waiting = await db.read.selectFrom('recordings').select('id').where('state', '=', 'waiting').execute()
    if (waiting.length === 0) return
    clock.advance(15_000)
  }
  throw new Error('recordings still wait after hours')
}
