import type { ChartContent } from './content.ts'
import { hasLegend, plotLegend, plotOf } from './plot.ts'
import { type Block, sheetPng, sheetSize, space, written } from './sheet.ts'

const size = { ...sheetSize, height: 440 }

/** One picture of these charts, to be saved. `caption` says of what they are: the period. */
export const chartsPng = (contents: readonly ChartContent[], caption: string): Promise<Blob> =>
  sheetPng(contents.flatMap((content, at) => [...(at > 0 ? [space(24)] : []), ...blocksOf(content, caption)]))

function blocksOf(content: ChartContent, caption: string): Block[] {
  const legend = plotLegend(content, sheetSize)
  return [
    written(content.title, {}),
    written(caption, { tone: 'muted', fontPx: 16, height: 42 }),
    { shapes: plotOf(content, size).shapes, height: size.height + 12 },
    ...(hasLegend(content) ? [{ shapes: legend.shapes, height: legend.size.height }] : []),
  ]
}
