// biome-ignore-all lint/a11y/noRedundantRoles: as cards the elements are blocks, which takes their own roles away
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { createContext, type MouseEventHandler, type ReactNode, type Ref, useState } from 'react'
import { icon } from './icon-sizes.ts'
import type { HeadSort } from './sorting.ts'

/** Native tables that scroll inside their own frame with the head fixed, and become a stack of cards under 768 px. */
type FrameProps = {
  /** Names the scrolling region and the table. */
  label: string
  /** A Tailwind class; `max-h-none`: the page scrolls. */
  heightMax?: string
  children: ReactNode
  /** With the head; where not all of them are drawn. */
  rowCount?: number
}

/** The height there is, but for what leaves the page something to be scrolled by. */
const HEIGHT_MAX = 'max-h-[calc(100dvh-6rem)]'

/** Scrolls what is in it; null until it is there. */
export const FrameContext = createContext<HTMLElement | null>(null)

export function Table({ label, heightMax = HEIGHT_MAX, children, rowCount }: FrameProps) {
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  return (
    <section
      ref={setFrame}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className={`@container relative overflow-auto rounded-lg border border-line bg-surface shadow-card max-md:overflow-visible max-md:border-0 max-md:bg-transparent max-md:shadow-none ${heightMax} max-md:max-h-none`}
    >
      <table
        role="table"
        aria-label={label}
        aria-rowcount={rowCount}
        className="w-full border-separate border-spacing-0 text-left max-md:block"
      >
        <FrameContext value={frame}>{children}</FrameContext>
      </table>
    </section>
  )
}

type HeadProps = {
  children: ReactNode
  /** Over a stack of cards the sortable columns stand as buttons. */
  isSortable?: boolean
}

export const TableHead = ({ children, isSortable = false }: HeadProps) =>
  isSortable ? (
    <thead role="rowgroup" className="max-md:block max-md:pb-3">
      <tr role="row" className="max-md:flex max-md:flex-wrap max-md:gap-2">
        {children}
      </tr>
    </thead>
  ) : (
    <thead className="max-md:sr-only">
      <tr>{children}</tr>
    </thead>
  )

type Align = 'left' | 'right'
const alignment = { left: '', right: 'text-right' }

/** Stays in sight while the table scrolls sideways: the first column, or the last with the action. */
type Sticky = { sticky?: boolean; stickyEnd?: boolean }

type ThProps = {
  children: ReactNode
  align?: Align
  /** The head is a button that sorts by this column. */
  sort?: HeadSort
  /** A Tailwind class such as `md:w-1/3`, for columns that keep their place while long rows come and go. */
  width?: string
} & Sticky

export const Th = ({ children, align = 'left', sort, width = '', sticky, stickyEnd }: ThProps) => (
  <th
    scope="col"
    role="columnheader"
    aria-sort={sort ? (sort.direction ?? 'none') : undefined}
    className={`${head} ${width} ${sort ? sortableHead : plainHead} ${alignment[align]} ${sticky ? 'left-0 z-20' : stickyEnd ? 'right-0 z-20' : 'z-10'}`}
  >
    {sort ? <SortButton {...sort}>{children}</SortButton> : children}
  </th>
)
const head =
  'sticky top-0 border-b border-line bg-sunken text-xs font-semibold text-muted lg:text-sm 2xl:whitespace-nowrap'
const plainHead =
  'px-1.5 py-3 align-bottom first:pl-3 last:pr-3 lg:px-2 lg:first:pl-4 lg:last:pr-4 xl:px-3 max-md:sr-only'
const sortableHead =
  'p-0 first:pl-1.5 lg:first:pl-2 xl:first:pl-1 max-md:first:pl-0 max-md:static max-md:border-0 max-md:bg-transparent'

const sortMarks = { ascending: ArrowUp, descending: ArrowDown }

