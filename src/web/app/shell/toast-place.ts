type Box = { top: number; bottom: number; left: number; right: number }

/** From the lower edge of the screen, and from what must not be covered. */
const GAP_PX = 16

/**
 * How far above the lower edge of the screen the toasts stand: as low as they may without covering one of these buttons.
 * `toasts`: their width, wherever they stand now.
 */
export function toastsAbove(
  buttons: readonly Box[],
  toasts: Pick<Box, 'left' | 'right'> & { height: number },
  screenHeight: number,
): number {
  const beside = ({ left, right }: Box) => left < toasts.right && right > toasts.left
  const lowestFirst = buttons.filter(beside).toSorted((one, other) => other.bottom - one.bottom)
  let bottom = screenHeight - GAP_PX
  for (const button of lowestFirst) {
    const isCovered = button.top < bottom && button.bottom > bottom - toasts.height
    if (isCovered) bottom = button.top - GAP_PX
  }
  // nowhere is room for them: better seen than not
  return bottom - toasts.height < 0 ? GAP_PX : screenHeight - bottom
}
