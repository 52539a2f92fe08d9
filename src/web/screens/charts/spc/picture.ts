import { seriesText } from '../../../../domain/reports/spc-names.ts'
import { type Look, readLook } from '../../../parts/charts/look.ts'
import { drawingOf, legendOf, type Shape, type Tone } from '../../../parts/spc/drawing.ts'
import type { Shown } from './series.ts'

const PICTURE = {
  widthPx: 1200,
  marginPx: 24,
  headPx: 72,
  titlePx: 32,
  chartsPx: [420, 300],
  density: 2,
  fontPx: 15,
} as const

type Pen = { context: CanvasRenderingContext2D; look: Look; left: number; top: number }

const colourOf = ({ ink, muted, line, series, bad }: Look, tone: Tone): string =>
  ({ ink, muted, line, series: series[0], bad })[tone]

/** Both charts below each other under their name and a caption: the same picture from a phone as from a desk. */
export async function seriesPng({ series, charts, marks }: Shown, caption: string): Promise<Blob> {
  const { widthPx, marginPx, headPx, titlePx, chartsPx, density, fontPx } = PICTURE
  const look = readLook()
  const inner = { width: widthPx - 2 * marginPx, fontPx }
  const legend = legendOf(inner)
  const heightPx =
    headPx + chartsPx[0] + chartsPx[1] + 2 * titlePx + legend.size.height + 24 * marks.length + 3 * marginPx
  const canvas = document.createElement('canvas')
  canvas.width = widthPx * density
  canvas.height = heightPx * density
  const context = canvas.getContext('2d')
  if (!context) throw new Error('No canvas to draw a picture on')
  context.scale(density, density)
  context.fillStyle = look.surface
  context.fillRect(0, 0, widthPx, heightPx)
  const pen = { context, look, left: marginPx, top: marginPx }
  write(pen, seriesText(series.serie), { at: 22, fontPx: 22, tone: 'ink' })
  write(pen, caption, { at: 48, fontPx: 16, tone: 'muted' })
  pen.top += headPx
  for (const [at, { title, chart }] of charts.entries()) {
    write(pen, title, { at: 18, fontPx: 17, tone: 'ink' })
    pen.top += titlePx
    const size = { ...inner, height: chartsPx[at] ?? 0 }
    for (const shape of drawingOf(chart, size)) draw(pen, shape)
    pen.top += size.height
  }
  pen.top += marginPx / 2
  for (const shape of legend.shapes) draw(pen, shape)
  pen.top += legend.size.height + marginPx / 2
  for (const [at, mark] of marks.entries()) write(pen, mark, { at: 16 + 24 * at, fontPx: 14, tone: 'muted' })
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture of the chart'))), 'image/png')
  })
}

function write({ context, look, left, top }: Pen, text: string, to: { at: number; fontPx: number; tone: Tone }): void {
  context.textAlign = 'left'
  context.fillStyle = colourOf(look, to.tone)
  context.font = `600 ${to.fontPx}px ${look.fontFamily}`
  context.fillText(text, left, top + to.at, PICTURE.widthPx - 2 * PICTURE.marginPx)
}

const alignments = { start: 'left', middle: 'center', end: 'right' } as const

function draw({ context, look, left, top }: Pen, shape: Shape): void {
  const colour = colourOf(look, shape.tone)
  context.fillStyle = colour
  context.strokeStyle = colour
  if (shape.kind === 'text') {
    context.textAlign = alignments[shape.anchor]
    context.font = `500 ${shape.fontPx}px ${look.fontFamily}`
    context.fillText(shape.text, left + shape.at[0], top + shape.at[1])
    return
  }
  context.beginPath()
  if (shape.kind === 'line') {
    context.lineWidth = shape.width
    context.setLineDash([...(shape.dash ?? [])])
    for (const [x, y] of shape.places) context.lineTo(left + x, top + y)
    context.stroke()
    context.setLineDash([])
    return
  }
  const [x, y] = [left + shape.at[0], top + shape.at[1]]
  const { radius } = shape
  if (shape.kind === 'diamond') {
    for (const [dx, dy] of [
      [0, -radius],
      [radius, 0],
      [0, radius],
      [-radius, 0],
    ] as const)
      context.lineTo(x + dx, y + dy)
  } else {
    context.arc(x, y, radius, 0, 2 * Math.PI)
  }
  context.lineWidth = 1.5
  if (shape.kind === 'ring') context.stroke()
  else context.fill()
}
