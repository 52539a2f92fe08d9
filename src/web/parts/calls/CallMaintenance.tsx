import { useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CloudUpload, type LucideIcon, UserRoundCog, Wrench } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { type MaintenanceCall, maintenanceCalls } from '../../../contract/maintenance-calls.ts'
import { reasonText, teamOf, teamTexts } from '../../../domain/tools/call-topics.ts'
import { CALL_UNDO_MS, callStateText, isOverdue } from '../../../domain/tools/maintenance-calls.ts'
import { isOf, kinds } from '../../acts/kinds.ts'
import type { CallPlace, CallReason, FrozenMaintenanceCall } from '../../acts/maintenance-calls.ts'
import { isRetained, type WaitingAct } from '../../acts/queue.ts'
import { useWaiting } from '../../acts/queue-db.ts'
import { sendWaiting } from '../../acts/sender.ts'
import { undo } from '../../acts/undo.ts'
import { useIsBusy, useRecorder } from '../../acts/useRecorder.ts'
import { serverNow } from '../../device/clock.ts'
import { useUser } from '../../device/credentials.ts'
import { showToast } from '../../device/toasts.ts'
import { call, errorText } from '../../server/api.ts'
import { invalidate } from '../../server/query.ts'
import { useSave } from '../../server/save.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { useMay } from '../permissions.tsx'
import { useNow } from '../useNow.ts'
import { CallDialog } from './CallDialog.tsx'
import { callsAt, useCalls, useMomentWords } from './calls.ts'
import { useCallTeams } from './teams.ts'

export type CallProps = {
  branch: string
  place: CallPlace
  /** 'lado 1', 'PR0001': tells the button from others of the screen. */
  name: string
  /** As people call the item. */
  item?: string
  /** In the head of a section, which is not to grow: what there is no room for is left out. */
  isInHead?: boolean
  onOpenChange?: (isOpen: boolean) => void
}

/** Calls from the same side of an item, from the same junction, else from the same machine. */
const hereOf = (branch: string, { machine, order, barcode, side, junction }: CallPlace) =>
  barcode === '' && junction === ''
    ? { branch, machine, barcode, junction }
    : { branch, order, barcode, side, junction }

/** Calls maintenance or another team to where somebody works, and says what became of it. */
export function CallMaintenance({ branch, place, name, item = '', isInHead = false, onOpenChange }: CallProps) {
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  useEffect(() => {
    if (made === null) return
    const timer = setTimeout(() => setMade(null), CALL_UNDO_MS)
    return () => clearTimeout(timer)
  }, [made])
  const here = hereOf(branch, place)
  const queries = useQueryClient()
  const onAccepted = ({ id }: FrozenMaintenanceCall) => {
    setMade(id)
    void invalidate(queries, maintenanceCalls.list)
  }
  const recorder = useRecorder(kinds.maintenanceCall, { place: here, onAccepted })
  const isBusy = useIsBusy(recorder)
  const show = (isShown: boolean) => {
    setOpen(isShown)
    onOpenChange?.(isShown)
  }
  const send = (machine: string, reason: CallReason) => {
    show(false)
    void recorder.register({ branch, ...place, machine, ...reason })
  }
  const title = useCallTeams().length > 1 ? 'Chamar' : 'Chamar manutenção'
  const mayCall = useMay('record')
  return (
    <>
      {mayCall && (
        <span className={isInHead ? '-my-2' : 'w-full *:w-full'}>
          <Button
            size={isInHead ? 'tight' : 'md'}
            variant={isInHead ? 'quiet' : 'secondary'}
            icon={<Wrench {...icon.md} className={isInHead ? '@md:@max-lg:hidden' : ''} />}
            aria-label={`${title}: ${name}`}
            title={title}
            busy={isBusy}
            onPress={() => show(true)}
          >
            <span className={isInHead ? '@max-md:hidden' : ''}>{title}</span>
          </Button>
        </span>
      )}
      <Calls branch={branch} place={place} made={made} />
      {isOpen && <CallDialog branch={branch} place={place} item={item} onCall={send} onClose={() => show(false)} />}
    </>
  )
}

type NowProps = Pick<CallProps, 'branch' | 'place' | 'item'> & { onClose: () => void }

/** Its dialog, open at once. */
export function CallNow({ branch, place, item = '', onClose }: NowProps) {
  const recorder = useRecorder(kinds.maintenanceCall, { place: hereOf(branch, place) })
  return (
    <CallDialog
      {...{ branch, place, item, onClose }}
      onCall={(machine, reason) => {
        onClose()
        void recorder.register({ branch, ...place, machine, ...reason })
      }}
    />
  )
}

