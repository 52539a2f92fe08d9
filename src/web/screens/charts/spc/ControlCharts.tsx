import { useLayoutEffect, useRef } from 'react'
import type { SeriesPoint } from '../../../../contract/spc.ts'
import { ChartDrawing } from '../../../parts/charts/ChartDrawing.tsx'
import { columnsOf, drawingOf, nearestPoint, SLOT_PX_MIN, signsOf } from '../../../parts/spc/drawing.ts'
import { PX_OF_REM, useWidth } from '../../../parts/useWidth.ts'
import { Card } from '../../../ui/Page.tsx'
import type { OneChart, Shown } from './series.ts'

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
      <div ref={frame} className="flex flex-col gap-4">
        {width > 0 &&
          shown.charts.map((one, at) => (
            <Chart
              key={one.title}
              {...{ one, width, fontPx, tips }}
              heightRem={HEIGHT_REM[at] ?? 14}
              onChoose={choose}
            />
          ))}
        {width > 0 && <ChartDrawing {...signsOf({ width, fontPx })} label="Legenda dos sinais dos gráficos" />}
        {shown.marks.length > 0 && (
          <ul aria-label="Mudanças" className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-muted">
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
