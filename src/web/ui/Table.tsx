// biome-ignore-all lint/a11y/noRedundantRoles: as cards the elements are blocks, which takes their own roles away
import type { ReactNode, Ref, TdHTMLAttributes } from 'react'

/** Native tables that scroll inside their own frame with the head fixed, and become a stack of cards under 768 px. */
type FrameProps = {
  /** Names the scrolling region and the table. */
  label: string
  /** A Tailwind class such as `max-h-[600px]`; without it the page scrolls. */
  heightMax?: string
  children: ReactNode
  frameRef?: Ref<HTMLElement>
  /** With the head; where not all of them are drawn. */
  rowCount?: number
}

export function Table({ label, heightMax = '', children, frameRef, rowCount }: FrameProps) {
  return (
    <section
      ref={frameRef}
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
        {children}
      </table>
    </section>
  )
}

export const TableHead = ({ children }: { children: ReactNode }) => (
  <thead className="max-md:sr-only">
    <tr>{children}</tr>
  </thead>
)

type Align = 'left' | 'right' | 'center'
const alignment = { left: '', right: 'text-right', center: 'text-center' }

/** Stays in sight while the table scrolls sideways: the first column, or the last with the action. */
type Held = { held?: boolean; heldEnd?: boolean }

type ThProps = { children: ReactNode; align?: Align } & Held

export const Th = ({ children, align = 'left', held, heldEnd }: ThProps) => (
  <th
    scope="col"
    className={`sticky top-0 border-b border-line bg-sunken px-1.5 py-3 align-bottom text-xs font-semibold text-muted first:pl-3 last:pr-3 lg:px-2 lg:text-sm lg:first:pl-4 lg:last:pr-4 xl:px-3 2xl:whitespace-nowrap ${alignment[align]} ${held ? 'left-0 z-20' : heldEnd ? 'right-0 z-20' : 'z-10'}`}
  >
    {children}
  </th>
)

export const TableBody = ({ children }: { children: ReactNode }) => (
  <tbody role="rowgroup" className="max-md:flex max-md:flex-col max-md:gap-3">
    {children}
  </tbody>
)

/** Where a row stands in a long table, see `LongRows`. */
export type RowPlace = { ref?: Ref<HTMLTableRowElement>; 'data-index'?: number; 'aria-rowindex'?: number }

type RowProps = { children: ReactNode; isSelected?: boolean; place?: RowPlace }

export const Row = ({ children, isSelected, place }: RowProps) => (
  <tr
    {...place}
    role="row"
    className={`group max-md:grid max-md:grid-cols-3 max-md:gap-x-4 ${card} ${isSelected ? 'bg-brand-soft' : 'md:hover:bg-hover'}`}
  >
    {children}
  </tr>
)
const card =
  'max-md:rounded-lg max-md:border max-md:border-line max-md:bg-surface max-md:px-4 max-md:py-2 max-md:shadow-card'

type TdProps = {
  children?: ReactNode
  /** The column's name, shown before the value on a card. */
  label?: string
  align?: Align
  /** On a card: a third of the line, the label above the value. */
  isThird?: boolean
} & Held &
  Pick<TdHTMLAttributes<HTMLTableCellElement>, 'colSpan'>

export const Td = ({ children, label, align = 'left', held, heldEnd, isThird, colSpan }: TdProps) => (
  <td
    role="cell"
    colSpan={colSpan}
    className={`${cell} ${isThird ? onThird : onLine} ${alignment[align]} ${heldLook(held, heldEnd)}`}
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
  'border-b border-line px-1.5 py-2 group-last:border-b-0 first:pl-3 last:pr-2 lg:px-2 lg:first:pl-4 lg:last:pr-4 xl:px-3 max-md:flex max-md:border-0 max-md:px-0 max-md:py-1 max-md:first:pl-0 max-md:last:pr-0'
const onLine = 'max-md:col-span-3 max-md:min-h-9 max-md:items-center max-md:gap-4 max-md:justify-end max-md:text-right'
const onThird = 'max-md:flex-col max-md:text-left'
const heldLook = (held?: boolean, heldEnd?: boolean) => {
  const edge = held ? 'md:left-0' : heldEnd ? 'md:right-0' : null
  return edge ? `md:sticky md:z-1 md:bg-surface md:group-hover:bg-hover ${edge}` : ''
}
