import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ScrapReason } from '../../../contract/scrap-reasons.ts'
import { type Scrap, scraps, UNDO_REASON_LENGTH_MAX } from '../../../contract/scraps.ts'
import { saysSomething } from '../../../contract/values.ts'
import { plantDay } from '../../../domain/plant/plant-time.ts'
import { shiftText } from '../../../domain/quality/sampling.ts'
import { reasonOf, todayText } from '../../../domain/tools/scraps.ts'
import type { PlaceOf } from '../../acts/act.ts'
import { authorOf, isOf, kinds } from '../../acts/kinds.ts'
import { isRetained, type WaitingAct } from '../../acts/queue.ts'
import { useWaiting } from '../../acts/queue-db.ts'
import type { FrozenScrap } from '../../acts/scraps.ts'
import { sendWaiting } from '../../acts/sender.ts'
import { undo } from '../../acts/undo.ts'
import { serverNow } from '../../device/clock.ts'
import { useUser } from '../../device/credentials.ts'
import { showToast } from '../../device/toasts.ts'
import { call, errorText } from '../../server/api.ts'
import { query } from '../../server/query.ts'
import { useSave } from '../../server/save.ts'
import { formatCount, formatShortInstant } from '../../text/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useMay } from '../permissions.tsx'
import { useSettings } from '../settings.ts'
import { reasonTextOf } from './reasons.ts'

/** One that the server knows, or that waits on this device. */
type Entry = { id: string; at: string; pieces: number; isRework: boolean; reason: string; by: string } & (
  | { scrap: Scrap }
  | { waiting: WaitingAct }
)

type ScrapPlace = Omit<PlaceOf<FrozenScrap>, 'kind'>
type Wanted = { place: ScrapPlace; reasons: readonly ScrapReason[] }
type Props = Wanted & { onListing: (isListing: boolean) => void }

const entryOf = (scrap: Scrap): Entry => ({
  ...{ id: scrap.id, at: scrap.registradoEm, pieces: scrap.pecas, isRework: scrap.retrabalho },
  ...{ reason: reasonOf(scrap), by: scrap.operador, scrap },
})

/** Those of the day, newest first, what waits here among them. */
function useToday({ place, reasons }: Wanted): Entry[] {
  const { timeZone } = useSettings()
  const { branch, barcode, order, junction, part } = place
  const here = barcode === '' ? { ordem: order, posicao: junction } : { codigoBarras: barcode }
  const { data } = useQuery(query(scraps.list, { query: { filial: branch, ...here } }, { isAfterFrame: true }))
  const username = useUser()?.username
  const known = new Set(data?.map(({ id }) => id))
  // its answer was lost: until it comes the tablet's own can be undone by its author, also without network
  const onTablet = (useWaiting() ?? [])
    .filter((one) => isOf(one, kinds.scrap, place))
    .filter((one) => !isRetained(one) && (one.username === username || !known.has(one.id)))
  const waiting = onTablet.flatMap((one): Entry[] => {
    if (one.isUndone) return []
    const { motivo, texto, pecas, retrabalho = false } = one.payload
    const said = { pieces: pecas, isRework: retrabalho, reason: reasonTextOf(reasons, motivo, texto) }
    return [{ id: one.id, at: one.frozenAt, ...said, by: authorOf(one), waiting: one }]
  })
  const idsHere = new Set(onTablet.map(({ id }) => id))
  const stored = (data ?? [])
    .filter(({ id, parte, desfeito }) => parte === part && desfeito === null && !idsHere.has(id))
    .map(entryOf)
  const today = plantDay(serverNow(), timeZone)
  return [...waiting, ...stored].filter(({ at }) => plantDay(Date.parse(at), timeZone) === today)
}

