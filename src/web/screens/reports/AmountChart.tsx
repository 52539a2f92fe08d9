import { ImageDown } from 'lucide-react'
import { useMemo } from 'react'
import type { Grouping, ProductionReport } from '../../../contract/production-reports.ts'
import {
  type Amount,
  BARS_MAX,
  type Bars,
  barsOf,
  DAY_BARS_MAX,
  groupingNames,
  isOfTime,
  shortLineName,
} from '../../../domain/reports/production-reports.ts'
import { logFailure } from '../../device/log.ts'
import { showToast } from '../../device/toasts.ts'
import { Chart } from '../../parts/charts/Chart.tsx'
import type { ChartContent } from '../../parts/charts/content.ts'
import { chartsPng } from '../../parts/charts/picture.ts'
import { useAddress } from '../../parts/useAddress.ts'
import { exportFile } from '../../server/export-file.ts'
import { formatCount } from '../../text/format.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Card } from '../../ui/Page.tsx'
import { RadioChoice } from '../../ui/RadioChoice.tsx'
import { type ReportFilters, usePlantName } from './filters.ts'

const amounts = [
  { value: 'cortes', label: 'Cortes', unit: 'cortes' },
  { value: 'crimpagens', label: 'Crimpagens', unit: 'crimpagens' },
  { value: 'juncoes', label: 'Junções', unit: 'junções' },
] as const satisfies readonly { value: Amount; label: string; unit: string }[]

/** Asked for in the address, else the first of which there is any. */
function useAmount({ totais }: ProductionReport) {
  const { params, replace } = useAddress()
  const chosen = amounts.find(({ value }) => value === params.get('grafico'))
  const amount = chosen ?? amounts.find(({ value }) => totais[value] > 0) ?? amounts[0]
  return { amount, choose: (value: Amount) => replace({ grafico: value }) }
}

type Props = { report: ProductionReport; filters: ReportFilters; span: { text: string; file: string } }

export function AmountChart({ report, filters: { period, grouping, plant }, span }: Props) {
  const { amount, choose } = useAmount(report)
  const plantName = usePlantName(plant)
  const shown = useMemo(
    () => barsOf(report.linhas, amount.value, grouping, period),
    [report.linhas, amount.value, grouping, period],
  )
  const content = useMemo(
    (): ChartContent => ({
      kind: 'bar',
      isLying: !isOfTime(grouping),
      title: `${amount.label} por ${groupingNames[grouping].toLocaleLowerCase('pt-BR')}`,
      unit: amount.unit,
      categoryName: groupingNames[grouping],
      categories: shown.bars.map(({ name }) => shortLineName(name, grouping)),
      series: [{ name: amount.label, values: shown.bars.map((bar) => bar.amount) }],
    }),
    [amount, grouping, shown],
  )
  const savePicture = async () => {
    try {
      const picture = await chartsPng([content], `${span.text}, ${plantName}`)
      exportFile(picture, `${span.file}.png`, 'grafico_producao')
    } catch (error) {
      logFailure('Imagem do gráfico', error)
      showToast({ kind: 'error', text: 'A imagem não pôde ser salva. Tente novamente.' })
    }
  }
  const rest = restText(shown, amount.unit, grouping)
  const isCut = report.linhasTotal > report.linhas.length
  return (
    <div className="flex min-w-0 flex-col gap-3 max-md:order-first">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <RadioChoice label="Mostrar no gráfico" options={amounts} value={amount.value} onChange={choose} />
        {shown.bars.length > 0 && (
          <Button icon={<ImageDown {...icon.md} />} onPress={() => void savePicture()}>
            Salvar imagem
          </Button>
        )}
      </div>
      {shown.bars.length > 0 ? (
        <Chart content={content} />
      ) : (
        <Card>
          <p className="py-8 text-center text-muted">Não houve {amount.unit} no período.</p>
        </Card>
      )}
      {isCut && <p className="text-sm text-muted">O gráfico é das linhas mostradas.</p>}
      {rest && <p className="text-sm text-muted">{rest}</p>}
    </div>
  )
}

function restText({ restCount, restAmount }: Bars, unit: string, grouping: Grouping): string | null {
  if (restCount === 0) return null
  const sum = `${formatCount(restAmount)} ${unit}`
  return isOfTime(grouping)
    ? `O gráfico mostra os últimos ${DAY_BARS_MAX} ${grouping === 'dia' ? 'dias' : 'turnos'} do período. Antes deles: ${sum}.`
    : `O gráfico mostra os ${BARS_MAX} maiores. Os outros ${formatCount(restCount)} somam ${sum}.`
}
