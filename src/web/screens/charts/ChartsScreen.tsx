import { useQuery } from '@tanstack/react-query'
import { ChartColumn, ChartNoAxesColumn, Download, FileSpreadsheet, Filter, Image } from 'lucide-react'
import { useMemo, useState } from 'react'
import { plantDay } from '../../../domain/plant/plant-time.ts'
import { chartCsv, chartFileName, periodText } from '../../../domain/reports/charts.ts'
import { forecastText } from '../../../domain/tools/tool-life.ts'
import { serverNow } from '../../device/clock.ts'
import { logFailure } from '../../device/log.ts'
import { Chart } from '../../parts/charts/Chart.tsx'
import { chartsPng } from '../../parts/charts/picture.ts'
import { failureText } from '../../parts/Failure.tsx'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { useTab } from '../../parts/useAddress.ts'
import { exportFile } from '../../server/export-file.ts'
import { formatCount } from '../../text/format.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { EmptyState, PageHeading } from '../../ui/Page.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { type Contents, contentsOf, joined } from './contents.ts'
import { FilterDialog } from './FilterDialog.tsx'
import { type Choice, type CrimpsOfItem, crimpsQuery, type Kind, kinds, useChoices, type Worn, words } from './kinds.ts'
import { periodQuery } from './PeriodBoxes.tsx'
import { SpcTab } from './spc/SpcTab.tsx'

type ExportDialogProps = { contents: Contents; name: string; period: string; onClose: () => void }

function ExportDialog({ contents, name, period, onClose }: ExportDialogProps) {
  const { timeZone } = useSettings()
  const [isDrawing, setDrawing] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const save = (content: Blob, extension: 'csv' | 'png') => {
    const fileName = chartFileName(`crimpagens_${name}`, plantDay(serverNow(), timeZone), extension)
    exportFile(content, fileName, 'grafico_crimpagens')
    onClose()
  }
  const saveNumbers = () => save(new Blob([chartCsv(joined(contents))], { type: 'text/csv;charset=utf-8' }), 'csv')
  const savePicture = async () => {
    setDrawing(true)
    setFailed(false)
    try {
      save(await chartsPng([contents.perMonth, contents.perPart], period), 'png')
    } catch (error) {
      logFailure('Imagem dos gráficos', error)
      setFailed(true)
    } finally {
      setDrawing(false)
    }
  }
  return (
    <Dialog title="Exportar" onClose={onClose} isBusy={isDrawing}>
      <p>
        <strong className="code">{name}</strong> <span className="text-muted">{period}</span>
      </p>
      {hasFailed && <Alert>A imagem não pôde ser criada. Exporte os números.</Alert>}
      <Button
        wide
        size="lg"
        icon={<Image {...icon.md} />}
        busy={isDrawing}
        busyText="Criando a imagem..."
        onPress={() => void savePicture()}
      >
        Imagem dos dois gráficos (PNG)
      </Button>
      <Button wide size="lg" icon={<FileSpreadsheet {...icon.md} />} isDisabled={isDrawing} onPress={saveNumbers}>
        Números para planilha (CSV)
      </Button>
    </Dialog>
  )
}

type Props = { kind: Kind; choice: Choice | null; worn: Worn | null | undefined }

function ChartsPanel({ kind, choice, worn }: Props) {
  const { one, pickHint } = words[kind]
  if (choice) return <ChartsOf kind={kind} choice={choice} worn={worn} />
  if (worn === undefined) return <Spinner>Carregando dados dos gráficos...</Spinner>
  return (
    <EmptyState icon={<ChartColumn {...icon.xl} />}>
      <strong className="block text-ink">{pickHint}</strong>
      Use 'Selecionar Filtros' para escolher um {one} e o período.
    </EmptyState>
  )
}

/** 'Limite 100.000 · Previsto: qui 26/11 (3 dias)'; before that is known, and where there is none, its line is empty. */
const WearText = ({ wear }: { wear: CrimpsOfItem['wear'] }) => (
  <p className="min-h-5 text-sm text-muted">
    {wear && wear.limit !== null && (
      <>
        Limite {formatCount(wear.limit)}
        {wear.forecast && ` · ${forecastText(wear.forecast)}`}
      </>
    )}
  </p>
)

function ChartsOf({ kind, choice, worn }: Omit<Props, 'choice'> & { choice: Choice }) {
  const { name } = choice
  const reading = useQuery(crimpsQuery[kind](name, periodQuery(choice)))
  const { data } = reading
  const contents = useMemo(() => (data ? contentsOf(data, name, words[kind].partsTitle) : null), [data, name, kind])
  const [isExporting, setExporting] = useState(false)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line bg-surface py-2 pr-2 pl-4 shadow-card">
        <div className="min-w-0">
          <p role="status">
            <strong className="code mr-3 text-lg wrap-anywhere">{name}</strong>
            <span className="inline-block text-muted">{periodText(choice)}</span>
            {worn && <span className="text-muted"> · o mais gasto: {formatCount(worn.usoPercentual)}% do limite</span>}
          </p>
          {kind === 'mini-aplicadores' && <WearText wear={data?.wear} />}
        </div>
        <Button icon={<Download {...icon.md} />} isDisabled={!contents} onPress={() => setExporting(true)}>
          Exportar
        </Button>
      </div>
      <ReadingState
        reading={reading}
        loadingText="Carregando dados dos gráficos..."
        failureOf={(error) => failureText(error, 'Não foi possível carregar os gráficos.')}
      />
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

export function ChartsScreen() {
  const tab = useTab(...kinds, 'cep')
  const kind = tab.selected === 'cep' ? null : tab.selected
  const { choices, worn, filter, choose } = useChoices()
  const [isFiltering, setFiltering] = useState(false)
  return (
    <>
      <PageHeading
        title="Análise de Gráficos"
        subtitle={kind ? 'Gráficos interativos de crimpagens' : 'Cartas de controle das medições'}
        action={
          kind && (
            <Button variant="primary" icon={<Filter {...icon.md} />} onPress={() => setFiltering(true)}>
              Selecionar Filtros
            </Button>
          )
        }
      />
      <Tabs
        label="Análise de gráficos"
        {...tab}
        tabs={[
          ...kinds.map((key) => ({
            key,
            title: words[key].title,
            panel: () => (
              <ChartsPanel kind={key} choice={choices[key].choice} worn={key === 'mini-aplicadores' ? worn : null} />
            ),
          })),
          {
            key: 'cep' as const,
            title: 'Controle estatístico',
            panel: () => <SpcTab />,
          },
        ]}
      />
      {isFiltering && kind && (
        <FilterDialog
          kind={kind}
          filters={choices[kind].filters}
          chosen={choices[kind].choice?.name ?? null}
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
