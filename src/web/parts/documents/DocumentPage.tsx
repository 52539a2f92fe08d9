import { type RefObject, useEffect, useRef, useState } from 'react'
import { logFailure } from '../../device/log.ts'
import { drawableScale, type OpenedDocument, type PageSize, type Turn, turned } from './opened-document.ts'

type Props = {
  opened: OpenedDocument
  /** From 1. */
  page: number
  /** Until its own is known, as large as the first one. */
  likelySize: PageSize
  title: string
  scale: number
  turn: Turn
  frame: RefObject<HTMLElement | null>
}

/** While fingers zoom, what is drawn is only stretched. */
const REDRAW_MS = 150

/** One page: its place always, its picture while it is near the view. */
export function DocumentPage({ opened, page, likelySize, title, scale, turn, frame }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const isNear = useIsNear(place, frame)
  const { size, text } = usePage(opened, page, isNear)
  const shown = turned(size ?? likelySize, turn)
  const hasFailed = usePicture({ place, opened, page, size, scale, turn, isNear })
  const name = `Página ${page} de ${opened.pageCount}: ${title}`
  return (
    <div
      data-page={page}
      className="relative mx-auto shrink-0 bg-white shadow-card"
      style={{ width: Math.round(shown.widthPx * scale), height: Math.round(shown.heightPx * scale) }}
    >
      <div ref={place} role="img" aria-label={name} className="size-full" />
      {text && <p className="sr-only">{text}</p>}
      {hasFailed && (
        <p role="status" className="absolute inset-x-0 top-4 px-4 text-center font-medium text-bad-ink">
          Não foi possível mostrar esta página.
        </p>
      )}
    </div>
  )
}

function useIsNear(place: RefObject<HTMLElement | null>, frame: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!place.current) return
    // A screen's height before and after.
    const options = { root: frame.current, rootMargin: '100% 50%' }
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), options)
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [place, frame])
  return isNear
}

/** Read when it is first needed: a manual may have hundreds of pages. */
function usePage(opened: OpenedDocument, page: number, isNear: boolean) {
  const [size, setSize] = useState<PageSize | null>(null)
  const [text, setText] = useState('')
  useEffect(() => {
    if (!isNear || size) return
    let isLeft = false
    const read = async () => {
      const found = await opened.sizeOf(page)
      if (isLeft) return
      setSize(found)
      const written = await opened.textOf(page)
      if (!isLeft) setText(written.trim())
    }
    read().catch((error: unknown) => !isLeft && logFailure(`Página ${page} de um documento`, error))
    return () => {
      isLeft = true
    }
  }, [opened, page, isNear, size])
  return { size, text }
}

type Picture = Pick<Props, 'opened' | 'page' | 'scale' | 'turn'> & {
  place: RefObject<HTMLDivElement | null>
  size: PageSize | null
  isNear: boolean
}

/** Draws beside what is shown and then takes its place, so that nothing blinks. True: it could not be drawn. */
function usePicture({ place, opened, page, size, scale, turn, isNear }: Picture): boolean {
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    const element = place.current
    if (!element) return
    if (!isNear) return show(element, null)
    if (!size) return
    const left = new AbortController()
    const { signal } = left
    const draw = async () => {
      const wanted = drawableScale(turned(size, turn), scale * window.devicePixelRatio)
      const canvas = await opened.draw({ page, scale: wanted, turn, signal })
      if (!canvas || signal.aborted) return
      show(element, canvas)
      setFailed(false)
    }
    const start = () => {
      draw().catch((error: unknown) => {
        if (signal.aborted) return
        setFailed(true)
        logFailure(`Página ${page} de um documento`, error)
      })
    }
    const timer = setTimeout(start, element.firstChild ? REDRAW_MS : 0)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [place, opened, page, size, scale, turn, isNear])
  return hasFailed
}

function show(place: HTMLElement, canvas: HTMLCanvasElement | null): void {
  const before = place.querySelector('canvas')
  if (canvas) {
    // a finger's touch ends with the element that it began on, and this one is replaced under it
    canvas.className = 'pointer-events-none block size-full'
    place.replaceChildren(canvas)
  } else place.replaceChildren()
  // Its memory goes at once, not when the browser gets round to it.
  if (before) before.width = 0
}
