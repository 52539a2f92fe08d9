import { useNavigate } from '@tanstack/react-router'
import { Gauge, MonitorPlay } from 'lucide-react'
import { useState } from 'react'
import type { EquipmentList, ProducedPieces } from '../../../contract/equipment.ts'
import type { EquipmentState } from '../../../domain/tools/equipment.ts'
import { changePreferences, usePreferences } from '../../device/preferences.ts'
import { CallMaintenance } from '../../parts/calls/CallMaintenance.tsx'
import { useCalls } from '../../parts/calls/calls.ts'
import { HourBars } from '../../parts/charts/HourBars.tsx'
import { FilterField } from '../../parts/FilterField.tsx'
import { PlantChoice } from '../../parts/fields/PlantChoice.tsx'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { useNow } from '../../parts/useNow.ts'
import { usePlant } from '../../parts/usePlant.ts'
import { formatCount, formatRecentInstant } from '../../text/format.ts'
import { links } from '../../text/links.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Chips } from '../../ui/Chips.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { EmptyState, PageHeading } from '../../ui/Page.tsx'
import { RadioChoice } from '../../ui/RadioChoice.tsx'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../ui/Table.tsx'
import { openCallsOf, type ShownEquipment, shiftText, useEquipment, useShown } from './equipment.ts'
import { equipmentStates, LastWork, meanText, StateBadge, stateLooks, Tool, WaitingBadge } from './facts.tsx'

type MachinesProps = { plant: string; shown: readonly ShownEquipment[]; nowMs: number }

const EquipmentTable = ({ shown, nowMs }: MachinesProps) => (
  <Table label="Máquinas" heightMax="max-h-none">
    <TableHead>
      <Th sticky>Máquina</Th>
      <Th>Situação</Th>
      <Th>Último apontamento</Th>
      <Th align="right">Hoje</Th>
      <Th align="right">Neste turno</Th>
      <Th>Mini aplicador</Th>
    </TableHead>
    <TableBody>
      {shown.map((one) => (
        <Row key={one.id}>
          <Td sticky>
            <span className="block max-md:mr-auto max-md:text-left md:min-w-28">
              <strong className="code text-lg whitespace-nowrap">{one.id}</strong>
              <span className="block text-sm font-normal wrap-anywhere text-muted">
                {[one.fabricante, one.descricao].filter(Boolean).join(' · ')}
              </span>
              {!one.cadastrada && <span className="block text-sm font-normal text-muted">Fora do cadastro do ERP</span>}
            </span>
          </Td>
          <Td label="Situação">
            <span className="flex flex-col items-start gap-1 max-md:items-end">
              <StateBadge of={one} nowMs={nowMs} />
              <WaitingBadge of={one} />
            </span>
          </Td>
          <Td label="Último">
            <span className="block max-md:text-right md:min-w-36">
              <LastWork of={one} nowMs={nowMs} />
            </span>
          </Td>
          <Td label="Hoje" align="right">
            <Pieces of={one.hoje} />
          </Td>
          <Td label="Neste turno" align="right">
            <Pieces of={one.turno} />
          </Td>
          <Td label="Mini aplicador" isBlank={one.miniaplicador === null}>
            <Tool of={one} />
          </Td>
        </Row>
      ))}
    </TableBody>
  </Table>
)

const Pieces = ({ of: produced }: { of: ProducedPieces }) => (
  <span className="block md:min-w-18">
    <strong className="block text-lg">{formatCount(produced.pecas)}</strong>
    <span className="block text-sm text-muted">{meanText(produced)}</span>
  </span>
)

const EquipmentCards = ({ plant, shown, nowMs }: MachinesProps) => (
  <ul
    aria-label="Máquinas"
    className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] items-stretch gap-4"
  >
    {shown.map((one) => (
      <EquipmentCard key={one.id} plant={plant} of={one} nowMs={nowMs} />
    ))}
  </ul>
)

/** Place of a call from a machine: its last work of today is the one it stands still with. */
const callPlaceOf = ({ id, state, miniaplicador, ultimo }: ShownEquipment) => ({
  machine: id,
  tool: (state !== 'unused' && miniaplicador?.nome) || '',
  order: (state !== 'unused' && ultimo?.ordem) || '',
  barcode: '',
  side: '' as const,
  junction: '',
})

type CardProps = { plant: string; of: ShownEquipment; nowMs: number }

const EquipmentCard = ({ plant, of: one, nowMs }: CardProps) => (
  <li className="@container flex flex-col gap-3 rounded-lg border border-line bg-surface p-4 shadow-card">
    <div className="flex flex-wrap items-center gap-2">
      <h2 className="code mr-auto text-xl font-semibold wrap-anywhere">{one.id}</h2>
      <StateBadge of={one} nowMs={nowMs} />
      <CallMaintenance isInHead branch={plant} place={callPlaceOf(one)} name={one.id} />
      <p className="w-full text-sm wrap-anywhere text-muted">
        {[one.fabricante, one.descricao].filter(Boolean).join(' · ') || 'Sem descrição'}
      </p>
    </div>
    <dl className="grid grid-cols-2 gap-3 rounded-md bg-sunken px-3 py-2">
      <Figure name="Hoje" of={one.hoje} />
      <Figure name="Neste turno" of={one.turno} />
    </dl>
    {one.porHora && one.state !== 'unused' && (
      <div className="flex">
        <HourBars hours={one.porHora} height={40} />
      </div>
    )}
    <LastWork of={one} nowMs={nowMs} />
    <div className="mt-auto flex flex-col items-start gap-3">
      {one.miniaplicador && <Tool of={one} />}
      <WaitingBadge of={one} />
      {!one.cadastrada && <Badge>Fora do cadastro do ERP</Badge>}
    </div>
  </li>
)

