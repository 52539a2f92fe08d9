import { useMemo, useState } from 'react'
import { deferred } from '../../device/deferred.ts'
import { latePart } from '../../parts/Late.tsx'
import { useTab } from '../../parts/useAddress.ts'
import { PageHeading } from '../../ui/Page.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { useCallsTab } from './calls/tab.tsx'
import { type Reading, useCounters, useHistory } from './counters.ts'
import { entriesOf, HistoryTab } from './HistoryTab.tsx'
import { LimitTab } from './LimitTab.tsx'
import { useLimitEdits } from './limit-edits.ts'
import { useScheduling } from './scheduling.ts'
import { counted, useFilter } from './table-parts.tsx'
import { WaitingTab } from './WaitingTab.tsx'

const PlanTab = latePart(deferred(async () => (await import('./plan/PlanTab.tsx')).PlanTab))
const plan = {
  key: 'plano',
  title: 'Peças',
  panel: () => <PlanTab />,
} as const

export function CrimpCountersScreen() {
  const tab = useTab('limite', 'agendamento', 'historico', 'chamados', plan.key)
  const calls = useCallsTab()
  const filters = { control: useFilter(), waiting: useFilter(), history: useFilter() }
  const control = useCounters(filters.control.applied)
  const waiting = useCounters(filters.waiting.applied)
  const history = useHistory()
  const [selectedEntry, selectEntry] = useState<number | null>(null)
  const scheduling = useScheduling({
    isShown: tab.selected === 'agendamento',
    units: waiting.list.maintenancePreSchedule,
    isRead: waiting.isCurrent,
    isWhole: waiting.isCurrent && filters.waiting.applied === '',
  })
  const limits = useLimitEdits(scheduling.follow)
  const entries = useMemo(
    () => entriesOf(history.entries, filters.history.applied),
    [history.entries, filters.history.applied],
  )
  return (
    <>
      <PageHeading title="Controle de Crimpagens" subtitle="Limites, manutenção e histórico dos mini aplicadores" />
      <Tabs
        label="Controle de crimpagens"
        {...tab}
        tabs={[
          {
            key: 'limite',
            title: counted('Limite de crimpagens', known(control, control.list.controlTableCount)),
            panel: () => <LimitTab reading={control} filter={filters.control} limits={limits} />,
          },
          {
            key: 'agendamento',
            title: counted('Aguardando agendamento', known(waiting, waiting.list.maintenancePreScheduleCount)),
            panel: () => <WaitingTab reading={waiting} filter={filters.waiting} scheduling={scheduling} />,
          },
          {
            key: 'historico',
            title: counted('Histórico de alterações', known(history, entries.length)),
            panel: () => (
              <HistoryTab
                reading={history}
                entries={entries}
                filter={filters.history}
                selected={selectedEntry}
                onSelect={selectEntry}
              />
            ),
          },
          calls,
          plan,
        ]}
      />
    </>
  )
}

const known = ({ isFirst }: Reading, count: number) => (isFirst ? undefined : count)
