import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent, LegendScrollComponent, TooltipComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
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

const isStill = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/** Draws into the place, again whenever its size, the theme or the text size changes, until the returned function is called. */
export function drawChart(place: HTMLElement, content: ChartContent): () => void {
  const frame = newFrame()
  frame.style.height = '100%'
  place.append(frame)
  const chart = init(frame)
  const draw = (isAnimated: boolean) => chart.setOption(chartOption(content, readLook(), isAnimated), true)
  draw(!isStill())
  const stopWatching = watchLook(() => draw(false))
  const sizes = new ResizeObserver(() => chart.resize())
  sizes.observe(place)
  return () => {
    sizes.disconnect()
    stopWatching()
    chart.dispose()
    frame.remove()
  }
}

const PICTURE = { widthPx: 1200, chartPx: 480, titlePx: 56, paddingPx: 24, density: 2 }

/** The charts below each other on the theme's ground, each under its title: the same picture from a phone as from a desk. */
export async function chartsPng(contents: readonly ChartContent[]): Promise<Blob> {
  const { widthPx, chartPx, titlePx, paddingPx, density } = PICTURE
  const look = { ...readLook(), fontPx: 15 }
  const canvas = document.createElement('canvas')
  canvas.width = widthPx * density
  canvas.height = contents.length * (chartPx + titlePx + paddingPx) * density
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('No canvas to draw a picture on')
  pen.scale(density, density)
  pen.fillStyle = look.surface
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.fillStyle = look.ink
  pen.font = `600 20px ${look.fontFamily}`
  pen.textBaseline = 'middle'
  contents.forEach((content, at) => {
    const top = at * (chartPx + titlePx + paddingPx)
    pen.fillText(content.title, paddingPx, top + paddingPx / 2 + titlePx / 2, widthPx - 2 * paddingPx)
    pen.drawImage(pictureOf(content, look), paddingPx, top + titlePx, widthPx - 2 * paddingPx, chartPx)
  })
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture of the chart'))), 'image/png')
  })
}

function pictureOf(content: ChartContent, look: Look): HTMLCanvasElement {
  const { widthPx, chartPx, paddingPx, density } = PICTURE
  const size = { width: widthPx - 2 * paddingPx, height: chartPx, devicePixelRatio: density }
  const chart = init(newFrame(), null, size)
  chart.setOption(chartOption(content, look, false))
  const picture = chart.renderToCanvas({ pixelRatio: density, backgroundColor: look.surface })
  chart.dispose()
  return picture
}
