import { type RefObject, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { useWidth } from '../useWidth.ts'
import { DocumentPage } from './DocumentPage.tsx'
import { type OpenedDocument, type PageSize, type Turn, turned } from './opened-document.ts'
import { fittingScale, withinScale, type Zoom } from './zooms.ts'

/** Where on the frame, so that what is under the fingers stays there. */
type Anchor = { x: number; y: number }

const WHEEL_STEP = 1.1

const spreadOf = ([one, other]: [Touch, Touch]) => ({
  distance: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
  x: (one.clientX + other.clientX) / 2,
  y: (one.clientY + other.clientY) / 2,
})

type OnZoom = (timesLarger: number, anchor: Anchor) => void

/** Two fingers, or the wheel with Ctrl, zoom what is in the frame. The page itself stays locked: see `zoom.ts`. */
function useZoomGestures(frame: RefObject<HTMLElement | null>, onZoom: OnZoom): void {
  const zoom = useEffectEvent(onZoom)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const within = (x: number, y: number): Anchor => {
      const box = element.getBoundingClientRect()
      return { x: x - box.left, y: y - box.top }
    }
    let before: ReturnType<typeof spreadOf> | null = null
    const pinch = ({ touches }: TouchEvent) => {
      const [one, other] = touches
      const now = one && other ? spreadOf([one, other]) : null
      if (now && before && before.distance > 0) zoom(now.distance / before.distance, within(now.x, now.y))
      before = now
    }
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return
      zoom(event.deltaY < 0 ? WHEEL_STEP : 1 / WHEEL_STEP, within(event.clientX, event.clientY))
    }
    const touches = ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const
    for (const name of touches) element.addEventListener(name, pinch, { passive: true })
    element.addEventListener('wheel', wheel, { passive: true })
    return () => {
      for (const name of touches) element.removeEventListener(name, pinch)
      element.removeEventListener('wheel', wheel)
    }
  }, [frame])
}

/** Around and between the pages. */
const MARGIN_PX = 12

type Props = {
  opened: OpenedDocument
  firstSize: PageSize
  title: string
  zoom: Zoom
  onZoom: (to: (scale: number) => number) => void
  turn: Turn
  frame: RefObject<HTMLElement | null>
  /** From 1: the one in the middle of the view. */
  page: number
  onPage: (page: number) => void
  /** Called with the present scale of 'as wide as the screen'. */
  onScale: (scale: number) => void
}

/** The pages one below the other, in a frame of their own that scrolls and zooms. */
export function DocumentPages({ opened, firstSize, title, zoom, onZoom, turn, frame, page, ...tell }: Props) {
  const { onPage, onScale } = tell
  const { width: widthPx } = useWidth(frame)
  const fitted = fittingScale(turned(firstSize, turn).widthPx, widthPx - 2 * MARGIN_PX)
  const scale = zoom === 'fit' ? fitted : zoom
  const anchor = useAnchor(frame, widthPx > 0 ? scale : null)
  usePlaceAfterTurn(frame, turn, page)
  useEffect(() => onScale(scale), [scale, onScale])
  useZoomGestures(frame, (factor, at) => {
    anchor(at)
    // Moves of a hand come faster than they are drawn: each goes on from the one before, not from what is drawn.
    onZoom((before) => withinScale(before * factor))
  })
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const tell = () => onPage(pageInView(element))
    element.addEventListener('scroll', tell, { passive: true })
    return () => element.removeEventListener('scroll', tell)
  }, [frame, onPage])
  return (
    <section
      ref={frame}
      aria-label={`Páginas: ${title}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className="relative min-h-0 flex-1 overflow-auto bg-sunken outline-offset-[-3px]"
    >
      <div className="flex w-max min-w-full flex-col" style={{ gap: MARGIN_PX, padding: MARGIN_PX }}>
        {/* A frame that is not measured yet would draw every page once for nothing. */}
        {Array.from({ length: widthPx > 0 ? opened.pageCount : 0 }, (_, index) => (
          <DocumentPage
            // biome-ignore lint/suspicious/noArrayIndexKey: a page is its number
            key={index}
            opened={opened}
            page={index + 1}
            likelySize={firstSize}
            title={title}
            scale={scale}
            turn={turn}
            frame={frame}
          />
        ))}
      </div>
    </section>
  )
}

/** The last one that begins above the middle. */
function pageInView(frame: HTMLElement): number {
  const middle = frame.scrollTop + frame.clientHeight / 2
  const pages = [...frame.querySelectorAll<HTMLElement>('[data-page]')]
  return Number(pages.findLast(({ offsetTop }) => offsetTop <= middle)?.dataset.page ?? 1)
}

export function scrollToPage(frame: HTMLElement | null, page: number): void {
  const place = frame?.querySelector<HTMLElement>(`[data-page="${page}"]`)
  if (place) frame?.scrollTo({ top: place.offsetTop - MARGIN_PX })
}

/** Keeps the point under the fingers, or in the middle, where it was. The scale is null until it is known. */
function useAnchor(frame: RefObject<HTMLElement | null>, scale: number | null) {
  const before = useRef(scale)
  const at = useRef<Anchor | null>(null)
  useLayoutEffect(() => {
    const element = frame.current
    const ratio = before.current === null || scale === null ? 1 : scale / before.current
    before.current = scale
    if (!element || ratio === 1) return
    const { x, y } = at.current ?? { x: element.clientWidth / 2, y: element.clientHeight / 2 }
    at.current = null
    element.scrollTo({ left: (element.scrollLeft + x) * ratio - x, top: (element.scrollTop + y) * ratio - y })
  }, [frame, scale])
  return useCallback((anchor: Anchor) => {
    at.current = anchor
  }, [])
}

/** The page that was in view: turned pages stand elsewhere. */
function usePlaceAfterTurn(frame: RefObject<HTMLElement | null>, turn: Turn, page: number) {
  const before = useRef(turn)
  useLayoutEffect(() => {
    if (before.current === turn) return
    before.current = turn
    scrollToPage(frame.current, page)
  }, [frame, turn, page])
}
