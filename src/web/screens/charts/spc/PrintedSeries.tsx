import { seriesText } from '../../../../domain/reports/spc-names.ts'
import { capabilityText, indexText } from '../../../../domain/reports/spc-texts.ts'
import { ChartDrawing } from '../../../parts/charts/ChartDrawing.tsx'
import { PrintSheet, PrintTable } from '../../../parts/PrintSheet.tsx'
import { useSettings } from '../../../parts/settings.ts'
import { drawingOf, signsOf } from '../../../parts/spc/drawing.ts'
import { histogramShapes } from '../../../parts/spc/histogram.ts'
import { formatInstant, formatRecentInstant } from '../../../text/format.ts'
import { potentialText, toleranceText } from './CapabilityCard.tsx'
import { limitsText, type Shown } from './series.ts'

/** Width of A4, less its margins. */
const PRINTED = { width: 690, fontPx: 11 }
const HISTOGRAM = { ...PRINTED, width: 345, height: 170 }
const heights = [240, 170] as const

/** Both charts, what they are capable of and their table, black on white: shapes and words, no colour needed. */
export function PrintedSeries({ shown }: { shown: Shown }) {
  const { timeZone } = useSettings()
  const { series, rows } = shown
  const first = rows[0]?.point.medicao.medidoEm
  const last = rows.at(-1)?.point.medicao.medidoEm
  return (
    <PrintSheet
      title="Controle estatístico"
      facts={[
        ['Série', seriesText(series.serie)],
        ['Período', first && last ? `${formatInstant(first, timeZone)} a ${formatInstant(last, timeZone)}` : ''],
        ['Origem dos limites', limitsText(shown, timeZone)],
        ...capabilityFacts(shown),
      ]}
    >
      {() => <Printed shown={shown} />}
    </PrintSheet>
  )
}

function capabilityFacts({ series: { capacidade }, decimals }: Shown): [string, string][] {
  if (!capacidade) return []
  const { lsl, usl, nota, dentro, total } = capacidade
  const rows = [dentro, total].flatMap((row) => {
    if (!row?.pk) return []
    const figure = `${capabilityText(row, decimals)}, 95%: ${indexText(row.pk.baixo)} a ${indexText(row.pk.alto)}`
    return [[figure, potentialText(row)].filter(Boolean).join('; ')]
  })
  return [
    ['Tolerância', toleranceText(lsl, usl, decimals)],
    ['Capacidade', [...rows, nota].filter(Boolean).join('. ')],
  ]
}

function Printed({ shown: { charts, histogram, marks, rows } }: { shown: Shown }) {
  const { timeZone } = useSettings()
  return (
    <>
      {charts.map(({ title, chart, label }, at) => {
        const size = { ...PRINTED, height: heights[at] ?? 170 }
        return (
          <section key={title}>
            <h2 className="font-semibold">{title}</h2>
            <ChartDrawing shapes={drawingOf(chart, size)} size={size} label={label} />
          </section>
        )
      })}
      <ChartDrawing {...signsOf(charts, PRINTED)} label="Legenda dos sinais dos gráficos" />
      {histogram && (
        <section>
          <h2 className="font-semibold">{histogram.title}</h2>
          <ChartDrawing
            shapes={histogramShapes(histogram.histogram, HISTOGRAM)}
            size={HISTOGRAM}
            label={histogram.label}
          />
        </section>
      )}
      <p className="my-3">{marks.join(' · ')}</p>
      <PrintTable
        columns={['Nº', 'Medida em', 'Leituras', 'Média', 'Amplitude', 'Situação', 'Lote', 'Máquina']}
        rows={rows.map(({ nth, point: { medicao }, readings, mean, range, notes }) => [
          String(nth),
          formatRecentInstant(medicao.medidoEm, timeZone),
          readings,
          mean,
          range,
          notes.map(({ text }) => text).join('; '),
          medicao.lote,
          medicao.maquina,
        ])}
        totals={[`${rows.length} amostras`, '', '', '', '', '', '', '']}
      />
    </>
  )
}
