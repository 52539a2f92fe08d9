import { useQuery } from '@tanstack/react-query'
import { IdCard } from 'lucide-react'
import { useState } from 'react'
import { type Station, stations } from '../../../contract/stations.ts'
import { formatInstant } from '../../app/format.ts'
import { usePreferences } from '../../device/preferences.ts'
import { callConfirmed } from '../../parts/PasswordConfirmation.tsx'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { query } from '../../server/query.ts'
import { useSave } from '../../server/save.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Section } from '../../ui/Page.tsx'

const changes = [stations.list, stations.current]

/** Where badge and PIN hold, for administrators. */
export function Stations() {
  const reading = useQuery(query(stations.list, {}))
  const list = reading.data ?? []
  const [removing, setRemoving] = useState<Station | null>(null)
  const { deviceName } = usePreferences()
  const { save, isBusy, failure } = useSave({
    send: () => callConfirmed(stations.enrol, { body: { name: deviceName } }),
    changes,
    toast: 'Este dispositivo agora é uma estação compartilhada.',
  })
  return (
    <Section title="Estações compartilhadas" icon={<IdCard {...icon.md} />}>
      <div className="flex flex-col gap-4">
        <p className="text-sm text-muted">Nelas, e só nelas, o operador troca lendo o crachá e digitando o PIN.</p>
        <ReadingState reading={reading} loadingText="Carregando as estações..." />
        <ul aria-label="Estações compartilhadas" className="flex flex-col divide-y divide-line empty:hidden">
          {list.map((station) => (
            <Row key={station.id} station={station} onRemove={() => setRemoving(station)} />
          ))}
        </ul>
        {failure && <Alert>{failure}</Alert>}
        {reading.data && !list.some(({ isCurrent }) => isCurrent) && (
          <div className="flex flex-col items-start gap-2">
            <Button
              variant="primary"
              isDisabled={deviceName === ''}
              busy={isBusy}
              busyText="Salvando..."
              onPress={() => save()}
            >
              Usar como estação
            </Button>
            {deviceName === '' && <p className="text-sm text-muted">Dê antes um nome a este dispositivo.</p>}
          </div>
        )}
      </div>
      {removing && <RemoveDialog station={removing} onClose={() => setRemoving(null)} />}
    </Section>
  )
}

function Row({ station, onRemove }: { station: Station; onRemove: () => void }) {
  const { timeZone } = useSettings()
  const { name, enrolledBy, enrolledAt, isCurrent } = station
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-2">
      <span className="min-w-0 wrap-anywhere">
        <span className="font-semibold">{name}</span>
        {isCurrent && ' (este dispositivo)'}
        <span className="block text-sm text-muted">
          {enrolledBy}, {formatInstant(enrolledAt, timeZone)}
        </span>
      </span>
      <Button aria-label={`Retirar a estação ${name}`} onPress={onRemove}>
        Retirar
      </Button>
    </li>
  )
}

function RemoveDialog({ station: { id, name }, onClose }: { station: Station; onClose: () => void }) {
  const { save, isBusy, failure } = useSave({
    send: () => callConfirmed(stations.remove, { params: { id } }),
    changes,
    toast: `${name} não é mais uma estação compartilhada.`,
    onSaved: onClose,
  })
  return (
    <ConfirmDialog
      title="Retirar a estação?"
      kind="warning"
      confirmText="Retirar"
      busyText="Retirando..."
      isBusy={isBusy}
      error={failure}
      onConfirm={() => save()}
      onClose={onClose}
    >
      <p className="wrap-anywhere">
        Em {name} o crachá deixa de valer. Quem entrou nela com crachá sai na hora; o que ela ainda tem para enviar
        dessa pessoa fica retido em Pendências.
      </p>
    </ConfirmDialog>
  )
}
