import { useLayoutEffect, useRef } from 'react'
import type { SeriesPoint } from '../../../../contract/spc.ts'
import { ChartDrawing } from '../../../parts/charts/ChartDrawing.tsx'
import { columnsOf, drawingOf, nearestPoint, SLOT_PX_MIN, signsOf } from '../../../parts/spc/drawing.ts'
import { histogramShapes } from '../../../parts/spc/histogram.ts'
import { PX_OF_REM, useWidth } from '../../../parts/useWidth.ts'
import { Card } from '../../../ui/Page.tsx'
import type { OneChart, OneHistogram, Shown } from './series.ts'

const HEIGHT_REM = [20, 14] as const

type Props = { shown: Shown; onChoose: (point: SeriesPoint) => void }

/** Both under each other, over the same samples. A press on a point shows its row in the table. */
export function ControlCharts({ shown, onChoose }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const { width, fontPx } = useWidth(frame)
  const tips = shown.rows.map(({ nth, readings, mean, range, notes }) =>
    [`Amostra ${nth}: ${readings}`, `média ${mean}, amplitude ${range}`, ...notes.map(({ text }) => text)].join('\n'),
  )
  const choose = (at: number) => {
    const point = shown.series.pontos[at]
    if (point) onChoose(point)
  }
  return (
    <Card>
      <div className="grid gap-x-6 gap-y-4 lg:grid-cols-[minmax(0,1fr)_minmax(14rem,26%)]">
        <div ref={frame} className="flex min-w-0 flex-col gap-4">
          {width > 0 &&
            shown.charts.map((one, at) => (
              <Chart
                key={one.title}
                {...{ one, width, fontPx, tips }}
                heightRem={HEIGHT_REM[at] ?? 14}
                onChoose={choose}
              />
            ))}
          {width > 0 && (
            <ChartDrawing {...signsOf(shown.charts, { width, fontPx })} label="Legenda dos sinais dos gráficos" />
          )}
        </div>
        {shown.histogram && <Readings one={shown.histogram} />}
        {shown.marks.length > 0 && (
          <ul aria-label="Mudanças" className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-muted lg:col-span-2">
            {shown.marks.map((text) => (
              <li key={text} className="wrap-anywhere">
                {text}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}

/** Single readings beside the means, as high as their chart: whether they fit into the tolerance. */
function Readings({ one: { title, histogram, label } }: { one: OneHistogram }) {
  const frame = useRef<HTMLElement>(null)
  const { width, fontPx } = useWidth(frame)
  const size = { width, height: (HEIGHT_REM[0] * fontPx) / PX_OF_REM, fontPx }
  return (
    <section ref={frame} aria-label={title} className="flex min-w-0 flex-col gap-1 overflow-hidden">
      <h3 className="font-semibold">{title}</h3>
      {width > 0 && <ChartDrawing shapes={histogramShapes(histogram, size)} size={size} label={label} />}
    </section>
  )
}

type ChartProps = {
  one: OneChart
  tips: readonly string[]
  width: number
  fontPx: number
  heightRem: number
  onChoose: (at: number) => void
}

function Chart({ one: { title, chart, label }, tips, width, fontPx, heightRem, onChoose }: ChartProps) {
  const scroller = useRef<HTMLElement>(null)
  const drawnWidth = Math.max(width, chart.points.length * SLOT_PX_MIN)
  const size = { width: drawnWidth, height: (heightRem * fontPx) / PX_OF_REM, fontPx }
  // the newest are at the right end
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollLeft = drawnWidth
  }, [drawnWidth])
  return (
    <section
      ref={scroller}
      aria-label={title}
      tabIndex={drawnWidth > width ? 0 : undefined}
      className="flex flex-col gap-1 overflow-x-auto"
    >
      <h3 className="sticky left-0 font-semibold">{title}</h3>
      <ChartDrawing
        shapes={drawingOf(chart, size)}
        size={size}
        label={label}
        tips={columnsOf(chart, size).map((column, at) => ({ ...column, text: tips[at] ?? '' }))}
        onPress={(x) => onChoose(nearestPoint(chart, size, x))}
      />
    </section>
  )
}
