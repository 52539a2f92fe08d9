import { useQuery } from '@tanstack/react-query'
import { DatabaseBackup } from 'lucide-react'
import { useState } from 'react'
import { type EpochDecision, type EpochState, epochs, type WitnessKind } from '../../../../contract/epochs.ts'
import { health } from '../../../../contract/health.ts'
import { serverNow } from '../../../device/clock.ts'
import { useReason } from '../../../parts/fields/useReason.tsx'
import { useSettings } from '../../../parts/settings.ts'
import { call } from '../../../server/api.ts'
import { query } from '../../../server/query.ts'
import { useSave } from '../../../server/save.ts'
import { formatCount, formatInstant } from '../../../text/format.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { icon } from '../../../ui/icon-sizes.ts'
import { Section } from '../../../ui/Page.tsx'

/** Shorter than the time until somebody may decide. */
const READ_EVERY_MS = 30_000

type Doubt = NonNullable<EpochState['doubt']>

/** When the database began its present life, and what devices miss in it. A server of the version before knows nothing of it. */
export function EpochSection() {
  const { data } = useQuery({ ...query(epochs.get, {}), refetchInterval: READ_EVERY_MS })
  const { timeZone } = useSettings()
  if (!data) return null
  const { begun, doubt } = data
  return (
    <Section
      title="Época do banco"
      icon={<DatabaseBackup {...icon.md} />}
      badge={doubt ? <Badge tone="bad">Algo falta</Badge> : <Badge tone="ok">Nada falta</Badge>}
    >
      <div className="flex flex-col gap-4">
        <p>
          {begun
            ? `Começou em ${formatInstant(begun.at, timeZone)}: ${begun.why}.`
            : 'A primeira: este banco nunca voltou no tempo.'}
        </p>
        {doubt && <DoubtPart doubt={doubt} />}
      </div>
    </Section>
  )
}

const seenTexts: Record<WitnessKind, [one: string, more: string]> = {
  deliveries: ['envio', 'envios'],
  changes: ['mudança', 'mudanças'],
  receipt: ['recibo', 'recibos'],
}

const missingText = ({ kind, count, actId, fullName }: Doubt['missing'][number]): string => {
  const who = fullName || 'Um dispositivo'
  if (actId !== null) return `${who} tem um recibo que este banco não conhece (${actId.slice(0, 8)})`
  const [one, more] = seenTexts[kind]
  return `${who} viu ${formatCount(count ?? 0)} ${count === 1 ? one : more} a mais que este banco`
}

function DoubtPart({ doubt: { since, decideFrom, missing } }: { doubt: Doubt }) {
  const { timeZone } = useSettings()
  const [decision, setDecision] = useState<EpochDecision | null>(null)
  const mayDecide = serverNow() >= Date.parse(decideFrom)
  const momentText = (instant: string) => formatInstant(instant, timeZone)
  return (
    <>
      <p>
        Desde {momentText(since)} um dispositivo diz que falta algo aqui. Cada envio é antes conferido no ERP; ninguém
        precisa parar.
      </p>
      <ul aria-label="O que falta" className="flex flex-col divide-y divide-line">
        {missing.map((one) => (
          <li key={`${one.kind} ${one.actId} ${one.seenAt} ${one.fullName}`} className="py-2 wrap-anywhere">
            {missingText(one)}, {momentText(one.seenAt)}
          </li>
        ))}
      </ul>
      {mayDecide ? (
        <div className="flex flex-wrap gap-3">
          <Button onPress={() => setDecision('comecar')}>Pedir de novo aos tablets</Button>
          <Button onPress={() => setDecision('nada-falta')}>Nada falta</Button>
        </div>
      ) : (
        <p className="text-muted">
          Se um segundo dispositivo disser o mesmo, o painel pede de novo aos tablets sozinho. Senão, decida aqui a
          partir de {momentText(decideFrom)}.
        </p>
      )}
      {decision && <DecisionDialog decision={decision} onClose={() => setDecision(null)} />}
    </>
  )
}

const decisionTexts = {
  comecar: {
    title: 'Pedir de novo aos tablets?',
    text: 'Os tablets oferecem de novo o que guardam. O que o ERP já tem é reconhecido e não conta duas vezes.',
    confirmText: 'Pedir de novo',
  },
  'nada-falta': {
    title: 'Nada falta?',
    text: 'O aviso termina, e o que o dispositivo mostrou não é mais considerado. Só depois de conferir que está aqui.',
    confirmText: 'Nada falta',
  },
} as const satisfies Record<EpochDecision, object>

function DecisionDialog({ decision, onClose }: { decision: EpochDecision; onClose: () => void }) {
  const { field, withReason } = useReason()
  const { title, text, confirmText } = decisionTexts[decision]
  const { save, isBusy, failure } = useSave({
    send: (motivo: string) => call(epochs.decide, { body: { decisao: decision, motivo } }),
    changes: [epochs.get, health.get],
    isDoneWhenShown: true,
    onSaved: onClose,
  })
  return (
    <ConfirmDialog
      title={title}
      kind="warning"
      confirmText={confirmText}
      isBusy={isBusy}
      error={failure}
      onConfirm={() => withReason(save)}
      onClose={onClose}
    >
      <div className="flex flex-col gap-3">
        <p>{text}</p>
        {field}
      </div>
    </ConfirmDialog>
  )
}
