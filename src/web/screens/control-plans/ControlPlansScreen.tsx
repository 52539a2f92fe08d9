import { Denied } from '../../parts/permissions.tsx'
import { useTab } from '../../parts/useAddress.ts'
import { PageHeading } from '../../ui/Page.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { InstrumentsTab } from './InstrumentsTab.tsx'
import { OccurrencesTab } from './occurrences/OccurrencesTab.tsx'
import { PlansTab } from './PlansTab.tsx'

const plans = { key: 'planos', title: 'Planos', panel: () => <PlansTab /> }
const instruments = { key: 'instrumentos', title: 'Instrumentos', panel: () => <InstrumentsTab /> }

const findings = { key: 'ocorrencias', title: 'Ocorrências', panel: () => <OccurrencesTab /> }

/** Control plans, instruments and occurrences of quality. */
export function ControlPlansScreen() {
  const tab = useTab(plans.key, instruments.key, findings.key)
  return (
    <>
      <PageHeading title="Planos de Controle" subtitle="O que se exige de cada terminal e bitola" />
      <Denied permission="plans" />
      <Tabs label="Planos de Controle" tabs={[plans, instruments, findings]} {...tab} />
    </>
  )
}
