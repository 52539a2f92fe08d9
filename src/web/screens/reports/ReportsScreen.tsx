import type { ComponentType } from 'react'
import { useTab } from '../../parts/useAddress.ts'
import { PageHeading } from '../../ui/Page.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { ProductionPanel } from './ProductionPanel.tsx'
import { ScrapPanel } from './ScrapPanel.tsx'

/** A screen knows no other: the route brings the panel of what was made with something. */
type Props = { TracePanel: ComponentType }

export function ReportsScreen({ TracePanel }: Props) {
  const tabs = [
    { key: 'producao', title: 'Produção', panel: () => <ProductionPanel /> },
    { key: 'rastreabilidade', title: 'Rastreabilidade', panel: () => <TracePanel /> },
    { key: 'refugo', title: 'Refugo', panel: () => <ScrapPanel /> },
  ] as const
  return (
    <>
      <PageHeading title="Relatórios" subtitle="Produção, rastreabilidade e refugo" />
      <Tabs label="Relatórios" tabs={tabs} {...useTab('producao', 'rastreabilidade', 'refugo')} />
    </>
  )
}
