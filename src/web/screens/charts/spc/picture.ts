import { seriesText } from '../../../../domain/reports/spc-names.ts'
import { sheetPng, sheetSize, space, written } from '../../../parts/charts/sheet.ts'
import { drawingOf, signsOf } from '../../../parts/spc/drawing.ts'
import { histogramShapes } from '../../../parts/spc/histogram.ts'
import type { Shown } from './series.ts'

const HISTOGRAM = { ...sheetSize, width: 560, height: 300 }
const heights = [420, 300] as const

/** Both charts below each other under their name and a caption. */
export async function seriesPng({ series, charts, histogram, marks }: Shown, caption: string): Promise<Blob> {
  const signs = signsOf(charts, sheetSize)
  return await sheetPng([
    written(seriesText(series.serie), {}),
    written(caption, { tone: 'muted', fontPx: 16, height: 42 }),
    ...charts.flatMap(({ title, chart }, at) => {
      const size = { ...sheetSize, height: heights[at] ?? 300 }
      return [written(title, { fontPx: 17, height: 32 }), { shapes: drawingOf(chart, size), height: size.height }]
    }),
    space(12),
    { shapes: signs.shapes, height: signs.size.height },
    ...(histogram
      ? [
          written(histogram.title, { fontPx: 17, height: 32 }),
          { shapes: histogramShapes(histogram.histogram, HISTOGRAM), height: HISTOGRAM.height },
        ]
      : []),
    space(12),
    ...marks.map((mark) => written(mark, { tone: 'muted', fontPx: 14, height: 24 })),
  ])
}
