import { pathOf, type Shape, strokeOf, type Tone, tones, words } from './shapes.ts'

const MARGIN_PX = 24
/** Pixels of the file to one of the sheet. */
const DENSITY = 2
/** Between its margins: the same picture from a phone as from a desk. */
export const sheetSize = { width: 1152, fontPx: 15 }

/** Blocks stand below each other on a sheet. */
export type Block = { shapes: readonly Shape[]; height: number }

export const written = (text: string, { tone = 'ink' as Tone, fontPx = 22, height = 30 }): Block => ({
  shapes: [words([0, fontPx], text, { tone, anchor: 'start', fontPx })],
  height,
})

export const space = (height: number): Block => ({ shapes: [], height })

/** A picture of the blocks on the theme's ground, to be saved. */
export async function sheetPng(blocks: readonly Block[]): Promise<Blob> {
  const colours = readColours()
  const canvas = document.createElement('canvas')
  canvas.width = (sheetSize.width + 2 * MARGIN_PX) * DENSITY
  canvas.height = Math.ceil((blocks.reduce((sum, { height }) => sum + height, 0) + 2 * MARGIN_PX) * DENSITY)
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('No canvas to draw a picture on')
  pen.fillStyle = colours.surface
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.scale(DENSITY, DENSITY)
  pen.translate(MARGIN_PX, MARGIN_PX)
  pen.lineJoin = 'round'
  const { fontFamily } = getComputedStyle(document.body)
  for (const { shapes, height } of blocks) {
    for (const shape of shapes) draw(pen, shape, colours[shape.tone], fontFamily)
    pen.translate(0, height)
  }
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture of the chart'))), 'image/png')
  })
}

/** As the page shows them now. Asked of an element: the variables themselves hold both themes. */
function readColours(): Record<Tone, string> {
  const probe = document.createElement('span')
  probe.hidden = true
  document.body.append(probe)
  const colours = Object.entries(tones).map(([tone, variable]) => {
    probe.style.color = `var(${variable})`
    return [tone, getComputedStyle(probe).color]
  })
  probe.remove()
  return Object.fromEntries(colours) as Record<Tone, string>
}

const alignments = { start: 'left', middle: 'center', end: 'right' } as const

function draw(pen: CanvasRenderingContext2D, shape: Shape, colour: string, fontFamily: string): void {
  pen.fillStyle = colour
  pen.strokeStyle = colour
  if (shape.kind === 'text') {
    const [x, y] = shape.at
    pen.textAlign = alignments[shape.anchor]
    // a heading is bolder than what stands in a chart
    pen.font = `${shape.fontPx > sheetSize.fontPx ? 600 : 500} ${shape.fontPx}px ${fontFamily}`
    pen.fillText(shape.text, x, y, sheetSize.width)
    return
  }
  const path = new Path2D(pathOf(shape))
  const stroke = strokeOf(shape)
  if (!stroke) {
    pen.fill(path)
    return
  }
  pen.lineWidth = stroke.width
  pen.setLineDash([...(stroke.dash ?? [])])
  pen.stroke(path)
}
