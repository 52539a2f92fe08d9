import { Send } from 'lucide-react'
import type { PendingRecording } from '../../../contract/pending-recordings.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { useResend } from './pending-actions.ts'

/** What was refused in the same words, where there is more than one of it: mostly one cause, which may be gone. */
function alike(pending: readonly PendingRecording[]): [reason: string, recordings: PendingRecording[]][] {
  const refused = pending.filter(({ situacao, podeReenviar }) => situacao === 'recusado' && podeReenviar)
  const reasons = [...new Set(refused.flatMap(({ motivo }) => motivo ?? []))]
  return reasons
    .map((reason): [string, PendingRecording[]] => [reason, refused.filter(({ motivo }) => motivo === reason)])
    .filter(([, { length }]) => length > 1)
}

export function ResendAll({ pending }: { pending: readonly PendingRecording[] }) {
  const { resend, isBusy } = useResend()
  return alike(pending).map(([reason, recordings]) => (
    <div key={reason} className="mb-4 flex flex-wrap items-center justify-between gap-3 rounded-lg bg-sunken px-4 py-2">
      <p className="min-w-0 flex-1 basis-60 break-words">
        <strong>{recordings.length} apontamentos</strong> com o mesmo motivo: {reason}
      </p>
      <Button
        icon={<Send {...icon.md} />}
        busy={isBusy}
        busyText="Reenviando..."
        onPress={() => resend(recordings)}
        aria-label={`Reenviar todos: ${reason}`}
      >
        Reenviar todos
      </Button>
    </div>
  ))
}
