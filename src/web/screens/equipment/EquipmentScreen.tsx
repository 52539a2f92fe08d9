import { useNavigate } from '@tanstack/react-router'
import { Filter, Gauge, MonitorPlay } from 'lucide-react'
import { useRef, useState } from 'react'
import type { EquipmentList } from '../../../contract/equipment.ts'
import type { EquipmentState } from '../../../domain/equipment.ts'
import { formatRecentInstant } from '../../app/format.ts'
import { links } from '../../app/links.ts'
import { changePreferences, usePreferences } from '../../device/preferences.ts'
import { useSettings } from '../../parts/settings.ts'
import { useFilterKey } from '../../parts/useFilterKey.ts'
import { errorText } from '../../server/api.ts'
import { Alert, RetryAlert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { EmptyState, PageHeading } from '../../ui/Page.tsx'
import { RadioChoice } from '../../ui/RadioChoice.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { EquipmentCards } from './EquipmentCards.tsx'
import { EquipmentTable } from './EquipmentTable.tsx'
import { countStates, type ShownEquipment, shiftText, useEquipment, useNow, usePlant, withStates } from './equipment.ts'
import { equipmentStates, stateLooks } from './StateBadge.tsx'

export function EquipmentScreen() {
  const { plants, plant, choose } = usePlant()
  const { data, error, isFetching, dataUpdatedAt, refetch } = useEquipment(plant)
  const { timeZone } = useSettings()
  const navigate = useNavigate()
  const openBoard = () =>
    void navigate({
      href: plant === plants[0]?.code ? links.equipmentBoard : `${links.equipmentBoard}?filial=${plant}`,
    })
  return (
    <>
      <PageHeading
        title="Monitoramento de equipamentos"
        subtitle={data ? `${shiftText(data.turno, timeZone)} · pelo que foi apontado` : 'Pelo que foi apontado'}
        action={
          <Button variant="primary" icon={<MonitorPlay {...icon.md} />} onPress={openBoard}>
            Abrir painel
          </Button>
        }
      />
      {plants.length > 1 && (
        <div className="max-w-80">
          <SelectField
            label="Filial"
            options={plants.map(({ code }) => code)}
            textOf={(code) => plants.find((one) => one.code === code)?.label ?? code}
            value={plant}
            onChange={choose}
          />
        </div>
      )}
      {error && (
        <RetryAlert isRetrying={isFetching} onRetry={refetch}>
          {errorText(error)}
          {data &&
            ` Mostrando o que foi lido em ${formatRecentInstant(new Date(dataUpdatedAt).toISOString(), timeZone)}.`}
        </RetryAlert>
      )}
      {!data && !error && <Spinner>Carregando máquinas...</Spinner>}
      {data && <Machines list={data} />}
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

function Machines({ list }: { list: EquipmentList }) {
  const { timeZone } = useSettings()
  const { equipmentView } = usePreferences()
  const [typed, setTyped] = useState('')
  const [state, setState] = useState<EquipmentState | null>(null)
  const nowMs = useNow()
  const all = withStates(list.equipamentos, nowMs, timeZone)
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
        <FilterBox typed={typed} onType={setTyped} />
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
        <View shown={shown} nowMs={nowMs} />
      )}
    </>
  )
}

function FilterBox({ typed, onType }: { typed: string; onType: (typed: string) => void }) {
  const box = useRef<HTMLInputElement>(null)
  useFilterKey(box)
  return (
    <div className="min-w-60 flex-1 max-md:min-w-full">
      <TextField
        label="Filtrar máquinas"
        placeholder="ID, fabricante ou descrição"
        value={typed}
        onChange={onType}
        maxLength={120}
        autoComplete="off"
        leading={<Filter {...icon.md} />}
        inputRef={box}
      />
    </div>
  )
}

type ChoiceProps = {
  shown: readonly ShownEquipment[]
  chosen: EquipmentState | null
  onChoose: (state: EquipmentState | null) => void
}

/** How many machines there are of each state; pressed, only those are shown. */
function StateChoice({ shown, chosen, onChoose }: ChoiceProps) {
  const counts = countStates(shown)
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Situação</legend>
      {equipmentStates.map((state) => {
        const { text, Icon } = stateLooks[state]
        return (
          <button
            key={state}
            type="button"
            aria-pressed={state === chosen}
            onClick={() => onChoose(state === chosen ? null : state)}
            className="inline-flex min-h-11 items-center gap-2 rounded-full border border-edge bg-surface px-4 font-medium hover:bg-hover aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:font-semibold aria-pressed:text-brand-ink"
          >
            <Icon {...icon.sm} />
            {text} <strong>{counts[state]}</strong>
          </button>
        )
      })}
    </fieldset>
  )
}
