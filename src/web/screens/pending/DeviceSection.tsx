import { useNavigate } from '@tanstack/react-router'
import { CircleAlert, CloudUpload, Send, ShieldQuestionMark, Tablet, Undo2, UserRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type CutItem, items } from '../../../contract/items.ts'
import { clearTyped, isTyped, restoreTyped } from '../../acts/drafts.ts'
import { authorOf, kindOf } from '../../acts/kinds.ts'
import { AUTHOR_NEEDED, RETAINED, type WaitingAct } from '../../acts/queue.ts'
import { findWaiting, takeBack, useIsLegible, useWaiting } from '../../acts/queue-db.ts'
import { sendNow } from '../../acts/sender.ts'
import { useIsStorageKept } from '../../acts/useIsStorageKept.ts'
import { firstOf } from '../../acts/waiting-list.ts'
import { serverNow } from '../../device/clock.ts'
import { useUser } from '../../device/credentials.ts'
import { readFromDevice, writeToDevice, writeToTab } from '../../device/store.ts'
import { CodeDetails } from '../../parts/Failure.tsx'
import { useMay } from '../../parts/permissions.tsx'
import { useSettings } from '../../parts/settings.ts'
import { call, errorText } from '../../server/api.ts'
import { formatAgo, formatCount, formatRecentInstant } from '../../text/format.ts'
import { EDITING_ITEM_KEY } from '../../text/links.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Section } from '../../ui/Page.tsx'
import { RecordingSummary, recordingTitle } from './RecordingSummary.tsx'

/** What was typed in a form goes back there. */
const takeBackText = (recording: WaitingAct) => (kindOf(recording).work ? 'Devolver ao formulário' : 'Retirar da fila')

type Props = { recording: WaitingAct; onClose: () => void }

/** The way out for what the server will never take as it is: corrected in its form it becomes another recording. */
function ReturnToFormDialog({ recording, onClose }: Props) {
  const { payload, answeredBefore, username } = recording
  const user = useUser()
  const { giveBack, isBusy, error } = useGiveBack(recording, onClose)
  const { work, erp, messages } = kindOf(recording)
  const [isReplacing] = useState(
    () => work !== undefined && isTyped(work.draft.keyOf(recording), work.draft.sectionOf(recording)),
  )
  return (
    <ConfirmDialog
      title={`${takeBackText(recording)}?`}
      kind="warning"
      confirmText={takeBackText(recording).split(' ')[0] ?? ''}
      busyText="Aguarde..."
      isBusy={isBusy}
      error={error}
      onConfirm={() => void giveBack()}
      onClose={onClose}
    >
      <div className="flex flex-col gap-1">
        <p className="text-lg font-semibold">{recordingTitle(payload)}</p>
        <RecordingSummary recording={payload} />
      </div>
      <p>{messages.takenBack}</p>
      {isReplacing && <p>O que está digitado nesta etapa será substituído.</p>}
      {answeredBefore && erp && <p>Confira antes no ERP: ele pode já ter este apontamento.</p>}
      {username !== user?.username && (
        <p>Se você registrar, o apontamento passa para o seu nome, e não o de {authorOf(recording)}.</p>
      )}
    </ConfirmDialog>
  )
}

function useGiveBack(recording: WaitingAct, onClose: () => void) {
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const giveBack = async () => {
    setBusy(true)
    try {
      const item = await readItem(recording)
      const problem = await moveToForm(recording, item)
      if (problem) return setError(problem)
      onClose()
      if (item) writeToTab(EDITING_ITEM_KEY, item)
      await navigate({ href: kindOf(recording).pathOf(recording), state: item ? { item } : {} })
    } catch (thrown) {
      setError(errorText(thrown))
    } finally {
      setBusy(false)
    }
  }
  return { giveBack, isBusy, error }
}

/** The item of a waiting act's form, where the draft holds it. */
async function readItem(recording: WaitingAct): Promise<CutItem | undefined> {
  const barcode = kindOf(recording).work?.draft.barcodeOf?.(recording)
  if (barcode === undefined) return undefined
  const query = { filial: recording.branch }
  return (await call(items.get, { params: { codigoBarras: barcode }, query })).item
}

const GONE = 'Este apontamento já saiu da fila ou está sendo enviado.'

/** In the form before it leaves the queue: in between it is in both, never in none. Null: done. */
async function moveToForm(recording: WaitingAct, item: CutItem | undefined): Promise<string | null> {
  const draft = kindOf(recording).work?.draft
  // it may have left while its item was read: what was typed meanwhile in its form stays
  if (!(await findWaiting(recording.position))?.problem) return GONE
  if (draft && !restoreTyped(draft.keyOf(recording), draft.formsOf(recording), item)) {
    return 'Não foi possível guardar o formulário neste dispositivo. Nada mudou.'
  }
  if (await takeBack(recording)) return null
  if (draft) clearTyped(draft.keyOf(recording), draft.sectionOf(recording))
  return GONE
}