function SortButton({ children, direction, onToggle }: HeadSort & { children: ReactNode }) {
  const Mark = direction ? sortMarks[direction] : ChevronsUpDown
  return (
    <button
      type="button"
      onClick={onToggle}
      className={`inline-flex min-h-11 items-center gap-1 rounded-md px-1.5 [text-align:inherit] font-semibold hover:bg-hover hover:text-ink focus-visible:-outline-offset-3 lg:px-2 xl:px-3 max-md:border max-md:border-edge max-md:bg-surface max-md:px-3 ${direction ? 'text-ink' : ''}`}
    >
      {children}
      <Mark {...icon.sm} className={`shrink-0 ${direction ? '' : 'opacity-60'}`} />
    </button>
  )
}

export const TableBody = ({ children }: { children: ReactNode }) => (
  <tbody role="rowgroup" className="max-md:flex max-md:flex-col max-md:gap-3">
    {children}
  </tbody>
)

/** Totals: in sight while the rows scroll. */
export const TableFoot = ({ children }: { children: ReactNode }) => (
  <tfoot
    role="rowgroup"
    className="sticky bottom-0 z-10 bg-surface font-semibold max-md:mt-3 max-md:block md:[&_td]:border-t-2 md:[&_td]:border-t-line"
  >
    {children}
  </tfoot>
)

/** Where a row stands in a long table, see `LongRows`. */
export type RowPlace = { ref?: Ref<HTMLTableRowElement>; 'data-index'?: number; 'aria-rowindex'?: number }

type RowProps = {
  children: ReactNode
  isSelected?: boolean
  /** Lights up for a moment: this is the one that was just read. */
  isFlashing?: boolean
  place?: RowPlace
  /** A larger target for what a button in the row does by keyboard too. */
  onPress?: MouseEventHandler
}

export const Row = ({ children, isSelected, isFlashing, place, onPress }: RowProps) => (
  <tr
    {...place}
    role="row"
    onClick={onPress}
    data-flashing={isFlashing || undefined}
    className={`group scroll-mt-24 scroll-mb-4 max-md:grid max-md:grid-cols-3 max-md:gap-x-4 ${card} ${isFlashing ? flash : ''} ${onPress ? 'cursor-pointer' : ''} ${isSelected ? 'bg-brand-soft max-md:border-brand' : 'bg-surface max-md:border-line md:hover:bg-hover'}`}
  >
    {children}
  </tr>
)
/** On a card the frame, in a table every cell: held ones have a ground of their own. */
const flash = 'max-md:animate-flash md:*:animate-flash'
const card = 'max-md:rounded-lg max-md:border max-md:px-4 max-md:py-2 max-md:shadow-card'

type TdProps = {
  children?: ReactNode
  /** The column's name, shown before the value on a card. */
  label?: string
  align?: Align
  /** On a card: a third of the line, the label above the value. */
  isThird?: boolean
  /** Nothing to say: left out of a card. */
  isBlank?: boolean
} & Sticky

export const Td = ({ children, label, align = 'left', sticky, stickyEnd, isThird, isBlank }: TdProps) => (
  <td
    role="cell"
    className={`${cell} ${isBlank ? 'max-md:hidden' : isThird ? onThird : onLine} ${alignment[align]} ${stickyLook(sticky, stickyEnd)}`}
  >
    {label && (
      <span
        aria-hidden
        className={`mr-auto shrink-0 font-medium text-muted md:hidden ${isThird ? 'text-xs' : 'text-sm'}`}
      >
        {label}
      </span>
    )}
    {children}
  </td>
)
const cell =
  'border-b border-line px-1.5 py-2 group-last:border-b-0 first:pl-3 last:pr-2 lg:px-2 lg:first:pl-4 lg:last:pr-4 xl:px-3 max-md:border-0 max-md:px-0 max-md:py-1 max-md:first:pl-0 max-md:last:pr-0'
const onLine =
  'max-md:flex max-md:col-span-3 max-md:min-h-9 max-md:items-center max-md:gap-4 max-md:justify-end max-md:text-right'
const onThird = 'max-md:flex max-md:flex-col max-md:text-left'
const stickyLook = (sticky?: boolean, stickyEnd?: boolean) => {
  const edge = sticky ? 'md:left-0' : stickyEnd ? 'md:right-0' : null
  return edge ? `md:sticky md:z-1 md:bg-inherit ${edge}` : ''
}
