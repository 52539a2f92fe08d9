import { useQuery } from '@tanstack/react-query'
import { IdCard, MonitorPlay } from 'lucide-react'
import { useState } from 'react'
import { type Station, type StationKind, stations } from '../../../contract/stations.ts'
import { usePreferences } from '../../device/preferences.ts'
import { callConfirmed } from '../../parts/access/PasswordConfirmation.tsx'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { query } from '../../server/query.ts'
import { useSave } from '../../server/save.ts'
import { formatInstant } from '../../text/format.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Section } from '../../ui/Page.tsx'

const changes = [stations.list, stations.current]

const texts = {
  shared: {
    title: 'Estações compartilhadas',
    Icon: IdCard,
    meaning: 'Nelas, e só nelas, o operador troca lendo o crachá e digitando o PIN.',
    enrol: 'Usar como estação',
    enrolled: 'Este dispositivo agora é uma estação compartilhada.',
    removeName: 'Retirar a estação',
    question: 'Retirar a estação?',
    warning: (name: string) =>
      `Em ${name} o crachá deixa de valer. Quem entrou nela com crachá sai na hora; o que ela ainda tem para enviar dessa pessoa fica retido em Pendências.`,
    removed: (name: string) => `${name} não é mais uma estação compartilhada.`,
  },
  board: {
    title: 'Quadros',
    Icon: MonitorPlay,
    meaning:
      'Telas na parede: quem tem o perfil Consulta entra nelas uma vez e o painel de equipamentos fica aberto por 30 dias, sem mostrar mais nada.',
    enrol: 'Usar como quadro',
    enrolled: 'Este dispositivo agora é um quadro. Saia e entre com um usuário de perfil Consulta.',
    removeName: 'Retirar o quadro',
    question: 'Retirar o quadro?',
    warning: (name: string) =>
      `${name} sai do painel na hora, e nele o perfil Consulta volta a entrar como nos outros dispositivos.`,
    removed: (name: string) => `${name} não é mais um quadro.`,
  },
} satisfies Record<StationKind, object>

/** Devices that stand for something, for administrators: where badge and PIN hold, or a board on a wall. */
export function Stations({ kind }: { kind: StationKind }) {
  const { title, Icon, meaning, enrol, enrolled } = texts[kind]
  const reading = useQuery(query(stations.list, {}))
  // a server of the version before knows one kind
  const list = (reading.data ?? []).filter((station) => (station.kind ?? 'shared') === kind)
  const [removing, setRemoving] = useState<Station | null>(null)
  const { deviceName } = usePreferences()
  const { save, isBusy, failure } = useSave({
    send: () => callConfirmed(stations.enrol, { body: { name: deviceName, ...(kind === 'shared' ? {} : { kind }) } }),
    changes,
    toast: enrolled,
  })
  return (
    <Section title={title} icon={<Icon {...icon.md} />}>
      <div className="flex flex-col gap-4">
        <p className="text-sm text-muted">{meaning}</p>
        <ReadingState reading={reading} loadingText="Carregando a lista..." />
        <ul aria-label={title} className="flex flex-col divide-y divide-line empty:hidden">
          {list.map((station) => (
            <Row key={station.id} station={station} onRemove={() => setRemoving(station)} />
          ))}
        </ul>
        {failure && <Alert>{failure}</Alert>}
        {reading.data && !list.some((station) => station.isCurrent && isSafe(station)) && (
          <div className="flex flex-col items-start gap-2">
            <Button
              variant={kind === 'shared' ? 'primary' : 'secondary'}
              isDisabled={deviceName === ''}
              busy={isBusy}
              busyText="Salvando..."
              onPress={() => save()}
            >
              {list.some(({ isCurrent }) => isCurrent) ? 'Cadastrar de novo' : enrol}
            </Button>
            {deviceName === '' && <p className="text-sm text-muted">Dê antes um nome a este dispositivo.</p>}
          </div>
        )}
      </div>
      {removing && <RemoveDialog station={removing} onClose={() => setRemoving(null)} />}
    </Section>
  )
}

/** A server of the version before does not say. */
const isSafe = ({ hasSecret }: Station): boolean => hasSecret ?? true

function Row({ station, onRemove }: { station: Station; onRemove: () => void }) {
  const { timeZone } = useSettings()
  const { name, enrolledBy, enrolledAt, isCurrent, kind } = station
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-2">
      <span className="min-w-0 wrap-anywhere">
        <span className="font-semibold">{name}</span>
        {isCurrent && ' (este dispositivo)'}
        {!isSafe(station) && (
          <>
            {' '}
            <Badge tone="warn">Cadastrar de novo</Badge>
          </>
        )}
        <span className="block text-sm text-muted">
          {enrolledBy}, {formatInstant(enrolledAt, timeZone)}
        </span>
      </span>
      <Button aria-label={`${texts[kind ?? 'shared'].removeName} ${name}`} onPress={onRemove}>
        Retirar
      </Button>
    </li>
  )
}

function RemoveDialog({ station: { id, name, kind }, onClose }: { station: Station; onClose: () => void }) {
  const { question, warning, removed } = texts[kind ?? 'shared']
  const { save, isBusy, failure } = useSave({
    send: () => callConfirmed(stations.remove, { params: { id } }),
    changes,
    toast: removed(name),
    onSaved: onClose,
  })
  return (
    <ConfirmDialog
      title={question}
      kind="warning"
      confirmText="Retirar"
      busyText="Retirando..."
      isBusy={isBusy}
      error={failure}
      onConfirm={() => save()}
      onClose={onClose}
    >
      <p className="wrap-anywhere">{warning(name)}</p>
    </ConfirmDialog>
  )
}
