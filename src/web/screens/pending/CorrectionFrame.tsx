import { Send } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PendingRecording } from '../../../contract/pending-recordings.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import type { Notice } from './correction.ts'
import { dropCorrection } from './correction-drafts.ts'
import { PendingSummary, pendingTitle } from './RecordingSummary.tsx'

type Props = {
  pending: PendingRecording
  notice: Notice | null
  isBusy: boolean
  onSend: () => void
  onClose: () => void
  /** What may be corrected. */
  children: ReactNode
}

/** The act told right and sent again. Escape keeps what was typed, 'Cancelar' does not. */
export function CorrectionFrame({ pending, notice, isBusy, onSend, onClose, children }: Props) {
  const { motivo, situacao } = pending
  const isUncertain = situacao === 'incerto'
  const cancel = () => {
    dropCorrection(pending.id)
    onClose()
  }
  return (
    <Dialog
      title="Corrigir e reenviar"
      isOpen
      onClose={onClose}
      width="md"
      error={notice && <Alert kind={notice.kind}>{notice.text}</Alert>}
      actions={
        <>
          <Button size="lg" onPress={cancel}>
            Cancelar
          </Button>
          <Button
            variant="primary"
            icon={<Send {...icon.md} />}
            busy={isBusy}
            busyText="Reenviando..."
            onPress={onSend}
          >
            Reenviar
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-2">
        <p className="text-lg font-semibold">{pendingTitle(pending)}</p>
        <PendingSummary pending={pending} />
        {motivo && <p className={`font-medium ${isUncertain ? 'text-warn-ink' : 'text-bad-ink'}`}>{motivo}</p>}
      </div>
      {isUncertain && (
        <Alert kind="warning">
          Confira antes no ERP: se ele já tem este apontamento, reenviar conta as peças duas vezes.
        </Alert>
      )}
      {children}
    </Dialog>
  )
}
