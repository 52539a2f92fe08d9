import type { Finding } from '../src/contract/measurements.ts'
import type { PlanMode } from '../src/contract/settings.ts'
import type { Tx } from '../src/server/store/db/db.ts'
import { insertFinding } from '../src/server/store/recording-findings.ts'
import type { Recording } from '../src/server/store/recordings.ts'
import { insertRelease, releaseSubject, spendRelease } from '../src/server/store/releases.ts'
import { findQuality, type PastWork } from './history.ts'

const MINUTE_MS = 60_000
/** Between one and the next: few enough for all to lie within the days that are listed. */
const CRIMPS_BETWEEN = 4

type Sample = { finding: Finding; mode: PlanMode; reason?: string; releasedFor?: string }

/** The oldest first: a plant that began by looking on, then warned, and blocks now. */
const sampleFindings: readonly Sample[] = [
  { finding: 'falta-medir', mode: 'observar' },
  { finding: 'fora-do-plano', mode: 'observar' },
  { finding: 'falta-medir', mode: 'avisar', reason: 'Micrômetro em uso na outra prensa' },
  { finding: 'fora-do-plano', mode: 'avisar', reason: 'Altura ajustada, amostra guardada para a qualidade' },
  { finding: 'bloqueio-sem-rede', mode: 'bloquear', reason: 'Sem rede: líder avisado, peças separadas' },
  { finding: 'fora-do-plano', mode: 'bloquear', releasedFor: 'Corte metalográfico aprovado' },
]

/** What the product would judge: a crimp of which the gauge is known. */
const isJudged = ({ part, gaugeMilli }: Recording): boolean => part !== 'cabo' && typeof gaugeMilli === 'number'

async function release(tx: Tx, recording: Recording, { nth, reason }: { nth: number; reason: string }) {
  const id = `00000000-0000-4000-8000-1b${`${nth}`.padStart(10, '0')}`
  const { branch, productionDay: day, receivedAt, pieces } = recording
  const giver = await findQuality(tx)
  const by = { userId: giver.id, givenBy: giver.fullName }
  const place = { branch, subject: releaseSubject(recording), day }
  const looked = { acts: [], typed: [] }
  await insertRelease(tx, { ...place, id, reason, ...by, pieces, looked, at: receivedAt - 2 * MINUTE_MS })
  await spendRelease(tx, id, place, { recordingId: recording.id, pieces })
  return id
}

/** Of the newest past work, what was registered outside its plan. */
export async function seedFindings(tx: Tx, { recordings }: PastWork): Promise<void> {
  const crimps = recordings.filter(isJudged).toSorted((one, other) => one.receivedAt - other.receivedAt)
  const noted = crimps.slice(-sampleFindings.length * CRIMPS_BETWEEN)
  for (const [nth, { finding, mode, reason = '', releasedFor }] of sampleFindings.entries()) {
    const recording = noted[nth * CRIMPS_BETWEEN]
    if (!recording) continue
    const releaseId = releasedFor === undefined ? null : await release(tx, recording, { nth, reason: releasedFor })
    const isOutside = finding !== 'falta-medir'
    await insertFinding(tx, {
      ...{ recordingId: recording.id, finding, mode, reason, releaseId, at: recording.receivedAt },
      details: { outside: isOutside ? ['altura'] : [], due: isOutside ? [] : ['troca-de-lote'], missing: [] },
    })
  }
}
