import { DeniedNote } from '../../parts/access/DeniedNote.tsx'
import { useMay } from '../../parts/permissions.tsx'
import { useTab } from '../../parts/useAddress.ts'
import { PageHeading } from '../../ui/Page.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { InstrumentsTab } from './InstrumentsTab.tsx'
import { OccurrencesTab } from './occurrences/OccurrencesTab.tsx'
import { PlansTab } from './PlansTab.tsx'
import { ScrapReasonsTab } from './scrap-reasons/ScrapReasonsTab.tsx'

const plans = { key: 'planos', title: 'Planos', panel: () => <PlansTab /> }
const instruments = { key: 'instrumentos', title: 'Instrumentos', panel: () => <InstrumentsTab /> }

const findings = { key: 'ocorrencias', title: 'Ocorrências', panel: () => <OccurrencesTab /> }

const reasons = { key: 'motivos', title: 'Motivos de refugo', panel: () => <ScrapReasonsTab /> }

/** Control plans, instruments, occurrences and reasons of scrap. */
export function ControlPlansScreen() {
  const mayChange = useMay('plans')
  const tab = useTab(plans.key, instruments.key, findings.key, reasons.key)
  return (
    <>
      <PageHeading title="Planos de Controle" subtitle="Limites e amostragem por terminal e bitola" />
      {/* not late as elsewhere: the tabs below would move for it */}
      {!mayChange && <DeniedNote permission="plans" />}
      <Tabs label="Planos de Controle" tabs={[plans, instruments, findings, reasons]} {...tab} />
    </>
  )
}
