import { maintenanceCalls } from '../../contract/maintenance-calls.ts'
import { scraps } from '../../contract/scraps.ts'
import { currentUser } from '../device/credentials.ts'
import { ifFree } from '../device/locks.ts'
import { showToast } from '../device/toasts.ts'
import { ApiError, call } from '../server/api.ts'
import { deliveryKeyOf, kindOf } from './kinds.ts'
import { authorNeeded, type WaitingAct } from './queue.ts'
import { drop, hold, undoWaiting } from './queue-db.ts'
import { refusalWords } from './refusal-words.ts'
import { isDefinitive, type Outcome } from './send.ts'

/** Calls and scrap that wait on this device and that their author takes back (decision 073). */

/** False: it is being sent just now, or was answered. */
export const undo = async (waiting: WaitingAct): Promise<boolean> =>
  (await ifFree(deliveryKeyOf(waiting), () => undoWaiting(waiting))) ?? false

const REASON = 'Desfeito por quem chamou, ainda sem rede'

/** The shift in which it was taken back decides, not that in which the server hears of it. */
async function undoAtServer({ id, undoneAt }: WaitingAct): Promise<void> {
  await call(scraps.undo, { params: { id }, body: { desfeitoEm: undoneAt } })
}

/** Nobody is cancelled who has called for the same meanwhile, and nothing that somebody attends to already. */
async function cancelAtServer({ id, branch, payload }: WaitingAct): Promise<void> {
  // a server of the version before knows no team, and so has no call of another
  const ofTeam = 'equipe' in payload ? { equipe: payload.equipe } : {}
  const { chamados } = await call(maintenanceCalls.list, { query: { filial: branch, ...ofTeam } })
  const made = chamados.find((one) => one.id === id && one.situacao === 'aberto' && one.juntados === 0)
  if (!made) return
  const { version: versionSeen } = made
  await call(maintenanceCalls.cancel, { params: { id }, body: { motivo: REASON, juntados: 0 } }, { versionSeen })
}

const ends: Record<string, (waiting: WaitingAct) => Promise<void>> = { scrap: undoAtServer }

/** Its author was told that it is undone; it stands, and only the server's words say why. */
function tellStanding({ kind, payload }: WaitingAct, error: ApiError): void {
  const title = kindOf({ kind }).titleOf(payload)
  showToast({ kind: 'error', text: `Não foi desfeito: ${refusalWords(error)}`, subject: title, stays: true })
}

/** In the place of sending it: ends what the server may have of it. */
export async function endAtServer(waiting: WaitingAct): Promise<Outcome | { outcome: 'skipped' }> {
  if (currentUser()?.username !== waiting.username) {
    await hold(waiting, authorNeeded(waiting))
    return { outcome: 'author_needed' }
  }
  try {
    await (ends[waiting.kind ?? ''] ?? cancelAtServer)(waiting)
  } catch (error) {
    // a server of the version before knows none, and so has none
    const isUnknown = error instanceof ApiError && error.code === 'not_found'
    if (!isUnknown && !isDefinitive(error)) return { outcome: 'unanswered', error }
    if (isDefinitive(error)) tellStanding(waiting, error)
  }
  await drop(waiting)
  return { outcome: 'skipped' }
}
