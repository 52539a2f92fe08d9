import { useQuery } from '@tanstack/react-query'
import { ChartColumn, ChartNoAxesColumn, Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import { periodText } from '../../../domain/charts.ts'
import type { Period } from '../../../domain/periods.ts'
import { Chart } from '../../parts/charts/Chart.tsx'
import { failureText } from '../../parts/failure-text.ts'
import { RetryAlert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { EmptyState } from '../../ui/Page.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import type { Choice } from './choices.ts'
import { contentsOf } from './contents.ts'
import { ExportDialog } from './ExportDialog.tsx'
import { crimpsQuery, type Kind, words } from './kinds.ts'

type Props = { kind: Kind; choice: Choice | null }

export function ChartsPanel({ kind, choice }: Props) {
  const { one, pickHint } = words[kind]
  if (choice) return <ChartsOf kind={kind} choice={choice} />
  return (
    <EmptyState icon={<ChartColumn {...icon.xl} />}>
      <strong className="block text-ink">{pickHint}</strong>
      Use 'Selecionar Filtros' para escolher um {one} e o período.
    </EmptyState>
  )
}

const queryOf = ({ start, end }: Period) => ({
  ...(start === '' ? {} : { inicio: start }),
  ...(end === '' ? {} : { fim: end }),
})

function ChartsOf({ kind, choice }: { kind: Kind; choice: Choice }) {
  const { name } = choice
  const { data, isError, error, isFetching, refetch } = useQuery(crimpsQuery[kind](name, queryOf(choice)))
  const contents = useMemo(() => (data ? contentsOf(data, name, words[kind].partsTitle) : null), [data, name, kind])
  const [isExporting, setExporting] = useState(false)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line bg-surface py-2 pr-2 pl-4 shadow-card">
        <p role="status" className="min-w-0">
          <strong className="code mr-3 text-lg wrap-anywhere">{name}</strong>
          <span className="whitespace-nowrap text-muted">{periodText(choice)}</span>
        </p>
        <Button icon={<Download {...icon.md} />} isDisabled={!contents} onPress={() => setExporting(true)}>
          Exportar
        </Button>
      </div>
      {isError && (
        <RetryAlert isRetrying={isFetching} onRetry={refetch}>
          {failureText(error, 'Não foi possível carregar os gráficos.')}
        </RetryAlert>
      )}
      {!data && !isError && <Spinner>Carregando dados dos gráficos...</Spinner>}
      {data && !contents && (
        <EmptyState icon={<ChartNoAxesColumn {...icon.xl} />}>Nenhuma crimpagem de {name} neste período.</EmptyState>
      )}
      {contents && (
        <div className="grid grid-cols-1 items-start gap-4 2xl:grid-cols-2">
          <Chart content={contents.perMonth} />
          <Chart content={contents.perPart} />
        </div>
      )}
      {contents && isExporting && (
        <ExportDialog contents={contents} name={name} period={periodText(choice)} onClose={() => setExporting(false)} />
      )}
    </div>
  )
}