const Figure = ({ name, of: produced }: { name: string; of: ProducedPieces }) => (
  <div className="min-w-0">
    <dt className="text-sm font-medium text-muted">{name}</dt>
    <dd>
      <span className="block text-2xl font-semibold">
        {formatCount(produced.pecas)} <span className="text-sm font-normal text-muted">peças</span>
      </span>
      <span className="block text-sm text-muted">{meanText(produced)}</span>
    </dd>
  </div>
)

export function EquipmentScreen() {
  const { plants, plant, choose, hrefOf } = usePlant()
  const reading = useEquipment(plant)
  const { data } = reading
  const { isLoading: areCallsAwaited } = useCalls(plant)
  const { timeZone } = useSettings()
  const navigate = useNavigate()
  const openBoard = () => void navigate({ href: hrefOf(links.equipmentBoard) })
  return (
    <>
      <PageHeading
        title="Monitoramento de equipamentos"
        subtitle={data ? `${shiftText(data.turno, timeZone)} · segundo os apontamentos` : 'Segundo os apontamentos'}
        action={
          <Button variant="primary" icon={<MonitorPlay {...icon.md} />} onPress={openBoard}>
            Abrir painel
          </Button>
        }
      />
      {plants.length > 1 && <PlantChoice value={plant} onChange={choose} />}
      <ReadingState reading={reading} loadingText="Carregando máquinas..." readAt={reading.readAt} />
      {/* their order and height go by who called */}
      {data && !areCallsAwaited && <Machines plant={plant} list={data} />}
    </>
  )
}

/** The ERP's list is read every ten minutes. */
const OLD_MS = 3_600_000

function RegisterNote({ readAt, nowMs }: { readAt: string | null; nowMs: number }) {
  const { timeZone } = useSettings()
  if (readAt === null) {
    return <Alert kind="warning">ERP indisponível. Aparecem só as máquinas com apontamentos nos últimos dias.</Alert>
  }
  if (nowMs - Date.parse(readAt) < OLD_MS) return null
  return (
    <Alert kind="warning">Cadastro de máquinas de {formatRecentInstant(readAt, timeZone)} — ERP indisponível</Alert>
  )
}

function Machines({ plant, list }: { plant: string; list: EquipmentList }) {
  const { equipmentView } = usePreferences()
  const [typed, setTyped] = useState('')
  const [state, setState] = useState<EquipmentState | null>(null)
  const nowMs = useNow()
  const openCalls = openCallsOf(useCalls(plant).data?.chamados)
  const all = useShown(list.equipamentos, { nowMs, openCalls })
  const wanted = typed.trim().toLocaleLowerCase('pt-BR')
  const holds = ({ id, fabricante, descricao }: ShownEquipment) =>
    `${id}\n${fabricante}\n${descricao}`.toLocaleLowerCase('pt-BR').includes(wanted)
  const shown = all.filter((one) => holds(one) && (state === null || one.state === state))
  const View = equipmentView === 'cards' ? EquipmentCards : EquipmentTable
  if (all.length === 0) {
    return (
      <>
        <RegisterNote readAt={list.cadastroLidoEm} nowMs={nowMs} />
        <EmptyState icon={<Gauge {...icon.xl} />}>Nenhuma máquina nesta filial</EmptyState>
      </>
    )
  }
  return (
    <>
      <RegisterNote readAt={list.cadastroLidoEm} nowMs={nowMs} />
      <div className="flex flex-wrap items-end gap-4">
        <div className="min-w-60 flex-1 max-md:min-w-full">
          <FilterField
            label="Filtrar máquinas"
            placeholder="ID, fabricante ou descrição"
            value={typed}
            onChange={setTyped}
            maxLength={120}
          />
        </div>
        <RadioChoice
          label="Mostrar como"
          options={[
            { value: 'cards', label: 'Cartões' },
            { value: 'rows', label: 'Linhas' },
          ]}
          value={equipmentView}
          onChange={(view) => changePreferences({ equipmentView: view })}
        />
      </div>
      <StateChoice shown={all} chosen={state} onChoose={setState} />
      {shown.length === 0 ? (
        <EmptyState>Nenhuma máquina com este filtro</EmptyState>
      ) : (
        <View plant={plant} shown={shown} nowMs={nowMs} />
      )}
    </>
  )
}

type ChoiceProps = {
  shown: readonly ShownEquipment[]
  chosen: EquipmentState | null
  onChoose: (state: EquipmentState | null) => void
}

/** How many machines there are of each state; pressed, only those are shown. */
const StateChoice = ({ shown, chosen, onChoose }: ChoiceProps) => (
  <Chips
    label="Situação"
    isLabelHidden
    options={equipmentStates.map((state) => {
      const { text, Icon } = stateLooks[state]
      const content = (
        <>
          <Icon {...icon.sm} />
          {text} <strong>{shown.filter((one) => one.state === state).length}</strong>
        </>
      )
      return { value: state, text: content }
    })}
    isOn={(state) => state === chosen}
    onPress={(state) => onChoose(state === chosen ? null : state)}
  />
)
