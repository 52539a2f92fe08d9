import { Filter } from 'lucide-react'
import { useState } from 'react'
import { useAddress } from '../../parts/useAddress.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { PageHeading } from '../../ui/Page.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { ChartsPanel } from './ChartsPanel.tsx'
import { useChoices } from './choices.ts'
import { FilterDialog } from './FilterDialog.tsx'
import { kinds, words } from './kinds.ts'

export function ChartsScreen() {
  const { params, replace } = useAddress()
  const kind = kinds.find((one) => words[one].tab === params.get('aba')) ?? 'applicators'
  const { choices, filter, choose } = useChoices()
  const [isFiltering, setFiltering] = useState(false)
  const { filters, choice } = choices[kind]
  return (
    <>
      <PageHeading
        title="Análise de Gráficos"
        subtitle="Gráficos interativos de crimpagens"
        action={
          <Button variant="primary" icon={<Filter {...icon.md} />} onPress={() => setFiltering(true)}>
            Selecionar Filtros
          </Button>
        }
      />
      <Tabs
        label="Análise de gráficos"
        selected={kind}
        onSelect={(key) => replace({ aba: key === 'applicators' ? null : words[key].tab })}
        tabs={kinds.map((key) => ({
          key,
          title: words[key].title,
          panel: () => <ChartsPanel kind={key} choice={choices[key].choice} />,
        }))}
      />
      {isFiltering && (
        <FilterDialog
          kind={kind}
          filters={filters}
          chosen={choice?.name ?? null}
          onFilter={(changed) => filter(kind, changed)}
          onChoose={(name) => {
            choose(kind, name)
            setFiltering(false)
          }}
          onClose={() => setFiltering(false)}
        />
      )}
    </>
  )
}
