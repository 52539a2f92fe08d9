import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { type PendingRecording, pendingRecordings } from '../../contract/pending-recordings.ts'
import { kindOfPayload } from '../acts/kinds.ts'
import { ownRefusals, useRefusalRound } from '../acts/own-refusals.ts'
import { listWaiting } from '../acts/queue-db.ts'
import { readFromDevice, writeToDevice } from '../device/store.ts'
import { closeRefusals, showToast } from '../device/toasts.ts'
import { takeUnlessLeft } from '../device/turns.ts'
import { call } from '../server/api.ts'
import { links } from '../text/links.ts'
import { playSound } from './scanner/sounds.ts'

/** Ids that this device has told of, as long as they wait. */
const TOLD_KEY = 'recusas-ditas'
const readTold = () => (readFromDevice(TOLD_KEY) ?? '').split(' ').filter(Boolean)
/** More of them are one toast. */
const TOASTS_MAX = 3

const isOwnRefusal = ({ situacao, propria }: PendingRecording) => situacao === 'recusado' && propria === true

/** 'Cabo · 120 peças · item 000160 foi recusado: Lote bloqueado.' */
function textOf({ apontamento, item, motivo }: PendingRecording): string {
  const number = item && 'Z1_ITEMEST' in item ? `item ${item.Z1_ITEMEST}` : ''
  const subject = [kindOfPayload(apontamento).titleOf(apontamento), number].filter(Boolean).join(' · ')
  return `${subject} foi recusado: ${(motivo ?? 'o ERP recusou o apontamento').replace(/[\s.]+$/, '')}.`
}

/** Without those in whose place an act of this device waits to be sent. */
async function readOwn(): Promise<readonly PendingRecording[]> {
  const { pendencias } = await call(pendingRecordings.list, {})
  const replaced = (await listWaiting()).map(({ payload }) => payload.captura?.substitui)
  return pendencias.filter((one) => isOwnRefusal(one) && !replaced.includes(one.id))
}

/** Asked for when their number changes or one was put right, and not with each recording of the plant. */
function useOwnRefusals(needPerson: number) {
  const [own, setOwn] = useState<readonly PendingRecording[] | null>(null)
  const round = useRefusalRound()
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again when it is another
  useEffect(() => {
    const take = (found: readonly PendingRecording[]) => {
      ownRefusals.set(found)
      setOwn(found)
    }
    return takeUnlessLeft(readOwn(), take)
  }, [needPerson, round])
  useEffect(() => () => ownRefusals.set([]), [])
  return own
}

/** Whatever screen is open: tells an author of what was refused after it had been seen as saved. */
export function LateRefusals({ needPerson }: { needPerson: number }) {
  const navigate = useNavigate()
  const isAtList = useRouterState({ select: ({ location }) => location.pathname === links.pending })
  const own = useOwnRefusals(needPerson)
  const show = (refusedWork: string, text: string, correct?: string) =>
    showToast({
      ...{ kind: 'error', text, refusedWork, stays: true },
      action: {
        text: correct ? 'Corrigir' : 'Ver Pendências',
        go: () => void navigate({ to: links.pending, state: correct ? { correct } : {} }),
      },
    })
  const tell = useEffectEvent((refused: readonly PendingRecording[], isSeen: boolean) => {
    const known = readTold()
    const fresh = refused.filter(({ id }) => !known.includes(id))
    writeToDevice(TOLD_KEY, refused.map(({ id }) => id).join(' '))
    // settled, or in sight there
    const gone = isSeen ? [...known, ''] : known.filter((id) => refused.every((one) => one.id !== id))
    gone.forEach(closeRefusals)
    if (fresh.length === 0 || isSeen) return
    playSound('bad')
    if (fresh.length > TOASTS_MAX) return show('', `${fresh.length} apontamentos foram recusados.`)
    for (const one of fresh) show(one.id, textOf(one), one.podeCorrigir ? one.id : undefined)
  })
  useEffect(() => {
    if (own) tell(own, isAtList)
  }, [own, isAtList])
  // the last one was settled, or its author has gone
  useEffect(() => () => [...readTold(), ''].forEach(closeRefusals), [])
  return null
}
