/** How large a document is shown: as wide as the screen, or a share of its own size. */
export type Zoom = 'fit' | number

const steps = [0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.25, 1.5, 2, 2.5, 3, 4] as const
export const SCALE_MIN = 0.25
export const SCALE_MAX = 4
/** Two scales that nobody tells apart. */
const SAME = 0.01

export const withinScale = (scale: number): number => Math.min(SCALE_MAX, Math.max(SCALE_MIN, scale))

/** The next step from whatever the scale is now. */
export const largerScale = (scale: number): number => steps.find((step) => step > scale + SAME) ?? SCALE_MAX
export const smallerScale = (scale: number): number => steps.findLast((step) => step < scale - SAME) ?? SCALE_MIN

/** A page as wide as its frame. A small picture is not blown up. */
export const fittingScale = (pageWidthPx: number, frameWidthPx: number): number =>
  pageWidthPx > 0 ? Math.min(1.5, Math.max(0.05, frameWidthPx / pageWidthPx)) : 1
