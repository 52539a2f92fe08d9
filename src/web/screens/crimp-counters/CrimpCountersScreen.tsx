import { useRouter, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type Key, Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { formatCount } from '../../format.ts'
import { PageHeading } from '../../ui/Page.tsx'
import { useCounters, useHistory } from './counters.ts'
import { useFilter } from './filters.ts'
import { entriesOf, HistoryTab } from './HistoryTab.tsx'
import { LimitTab } from './LimitTab.tsx'
import { useLimitEdits } from './limit-edits.ts'
import { useScheduling } from './scheduling.ts'
import { WaitingTab } from './WaitingTab.tsx'

const tabs = ['limite', 'agendamento', 'historico'] as const
type TabKey = (typeof tabs)[number]

/** In the address, so that a reload or a sent link shows the same. */
function useTab() {
  const router = useRouter()
  const asked = useRouterState({ select: ({ location }) => new URLSearchParams(location.searchStr).get('aba') })
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const tab: TabKey = tabs.find((key) => key === asked) ?? 'limite'
  return { tab, change: (key: Key) => router.history.replace(`${path}?aba=${key}`) }
}

export function CrimpCountersScreen() {
  const { tab, change } = useTab()
  const filters = { control: useFilter(), waiting: useFilter(), history: useFilter() }
  const control = useCounters(filters.control.applied)
  const waiting = useCounters(filters.waiting.applied)
  const history = useHistory()
  const [selectedEntry, selectEntry] = useState<number | null>(null)
  const scheduling = useScheduling({
    units: waiting.list.maintenancePreSchedule,
    isRead: waiting.isCurrent,
    isWhole: waiting.isCurrent && filters.waiting.applied === '',
  })
  const limits = useLimitEdits(scheduling.follow)
  const entries = entriesOf(history.entries, filters.history)
  const counts: Record<TabKey, number | null> = {
    limite: control.isFirst ? null : control.list.controlTableCount,
    agendamento: waiting.isFirst ? null : waiting.list.maintenancePreScheduleCount,
    historico: history.isFirst ? null : entries.length,
  }
  return (
    <>
      <PageHeading title="Controle de Crimpagens" subtitle="Limites, manutenção e histórico dos mini aplicadores" />
      <Tabs selectedKey={tab} onSelectionChange={change} className="flex flex-col gap-4">
        <TabList aria-label="Controle de crimpagens" className="flex gap-1 border-b border-line">
          <CountedTab id="limite" count={counts.limite}>
            Limite de crimpagens
          </CountedTab>
          <CountedTab id="agendamento" count={counts.agendamento}>
            Aguardando agendamento
          </CountedTab>
          <CountedTab id="historico" count={counts.historico}>
            Histórico de alterações
          </CountedTab>
        </TabList>
        <Panel id="limite">
          <LimitTab reading={control} filter={filters.control} limits={limits} />
        </Panel>
        <Panel id="agendamento">
          <WaitingTab reading={waiting} filter={filters.waiting} scheduling={scheduling} />
        </Panel>
        <Panel id="historico">
          <HistoryTab
            reading={history}
            entries={entries}
            filter={filters.history}
            selected={selectedEntry}
            onSelect={selectEntry}
          />
        </Panel>
      </Tabs>
    </>
  )
}

type CountedTabProps = { id: TabKey; count: number | null; children: string }

const CountedTab = ({ id, count, children }: CountedTabProps) => (
  <Tab
    id={id}
    className="flex min-h-12 cursor-pointer items-center rounded-t-md border-b-3 border-transparent px-4 py-2 text-center font-semibold text-muted outline-none data-focus-visible:outline-3 data-focus-visible:-outline-offset-3 data-focus-visible:outline-focus data-hovered:bg-hover data-selected:border-brand data-selected:text-brand-ink max-md:flex-1 max-md:justify-center max-md:px-1 max-md:text-sm"
  >
    {children} ({count === null ? '…' : formatCount(count)})
  </Tab>
)

const Panel = ({ id, children }: { id: TabKey; children: ReactNode }) => (
  <TabPanel id={id} className="outline-none">
    {children}
  </TabPanel>
)
