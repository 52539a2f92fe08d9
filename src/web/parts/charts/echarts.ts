import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent, LegendScrollComponent, TooltipComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { isStill } from '../../ui/motion.ts'
import type { ChartContent } from './content.ts'
import { type Look, readLook, watchLook } from './look.ts'
import { chartOption } from './options.ts'

// The only file that loads the library, and itself loaded only where a chart is shown.
use([BarChart, LineChart, GridComponent, LegendScrollComponent, TooltipComponent, CanvasRenderer])

/** The library empties its element by an assignment of text, which Trusted Types refuse even of an empty one. */
function newFrame(): HTMLElement {
  const frame = document.createElement('div')
  Object.defineProperty(frame, 'innerHTML', { set: () => frame.replaceChildren() })
  return frame
}

export type Drawing = { show: (content: ChartContent) => void; stop: () => void }

/** Draws into the place, and again whenever its size, the theme or the text size changes. */
export function startDrawing(place: HTMLElement): Drawing {
  const frame = newFrame()
  frame.style.height = '100%'
  place.append(frame)
  const chart = init(frame)
  let shown: ChartContent | null = null
  const draw = (isAnimated: boolean) => shown && chart.setOption(chartOption(shown, readLook(), isAnimated), true)
  const stopWatching = watchLook(() => draw(false))
  const sizes = new ResizeObserver(() => chart.resize())
  sizes.observe(place)
  return {
    show: (content) => {
      shown = content
      draw(!isStill())
    },
    stop: () => {
      sizes.disconnect()
      stopWatching()
      chart.dispose()
      frame.remove()
    },
  }
}

const PICTURE = { widthPx: 1200, chartPx: 480, headPx: 72, marginPx: 24, density: 2 }

/**
 * The charts below each other on the theme's ground, each under its title and the caption: the same picture from a
 * phone as from a desk.
 */
export async function chartsPng(contents: readonly ChartContent[], caption: string): Promise<Blob> {
  const { widthPx, chartPx, headPx, marginPx, density } = PICTURE
  const look = { ...readLook(), fontPx: 15 }
  const canvas = document.createElement('canvas')
  canvas.width = widthPx * density
  canvas.height = (contents.length * (headPx + chartPx + marginPx) + marginPx) * density
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('No canvas to draw a picture on')
  pen.scale(density, density)
  pen.fillStyle = look.surface
  pen.fillRect(0, 0, canvas.width, canvas.height)
  const innerPx = widthPx - 2 * marginPx
  for (const [at, content] of contents.entries()) {
    const top = marginPx + at * (headPx + chartPx + marginPx)
    pen.fillStyle = look.ink
    pen.font = `600 22px ${look.fontFamily}`
    pen.fillText(content.title, marginPx, top + 22, innerPx)
    pen.fillStyle = look.muted
    pen.font = `400 16px ${look.fontFamily}`
    pen.fillText(caption, marginPx, top + 48, innerPx)
    pen.drawImage(pictureOf(content, look), marginPx, top + headPx, innerPx, chartPx)
  }
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture of the chart'))), 'image/png')
  })
}

function pictureOf(content: ChartContent, look: Look): HTMLCanvasElement {
  const { widthPx, chartPx, marginPx, density } = PICTURE
  const size = { width: widthPx - 2 * marginPx, height: chartPx, devicePixelRatio: density }
  const chart = init(newFrame(), null, size)
  chart.setOption(chartOption(content, look, false))
  const picture = chart.renderToCanvas({ pixelRatio: density, backgroundColor: look.surface })
  chart.dispose()
  return picture
}