/** 'Refugo hoje: 12 (Altura fora)', which opens the list. Takes no room while there is nothing. */
export function ScrapOfToday({ onListing, ...wanted }: Props) {
  const entries = useToday(wanted)
  const [isOpen, setOpen] = useState(false)
  const isShown = isOpen && entries.length > 0
  // the last of them was undone: what is saved next opens no list
  if (isOpen && !isShown) setOpen(false)
  const tell = useEffectEvent(onListing)
  useEffect(() => {
    if (!isShown) return
    tell(true)
    return () => tell(false)
  }, [isShown])
  const text = todayText(entries)
  return (
    <>
      {text !== '' && (
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="min-h-11 px-2 text-left text-sm font-semibold text-brand-ink underline underline-offset-4"
        >
          {text}
        </button>
      )}
      {isShown && (
        <Dialog title="Refugo de hoje" width="md" onClose={() => setOpen(false)}>
          <ul className="flex flex-col divide-y divide-line">
            {entries.map((entry) => (
              <Line key={entry.id} entry={entry} />
            ))}
          </ul>
        </Dialog>
      )}
    </>
  )
}

function Line({ entry }: { entry: Entry }) {
  const { timeZone } = useSettings()
  const { at, pieces, isRework, reason, by } = entry
  const time = formatShortInstant(at, timeZone, serverNow())
  const parts = [time, formatCount(pieces), reason, ...(isRework ? ['retrabalho'] : []), by]
  const isDoubted = 'scrap' in entry && !entry.scrap.autorConfirmado
  return (
    <li className="flex min-h-14 items-center justify-between gap-3">
      <span className="min-w-0 wrap-anywhere">
        {parts.join(' · ')}
        {isDoubted && <span className="text-warn-ink"> · autor não confirmado</span>}
        {'waiting' in entry && <span className="text-muted"> · aguardando envio</span>}
      </span>
      {'waiting' in entry ? <UndoHere of={entry.waiting} /> : <Undo of={entry.scrap} />}
    </li>
  )
}

/** Of what has had no answer yet. */
function UndoHere({ of: waiting }: { of: WaitingAct }) {
  const isOwn = useUser()?.username === waiting.username
  const act = async () => {
    const isUndone = await undo(waiting)
    if (isUndone) void sendWaiting()
    showToast(
      isUndone
        ? { kind: 'success', text: 'Refugo desfeito.' }
        : { kind: 'warning', text: 'O refugo está saindo agora. Desfaça-o quando chegar.' },
    )
  }
  return isOwn && <UndoButton onPress={() => void act()} />
}

const UndoButton = (props: { busy?: boolean; onPress: () => void }) => (
  <Button size="tight" variant="quiet" {...props}>
    Desfazer
  </Button>
)

/** Its author in the shift without a word, else who corrects the work of others, with a reason. */
function Undo({ of: { id, proprio, registradoEm, origem } }: { of: Scrap }) {
  const plan = useSettings()
  const mayCorrect = useMay('correct')
  const [reason, setReason] = useState<string | null>(null)
  const { save, isBusy, failure } = useSave({
    send: (motivo: string) => call(scraps.undo, { params: { id }, body: motivo === '' ? {} : { motivo } }),
    changes: [scraps.list],
    toast: 'Refugo desfeito.',
    // where a reason is asked for, its dialog says it
    onFailed: (error, motivo) => {
      if (motivo === '') showToast({ kind: 'error', text: errorText(error) })
    },
  })
  const isOwn = proprio && shiftText(Date.parse(registradoEm), plan) === shiftText(serverNow(), plan)
  if (origem === 'contencao' || !(isOwn || mayCorrect)) return null
  return (
    <>
      <UndoButton busy={isBusy} onPress={() => (isOwn ? save('') : setReason(''))} />
      {reason !== null && (
        <FormDialog
          title="Desfazer refugo"
          isValid={saysSomething(reason)}
          {...{ isBusy, error: failure }}
          onSave={() => save(reason.trim())}
          onClose={() => setReason(null)}
        >
          <TextField
            label="Motivo"
            isRequired
            autoFocus
            maxLength={UNDO_REASON_LENGTH_MAX}
            value={reason}
            onChange={setReason}
          />
        </FormDialog>
      )}
    </>
  )
}
