import type { ComponentType } from 'react'
import { useKnowsContainments } from '../../parts/containments/contained.ts'
import { useTab } from '../../parts/useAddress.ts'
import { PageHeading } from '../../ui/Page.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { ContainmentsPanel } from './ContainmentsPanel.tsx'
import { ProductionPanel } from './ProductionPanel.tsx'
import { ScrapPanel } from './ScrapPanel.tsx'

/** A screen knows no other: the route brings the panel of what was made with something. */
type Props = { TracePanel: ComponentType }

export function ReportsScreen({ TracePanel }: Props) {
  const knowsContainments = useKnowsContainments()
  const tabs = [
    { key: 'producao', title: 'Produção', panel: () => <ProductionPanel /> },
    { key: 'rastreabilidade', title: 'Rastreabilidade', panel: () => <TracePanel /> },
    { key: 'refugo', title: 'Refugo', panel: () => <ScrapPanel /> },
    ...(knowsContainments
      ? [{ key: 'contencoes', title: 'Contenções', panel: () => <ContainmentsPanel /> } as const]
      : []),
  ] as const
  return (
    <>
      <PageHeading title="Relatórios" subtitle="Produção, rastreabilidade, refugo e contenções" />
      <Tabs label="Relatórios" tabs={tabs} {...useTab('producao', 'rastreabilidade', 'refugo', 'contencoes')} />
    </>
  )
}
