import { useRef } from 'react'
import type { HourlyPieces } from '../../../contract/equipment.ts'
import { useWidth } from '../useWidth.ts'
import { ChartDrawing } from './ChartDrawing.tsx'
import { hourBars, hourBarsText } from './hour-bars.ts'

/** In less room the bars of a shift run into one. */
const WIDTH_MIN = 48

/** As wide as the room it is given: says "slower than yesterday" without a plan of the ERP. */
export function HourBars({ hours, height }: { hours: HourlyPieces; height: number }) {
  const frame = useRef<HTMLDivElement>(null)
  const { width } = useWidth(frame)
  return (
    <div ref={frame} className="min-w-0 flex-1 overflow-hidden" style={{ height }}>
      {width >= WIDTH_MIN && (
        <ChartDrawing shapes={hourBars(hours, width, height)} size={{ width, height }} label={hourBarsText(hours)} />
      )}
    </div>
  )
}