type Look = { Icon: LucideIcon; ink: string }
const looks = {
  aberto: { Icon: Wrench, ink: 'text-warn-ink' },
  atendido: { Icon: UserRoundCog, ink: 'text-brand-ink' },
  resolvido: { Icon: CircleCheck, ink: 'text-ok-ink' },
  cancelado: { Icon: CircleCheck, ink: 'text-muted' },
} satisfies Record<MaintenanceCall['situacao'], Look>

const Line = ({ Icon, ink, children }: Look & { children: ReactNode }) => (
  <p className={`flex items-center gap-x-2 text-sm font-semibold ${ink}`}>
    <Icon {...icon.sm} className="shrink-0" />
    <span className="flex min-w-0 flex-wrap items-center gap-x-2">{children}</span>
  </p>
)

/** Team and reason of a call for another team; one for maintenance stands beside its symptom's own button. */
const ofOthers = (one: MaintenanceCall): string =>
  teamOf(one) === 'manutencao' ? '' : `${teamTexts[teamOf(one)]}, ${reasonText(one)} · `

type CallsProps = Pick<CallProps, 'branch' | 'place'> & {
  /** The id of what was called here a moment ago. */
  made: string | null
}

/** Calls that wait on this device, and those that the server knows. Takes no room while there are none. */
function Calls({ branch, place, made }: CallsProps) {
  const { data } = useCalls(branch)
  const nowMs = useNow()
  const write = useMomentWords(nowMs)
  const here = hereOf(branch, place)
  // of one that is retained the server tells
  const isHere = (one: WaitingAct) => isOf(one, kinds.maintenanceCall, here) && !one.isUndone && !isRetained(one)
  const waiting = (useWaiting() ?? []).filter(isHere)
  const calls = callsAt(data?.chamados ?? [], place, nowMs)
  return (
    <div role="status" className="order-last flex basis-full flex-col gap-1 empty:hidden">
      {waiting.map((one) => (
        <Line key={one.id} Icon={CloudUpload} ink="text-muted">
          Chamado neste dispositivo {write.ago(one.frozenAt)}: chame também pessoalmente
          <UndoHere of={one} />
        </Line>
      ))}
      {calls.map((one) => (
        <Line
          key={one.id}
          {...(isOverdue(one, nowMs) ? { Icon: CircleAlert, ink: 'text-bad-ink' } : looks[one.situacao])}
        >
          Chamado {one.numero} · {ofOthers(one)}
          {callStateText(one, write)}
          {one.id === made && one.situacao === 'aberto' && one.juntados === 0 && <Undo of={one} />}
        </Line>
      ))}
    </div>
  )
}

/** As `Undo`, of what has had no answer yet. */
function UndoHere({ of: waiting }: { of: WaitingAct }) {
  const isOwn = useUser()?.username === waiting.username
  const [leftMs] = useState(() => Date.parse(waiting.frozenAt) + CALL_UNDO_MS - serverNow())
  const [isOver, setOver] = useState(leftMs <= 0)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), leftMs)
    return () => clearTimeout(timer)
  }, [leftMs])
  const act = async () => {
    const isUndone = await undo(waiting)
    if (isUndone) void sendWaiting()
    showToast(
      isUndone
        ? { kind: 'success', text: 'Chamado desfeito.' }
        : { kind: 'warning', text: 'O chamado está saindo agora. Se ele abrir, desfaça-o aqui.' },
    )
  }
  if (!isOwn || isOver) return null
  return <UndoButton onPress={() => void act()} />
}

const UndoButton = (props: { busy?: boolean; onPress: () => void }) => (
  // its line is as high with it as without it
  <span style={{ marginBlock: '-0.75rem' }}>
    <Button size="tight" variant="quiet" {...props}>
      Desfazer
    </Button>
  </span>
)

/** For as long as its author may take it back without a word. */
function Undo({ of: { id, version, numero } }: { of: MaintenanceCall }) {
  const { save, isBusy } = useSave({
    send: () => call(maintenanceCalls.cancel, { params: { id }, body: {} }, { versionSeen: version }),
    changes: [maintenanceCalls.list],
    toast: `Chamado ${numero} desfeito.`,
    onFailed: (error) => showToast({ kind: 'error', text: errorText(error) }),
  })
  return <UndoButton busy={isBusy} onPress={() => save()} />
}
