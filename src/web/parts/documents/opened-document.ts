/** How much of a full turn, clockwise, in degrees. */
export const turns = [0, 90, 180, 270] as const
export type Turn = (typeof turns)[number]

export const nextTurn = (turn: Turn): Turn => turns[(turns.indexOf(turn) + 1) % turns.length] ?? 0

/** Size of a page at 100 %, before it is turned. */
export type PageSize = { widthPx: number; heightPx: number }

export const turned = ({ widthPx, heightPx }: PageSize, turn: Turn): PageSize =>
  turn % 180 === 0 ? { widthPx, heightPx } : { widthPx: heightPx, heightPx: widthPx }

type DrawRequest = {
  /** From 1. */
  page: number
  /** Canvas pixels per pixel of the page at 100 %. */
  scale: number
  turn: Turn
  signal: AbortSignal
}

/** A file of whatever kind, as pages that can be drawn. */
export type OpenedDocument = {
  pageCount: number
  sizeOf: (page: number) => Promise<PageSize>
  /** A canvas with the page on it; null when the signal came first. */
  draw: (request: DrawRequest) => Promise<HTMLCanvasElement | null>
  /** Text of a page, for people who cannot see it; empty where that is not known. */
  textOf: (page: number) => Promise<string>
  close: () => void
}

/** The document cannot be shown; `message` says why in words for a person. */
export class Unshowable extends Error {}

/** Tablets of seven years give up on larger canvases. */
const CANVAS_PX_MAX = 2 ** 24
const CANVAS_SIDE_PX_MAX = 8192

/** The scale asked for, or the largest that still fits on a canvas. */
export const drawableScale = ({ widthPx, heightPx }: PageSize, wanted: number): number =>
  Math.min(wanted, Math.sqrt(CANVAS_PX_MAX / (widthPx * heightPx)), CANVAS_SIDE_PX_MAX / Math.max(widthPx, heightPx))

export async function openImage(file: Blob): Promise<OpenedDocument> {
  const bitmap = await createImageBitmap(file).catch((cause: unknown) => {
    throw new Unshowable('Esta imagem não pôde ser aberta.', { cause })
  })
  const size = { widthPx: bitmap.width, heightPx: bitmap.height }
  const draw = async ({ scale, turn }: DrawRequest) => {
    const canvas = document.createElement('canvas')
    const shown = turned(size, turn)
    canvas.width = Math.round(shown.widthPx * scale)
    canvas.height = Math.round(shown.heightPx * scale)
    const pen = canvas.getContext('2d')
    if (!pen) return null
    pen.imageSmoothingQuality = 'high'
    pen.translate(canvas.width / 2, canvas.height / 2)
    pen.rotate((turn * Math.PI) / 180)
    pen.scale(scale, scale)
    pen.drawImage(bitmap, -size.widthPx / 2, -size.heightPx / 2)
    return canvas
  }
  return { pageCount: 1, sizeOf: async () => size, draw, textOf: async () => '', close: () => bitmap.close() }
}
