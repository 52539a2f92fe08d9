import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { PhoneOff } from 'lucide-react'
import { useState } from 'react'
import {
  CALLS_LISTED_MAX,
  type CallTotals,
  type ListedTeam,
  listedTeams,
  type MaintenanceCallList,
  maintenanceCalls,
} from '../../../../contract/maintenance-calls.ts'
import { isReversed, type Period } from '../../../../domain/plant/periods.ts'
import { plantDay } from '../../../../domain/plant/plant-time.ts'
import {
  periodText,
  quickChoices,
  quickChoiceTexts,
  quickPeriod,
} from '../../../../domain/reports/production-reports.ts'
import { teamTexts } from '../../../../domain/tools/call-topics.ts'
import { callsFileName, isOpenCall, minutesText } from '../../../../domain/tools/maintenance-calls.ts'
import { PeriodFields } from '../../../parts/fields/PeriodFields.tsx'
import { PlantChoice } from '../../../parts/fields/PlantChoice.tsx'
import { ReadingState } from '../../../parts/ReadingState.tsx'
import { ExportButton } from '../../../parts/ServerFile.tsx'
import { useSettings } from '../../../parts/settings.ts'
import { useNow } from '../../../parts/useNow.ts'
import { usePlant } from '../../../parts/usePlant.ts'
import { callForFile } from '../../../server/api.ts'
import { query } from '../../../server/query.ts'
import { formatCount } from '../../../text/format.ts'
import { icon } from '../../../ui/icon-sizes.ts'
import { EmptyState } from '../../../ui/Page.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { OpenCalls } from './OpenCalls.tsx'
import { SettledCalls } from './SettledCalls.tsx'

/** Open calls of a plant, how long calls take there, and the settled ones of a period. */
export function CallsTab() {
  const { plant } = usePlant()
  const { timeZone, callTeams } = useSettings()
  const [team, setTeam] = useState<ListedTeam>('todas')
  const nowMs = useNow()
  const today = plantDay(nowMs, timeZone)
  const [chosen, choose] = useState<Period | null>(null)
  const period = chosen ?? quickPeriod('last7Days', today)
  const request = {
    ...{ filial: plant, inicio: period.start, fim: period.end },
    // a server of the version before has calls for maintenance alone, and no word for them
    ...(callTeams ? { equipe: team } : {}),
  }
  const isWrong = isReversed(period)
  const reading = useQuery({
    ...query(maintenanceCalls.list, { query: request }),
    placeholderData: keepPreviousData,
    enabled: !isWrong,
  })
  return (
    <div className="flex flex-col gap-4">
      <Filters period={period} today={today} onChange={choose} request={request} isWrong={isWrong} onTeam={setTeam} />
      {!isWrong && <ReadingState reading={reading} loadingText="Carregando chamados..." />}
      {!isWrong && reading.data && <Calls list={reading.data} period={period} nowMs={nowMs} />}
    </div>
  )
}

type FiltersProps = {
  period: Period
  today: string
  onChange: (period: Period) => void
  request: { filial: string; inicio: string; fim: string; equipe?: ListedTeam }
  isWrong: boolean
  onTeam: (team: ListedTeam) => void
}

function Filters({ period, today, onChange, request, isWrong, onTeam }: FiltersProps) {
  const { plants, plant, choose } = usePlant()
  const isChosen = ({ start, end }: Period) => start === period.start && end === period.end
  const quick = quickChoices.find((choice) => isChosen(quickPeriod(choice, today))) ?? ''
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(10rem,1fr))] items-start gap-4">
      {plants.length > 1 && (
        <div className="max-md:col-span-full md:col-span-2">
          <PlantChoice value={plant} onChange={choose} />
        </div>
      )}
      {request.equipe && (
        <SelectField
          label="Equipe"
          options={listedTeams}
          textOf={(team) => (team === 'todas' ? 'Todas' : teamTexts[team])}
          value={request.equipe}
          onChange={(team) => team !== '' && onTeam(team)}
        />
      )}
      <SelectField
        label="Período"
        placeholder="Outro"
        options={quickChoices}
        textOf={(choice) => quickChoiceTexts[choice]}
        value={quick}
        onChange={(choice) => choice !== '' && onChange(quickPeriod(choice, today))}
      />
      <PeriodFields period={period} onChange={onChange} />
      <div className="max-md:col-span-full md:pt-6 *:w-full">
        <ExportButton
          size="lg"
          ask={() => callForFile(maintenanceCalls.csv, { query: request })}
          nameOf={() => callsFileName(request.inicio, request.fim)}
          isDisabled={isWrong}
        />
      </div>
    </div>
  )
}

type CallsProps = { list: MaintenanceCallList; period: Period; nowMs: number }

function Calls({ list: { chamados, totais }, period, nowMs }: CallsProps) {
  const open = chamados.filter(isOpenCall)
  const settled = chamados.filter((call) => !isOpenCall(call))
  return (
    <>
      {open.length === 0 ? (
        <EmptyState icon={<PhoneOff {...icon.xl} />}>Nenhum chamado aberto</EmptyState>
      ) : (
        <OpenCalls calls={open} nowMs={nowMs} />
      )}
      <section aria-label="Período" className="flex flex-col gap-3">
        <h2 className="text-lg font-semibold">Chamados de {periodText(period)}</h2>
        <Totals of={totais} />
        {settled.length > 0 && <SettledCalls calls={settled} />}
        {settled.length >= CALLS_LISTED_MAX && (
          <p className="text-sm text-muted">
            Mostrando os {formatCount(CALLS_LISTED_MAX)} mais novos. O CSV e os tempos são de todos.
          </p>
        )}
      </section>
    </>
  )
}

const orNone = (min: number | null) => (min === null ? '–' : minutesText(min))

function Totals({ of: { chamados, abertos, mttaMin, mttrMin, paradoMin } }: { of: CallTotals }) {
  const figures = {
    'Tempo até atender (MTTA)': orNone(mttaMin),
    'Tempo de reparo (MTTR)': orNone(mttrMin),
    Parado: orNone(paradoMin),
    'Abertos no período': formatCount(chamados),
    'Ainda em aberto': formatCount(abertos),
  }
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(10rem,1fr))] gap-3 rounded-lg border border-line bg-surface p-4 shadow-card">
      {Object.entries(figures).map(([name, text]) => (
        <div key={name} className="min-w-0">
          <dt className="text-sm font-medium text-muted">{name}</dt>
          <dd className="text-2xl font-semibold">{text}</dd>
        </div>
      ))}
    </dl>
  )
}