/** Acts that wait on this device for the server. */
export function DeviceSection() {
  const waiting = useWaiting()
  const isLegible = useIsLegible()
  if (waiting === null) return null
  return (
    <Section title="Neste dispositivo" icon={<Tablet {...icon.md} />} badge={<Badge>{waiting.length}</Badge>}>
      <div className="flex flex-col gap-4">
        {!isLegible && (
          <Alert>
            Não foi possível ler os apontamentos guardados neste dispositivo. Feche o navegador e abra-o de novo.
          </Alert>
        )}
        {waiting.length > 0 && <Queue waiting={waiting} />}
        {waiting.length === 0 && isLegible && (
          <p className="text-muted">Nenhum apontamento aguardando envio neste dispositivo.</p>
        )}
        {/* known later than the rest */}
        <StorageNotice />
      </div>
    </Section>
  )
}

const STORAGE_SAID = 'storage-said'

/** Once on a device: from then on 'Situação do sistema' says it. */
function StorageNotice() {
  const isKept = useIsStorageKept()
  const [isSaid] = useState(() => readFromDevice(STORAGE_SAID) !== null)
  useEffect(() => {
    if (isKept === false) writeToDevice(STORAGE_SAID, 'yes')
  }, [isKept])
  if (isKept !== false || isSaid) return null
  return (
    <Alert kind="warning">
      Este navegador pode apagar apontamentos guardados quando faltar espaço. Instale o aplicativo do painel neste
      dispositivo.
    </Alert>
  )
}

/** A longer list helps nobody, and a tablet draws it too slowly. */
const SHOWN_MAX = 200

function Queue({ waiting }: { waiting: readonly WaitingAct[] }) {
  const { timeZone } = useSettings()
  const [isSending, setSending] = useState(false)
  const send = async () => {
    setSending(true)
    await sendNow()
    setSending(false)
  }
  return (
    <>
      <ul aria-label="Apontamentos neste dispositivo" className="flex flex-col divide-y divide-line">
        {firstOf(waiting, SHOWN_MAX).map((recording) => (
          <QueueRow key={recording.id} recording={recording} timeZone={timeZone} />
        ))}
      </ul>
      {waiting.length > SHOWN_MAX && <p className="text-muted">E mais {formatCount(waiting.length - SHOWN_MAX)}.</p>}
      <div className="flex justify-end">
        <Button
          variant="primary"
          icon={<Send {...icon.md} />}
          busy={isSending}
          busyText="Enviando..."
          onPress={() => void send()}
        >
          Enviar agora
        </Button>
      </div>
    </>
  )
}

function QueueRow({ recording, timeZone }: { recording: WaitingAct; timeZone: string }) {
  const { payload, problem, frozenAt } = recording
  const { tone, Icon, text } = situationOf(recording)
  const isRefused = problem !== null && problem.code !== AUTHOR_NEEDED && problem.code !== RETAINED
  return (
    <li className="flex flex-col gap-x-8 gap-y-3 py-4 first:pt-0 last:pb-0 lg:flex-row lg:items-start lg:justify-between">
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="text-lg font-semibold">{recordingTitle(payload)}</h3>
          <Badge tone={tone} icon={<Icon {...icon.sm} />}>
            {text}
          </Badge>
        </div>
        {problem && (
          <p className={`font-medium ${isRefused ? 'text-bad-ink' : 'text-warn-ink'}`}>
            {problem.message}
            {isRefused && <CodeDetails code={problem.code} />}
          </p>
        )}
        <RecordingSummary recording={payload} />
        <p className="text-sm text-muted">
          {formatAgo(frozenAt, serverNow())} ({formatRecentInstant(frozenAt, timeZone)}) · {authorOf(recording)}
        </p>
      </div>
      {isRefused && <ReturnAction recording={recording} />}
    </li>
  )
}

/** The same people as for what the server keeps for correction. */
function ReturnAction({ recording }: { recording: WaitingAct }) {
  const user = useUser()
  const mayCorrect = useMay('correct')
  const [isOpen, setOpen] = useState(false)
  const { payload, username } = recording
  const text = takeBackText(recording)
  if (!mayCorrect && user?.username !== username) {
    return (
      <p className="text-sm text-muted lg:max-w-56 lg:text-right">
        Só {authorOf(recording)}, um líder ou um administrador pode corrigir.
      </p>
    )
  }
  return (
    <div className="flex max-sm:flex-col lg:w-60 lg:shrink-0 lg:flex-col">
      <Button
        icon={<Undo2 {...icon.md} />}
        onPress={() => setOpen(true)}
        aria-label={`${text}: ${recordingTitle(payload)}`}
      >
        {text}
      </Button>
      {isOpen && <ReturnToFormDialog recording={recording} onClose={() => setOpen(false)} />}
    </div>
  )
}

function situationOf({ problem, isUndone }: Pick<WaitingAct, 'problem' | 'isUndone'>) {
  if (isUndone) return { tone: 'neutral', Icon: Undo2, text: 'Desfeito' } as const
  if (!problem) return { tone: 'neutral', Icon: CloudUpload, text: 'Aguardando envio' } as const
  if (problem.code === RETAINED) return { tone: 'warn', Icon: ShieldQuestionMark, text: 'Retido' } as const
  if (problem.code === AUTHOR_NEEDED) return { tone: 'warn', Icon: UserRound, text: 'Aguardando o autor' } as const
  return { tone: 'bad', Icon: CircleAlert, text: 'Precisa de ajuda' } as const
}
