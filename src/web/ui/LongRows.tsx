import { useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, type ReactNode, useContext, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { Button } from './Button.tsx'
import { FrameContext, type RowPlace, TableBody } from './Table.tsx'

/** Up to here plain rows are drawn fast enough on a slow tablet. */
const PLAIN_ROWS_MAX = 100

type Props<Item> = {
  items: readonly Item[]
  keyOf: (item: Item) => string
  /** Comes into view when it is another, and at first. */
  shownKey?: string | null
  /** Draws one `Row`, which takes the place given. */
  children: (item: Item, place: RowPlace) => ReactNode
}

type FramedProps<Item> = Props<Item> & { frame: HTMLElement | null }

/** The body of a table that may be long: of many rows only those near the view are drawn, of cards a page at a time. */
export function LongRows<Item>(of: Props<Item>) {
  const props = { ...of, frame: useContext(FrameContext) }
  const isCards = useIsCards()
  if (isCards) return <CardRows {...props} />
  return props.items.length > PLAIN_ROWS_MAX ? <FrameRows {...props} /> : <PlainRows {...props} />
}

function PlainRows<Item>(props: FramedProps<Item>) {
  const { items, keyOf, children, frame } = props
  useShown(props, (index) => void scrollToDrawn(frame, index))
  return (
    <TableBody>
      {items.map((item, index) => (
        <Fragment key={keyOf(item)}>{children(item, { 'data-index': index })}</Fragment>
      ))}
    </TableBody>
  )
}

/** Cards scroll with the page, which would be dozens of screens long. */
const CARDS_AT_ONCE = 20

/** So many cards, and more of them at a tap. One that is to be shown is there with those before it. */
function CardRows<Item>(props: FramedProps<Item>) {
  const { items, keyOf, shownKey = null } = props
  const [wanted, setWanted] = useState(CARDS_AT_ONCE)
  const shownAt = shownKey === null ? -1 : items.findIndex((item) => keyOf(item) === shownKey)
  const count = Math.max(wanted, shownAt + 1)
  return (
    <>
      <PlainRows {...props} items={items.slice(0, count)} />
      {count < items.length && (
        <tbody className="max-md:block">
          <tr className="max-md:block">
            <td className="max-md:block">
              <Button wide onPress={() => setWanted(count + CARDS_AT_ONCE)}>
                Mostrar mais ({count} de {items.length})
              </Button>
            </td>
          </tr>
        </tbody>
      )}
    </>
  )
}

/** No farther than it takes to see all of it, in its frame and on the page. False: a row that is not drawn. */
function scrollToDrawn(frame: HTMLElement | null, index: number): boolean {
  const row = frame?.querySelector(`[data-index="${index}"]`)
  row?.scrollIntoView({ block: 'nearest' })
  return Boolean(row)
}

/** Once the row is there to be shown: the frame and the items may come later than the key. */
function useShown<Item>(
  { items, keyOf, frame, shownKey = null }: FramedProps<Item>,
  show: (index: number) => void,
): void {
  const index = shownKey === null ? -1 : items.findIndex((item) => keyOf(item) === shownKey)
  const onShown = useEffectEvent(show)
  const isThere = frame !== null && index >= 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that only changes its order stays where it is
  useEffect(() => {
    if (!isThere) return
    // A screen that has just come begins at its top: the router sees to it after this.
    const frame = requestAnimationFrame(() => onShown(index))
    return () => cancelAnimationFrame(frame)
  }, [isThere, shownKey])
}

const cards = window.matchMedia('(width < 48rem)')
const subscribeToWidth = (listener: () => void) => {
  cards.addEventListener('change', listener)
  return () => cards.removeEventListener('change', listener)
}
/** Cards scroll with the page, rows within their frame. */
const useIsCards = () => useSyncExternalStore(subscribeToWidth, () => cards.matches)

function FrameRows<Item>(props: FramedProps<Item>) {
  const { items, keyOf, frame, children } = props
  const virtualizer = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    count: items.length,
    getScrollElement: () => frame,
    estimateSize: () => 61,
    overscan: 6,
  })
  useShown(props, (index) => {
    if (scrollToDrawn(frame, index)) return
    // the end of a frame may be below the screen, and the row with it
    frame?.scrollIntoView({ block: 'nearest' })
    virtualizer.scrollToIndex(index)
  })
  const near = virtualizer.getVirtualItems()
  const before = near[0]?.start ?? 0
  const after = virtualizer.getTotalSize() - (near.at(-1)?.end ?? 0)
  return (
    <TableBody>
      <Gap heightPx={before} />
      {near.map(({ index }) => {
        const item = items[index]
        if (!item) return null
        const place = { ref: virtualizer.measureElement, 'data-index': index, 'aria-rowindex': index + 2 }
        return <Fragment key={keyOf(item)}>{children(item, place)}</Fragment>
      })}
      <Gap heightPx={after} />
    </TableBody>
  )
}

/** Stands for the rows that are not drawn. */
const Gap = ({ heightPx }: { heightPx: number }) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without content takes no focus
  <tr aria-hidden="true" className="max-md:block" style={{ height: Math.max(0, heightPx) }} />
)
