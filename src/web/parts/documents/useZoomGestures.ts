import { type RefObject, useEffect, useRef } from 'react'

/** Where on the frame, so that what is under the fingers stays there. */
export type Anchor = { x: number; y: number }

type Gestures = {
  /** By how much larger than before. */
  onZoom: (factor: number, anchor: Anchor) => void
}

const WHEEL_STEP = 1.1

const spreadOf = ([one, other]: [Touch, Touch]) => ({
  distance: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
  x: (one.clientX + other.clientX) / 2,
  y: (one.clientY + other.clientY) / 2,
})

/** Two fingers, or the wheel with Ctrl, zoom what is in the frame. The page itself stays locked: see `zoom.ts`. */
export function useZoomGestures(frame: RefObject<HTMLElement | null>, { onZoom }: Gestures): void {
  const zoom = useRef(onZoom)
  useEffect(() => {
    zoom.current = onZoom
  }, [onZoom])
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
      if (now && before && before.distance > 0) zoom.current(now.distance / before.distance, within(now.x, now.y))
      before = now
    }
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return
      zoom.current(event.deltaY < 0 ? WHEEL_STEP : 1 / WHEEL_STEP, within(event.clientX, event.clientY))
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
