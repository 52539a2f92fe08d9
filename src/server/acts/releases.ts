import { nameKey } from '../../domain/acts/recordings.ts'
import { CLOCK_SLACK_MS } from '../../domain/quality/plan-gate.ts'
import { isWorse, type Seen } from '../../domain/quality/releases.ts'
import { limitsOf } from '../../domain/quality/sampling.ts'
import { findPlan } from '../store/control-plans.ts'
import type { Tx } from '../store/db/db.ts'
import type { NewMeasurement } from '../store/measurements.ts'
import type { Recording } from '../store/recordings.ts'
import {
  findRelease,
  type Looked,
  listLookedAt,
  listNamedOutside,
  listOutsideNow,
  releaseSubject,
  seenOf,
  spendRelease,
} from '../store/releases.ts'

/** Measured by the recording itself; `isTypedEnough`: its plan counts values that were typed. */
type OwnReadings = { measured: readonly NewMeasurement[]; isTypedEnough: boolean }

/** Something is outside that is worse than what was looked at, or that nobody looked at. */
async function isVoid(
  tx: Tx,
  { acts, typed }: Looked,
  recording: Recording,
  { measured, named, isTypedEnough }: OwnReadings & { named: readonly string[] },
): Promise<boolean> {
  const { branch, orderNumber, terminal, gaugeMilli = null, machine, recordedAt: at } = recording
  // without a gauge no plan speaks of it
  if (gaugeMilli === null) return false
  const place = { branch, orderNumber, terminalKey: nameKey(terminal), gaugeMilli }
  const before = await listOutsideNow(tx, {
    ...{ ...place, machine, unit: recording.applicator ?? '', until: at + CLOCK_SLACK_MS },
    ...{ named, except: recording.id },
  })
  // nothing is newer than what the recording itself measured, where it counts; a sample that it types over counts beside it
  const ownOf = ({ characteristic }: Seen) => measured.filter((own) => own.characteristic === characteristic)
  const over = measured.length === 0 ? [] : await listNamedOutside(tx, place, named)
  const outside = [
    ...before.filter((one) => !ownOf(one).some(({ verdict }) => isTypedEnough || verdict === 'fora')),
    ...over.filter((one) => ownOf(one).length > 0),
    ...measured
      .filter(({ verdict }) => verdict === 'fora')
      .map((row) => ({ ...seenOf(row), planId: row.plan_id ?? null })),
  ]
  const limited = []
  for (const { planId, ...seen } of outside) {
    const plan = planId === null ? null : await findPlan(tx, planId)
    limited.push({ ...seen, limits: limitsOf(plan?.plan ?? null, seen.characteristic, { forceMin: null }) })
  }
  return isWorse(limited, [
    ...(await listLookedAt(tx, place, acts)),
    ...typed.map(({ characteristic, milli }) => ({ characteristic, values: [milli] as const })),
  ])
}

/**
 * Spends the release that a recording names, in the commit that stores both it and what it measured itself. Null: it names
 * none, or one that is not good for it. `own` null: no reading makes it void.
 */
export async function spendNamed(
  tx: Tx,
  recording: Recording,
  own: OwnReadings | null,
  samples: readonly string[],
): Promise<{ id: string; isOwn: boolean } | null> {
  const named = samples.map((act) => act.toLowerCase())
  const { id: recordingId, capture, branch, productionDay: day, pieces, userId } = recording
  const id = capture?.liberacao ?? null
  const release = id === null ? undefined : await findRelease(tx, id)
  if (id === null || release === undefined) return null
  if (own && release.looked !== null && (await isVoid(tx, release.looked, recording, { ...own, named }))) return null
  const place = { branch, subject: releaseSubject(recording), day }
  const isSpent = await spendRelease(tx, id, place, { recordingId, pieces })
  return isSpent ? { id, isOwn: release.userId === userId } : null
}
