import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { randomFor } from '../../../demo/simulator/random.ts'
import type { CutCrimpRecording } from '../../../src/contract/recordings.ts'
import type { PanelProcess } from '../panel.ts'
import { type LivePanel, startLivePanel } from './live-panel.ts'
import type { Seen } from './offences.ts'
import { SEED } from './sizes.ts'
import { nothingAnswered, pressWithoutErp } from './without-erp.ts'
import { recordingOf } from './workload.ts'

const OPERATORS = 12
/** Of what each server printed last, where it answered what it must not. */
const LOG_SHOWN = 4000

export type KillRun = Seen & {
  panel: PanelProcess
  /** Ids of the presses without an ERP that somebody saw answered, by kind. */
  answered: readonly ReadonlySet<string>[]
}

/**
 * One operator's tablet: records piece after piece, each under one id, and repeats it until the server has answered
 * for good. Adds to `settled` what the operator saw as saved. An ERP that has something twice, by a deliberate mistake,
 * refuses what comes later.
 */
async function work(
  live: LivePanel,
  next: () => CutCrimpRecording,
  settled: Map<string, CutCrimpRecording>,
  isOver: () => boolean,
  mayBeRefused: boolean,
  logs: () => string,
) {
  while (!isOver()) {
    const id = randomUUID()
    const payload = next()
    let answer = await live.record(id, payload)
    while (answer === null || answer.status === 503) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      answer = await live.record(id, payload)
    }
    if (answer.status === 201 || answer.status === 202) settled.set(id, payload)
    else if (answer.status !== 409 && !(mayBeRefused && answer.status === 422))
      throw new Error(`answered ${answer.status}: ${answer.text}\n${logs()}`)
  }
}

/**
 * The real server under load while something is killed again and again; then all that waits is delivered. Some of the
 * ERP's answers are late, so that deaths fall between its commit and ours.
 */
export async function killUnderLoad(options: {
  env?: Record<string, string>
  kills: number
  /** Operators go on until that many were seen as saved. */
  settledMin?: number
  mistake?: 'late-commits' | 'unnoted-sending'
  /** So many people at each kind that no ERP hears of, beside those who record. */
  withoutErp?: number
  /** Starts another server of the plant beside the first; it is stopped when all operators have gone. */
  beside?: { port: number; entrance: string; start: (env: Record<string, string>) => Promise<PanelProcess> }
  /** Kills, and brings back what it killed. */
  kill: (panel: PanelProcess, settled: Seen['settled'], live: LivePanel) => Promise<void>
}): Promise<KillRun> {
  const { kills, settledMin = 0, mistake } = options
  const random = randomFor(SEED, 'kills')
  const live = await startLivePanel({
    env: options.env,
    piecesMin: 2 * settledMin + 10_000,
    behind: options.beside,
  })
  const { panel, simulator, sections } = live
  const second = await options.beside?.start(live.env)
  // also where the run breaks off
  onTestFinished(() => second?.stop())
  await simulator.state.setFaults([{ id: 'F01', operation: 'apontamentos', ms: 60, count: null, chance: 0.3 }])
  if (mistake) await live.restartWith(mistake)
  const settled = new Map<string, CutCrimpRecording>()
  const next = () => recordingOf(random.pick(sections), 1)
  const logs = () => [panel, second].map((one) => one?.logs().slice(-LOG_SHOWN) ?? '').join('\n')
  let over = false
  const answered = nothingAnswered()
  const operators = Promise.all([
    ...Array.from({ length: OPERATORS }, () => work(live, next, settled, () => over, mistake !== undefined, logs)),
    pressWithoutErp(live, { people: options.withoutErp ?? 0, answered, isOver: () => over }),
  ])
  for (let kill = 0; kill < kills; kill++) {
    const settledWanted = (settledMin * (kill + 1)) / kills
    do await new Promise((resolve) => setTimeout(resolve, random.between(50, 400)))
    while (settled.size < settledWanted)
    await options.kill(panel, settled, live)
  }
  over = true
  await operators
  await second?.stop()
  await live.finish()
  return { settled, writes: simulator.state.writes, panel, answered }
}
