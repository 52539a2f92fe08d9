import type { ReactNode, Ref, TdHTMLAttributes } from 'react'

/**
 * Native tables that scroll inside their own frame with the head fixed, and become a stack of cards under 768 px.
 * The roles are spelled out because `display: block` takes the native ones away.
 */
type FrameProps = {
  /** Names the scrolling region and the table. */
  label: string
  /** A Tailwind class such as `max-h-[600px]`; without it the page scrolls. */
  heightMax?: string
  children: ReactNode
  frameRef?: Ref<HTMLElement>
}

export function Table({ label, heightMax = '', children, frameRef }: FrameProps) {
  return (
    <section
      ref={frameRef}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className={`relative overflow-auto rounded-lg border border-line bg-surface shadow-card max-md:overflow-visible max-md:border-0 max-md:bg-transparent max-md:shadow-none ${heightMax} max-md:max-h-none`}
    >
      {/* biome-ignore lint/a11y/noRedundantRoles: as cards the element is a block */}
      <table role="table" aria-label={label} className="w-full border-separate border-spacing-0 text-left max-md:block">
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

type ThProps = { children: ReactNode; align?: Align; held?: boolean }

/** `held`: stays in sight while the table scrolls sideways; for the first column. */
export const Th = ({ children, align = 'left', held }: ThProps) => (
  <th
    scope="col"
    className={`sticky top-0 z-10 border-b border-line bg-sunken px-3 py-3 text-sm font-semibold whitespace-nowrap text-muted first:pl-4 last:pr-4 ${alignment[align]} ${held ? 'left-0 z-20' : ''}`}
  >
    {children}
  </th>
)

export const TableBody = ({ children }: { children: ReactNode }) => (
  // biome-ignore lint/a11y/noRedundantRoles: as cards the element is a block
  <tbody role="rowgroup" className="max-md:flex max-md:flex-col max-md:gap-3">
    {children}
  </tbody>
)

export const Row = ({ children, isSelected }: { children: ReactNode; isSelected?: boolean }) => (
  // biome-ignore lint/a11y/noRedundantRoles: as cards the element is a block
  <tr role="row" className={`group max-md:block ${card} ${isSelected ? 'bg-brand-soft' : 'md:hover:bg-hover'}`}>
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
  held?: boolean
} & Pick<TdHTMLAttributes<HTMLTableCellElement>, 'colSpan'>

export const Td = ({ children, label, align = 'left', held, colSpan }: TdProps) => (
  // biome-ignore lint/a11y/noRedundantRoles: as cards the element is a block
  <td role="cell" colSpan={colSpan} className={`${cell} ${alignment[align]} ${held ? heldCell : ''}`}>
    {label && (
      <span aria-hidden className="shrink-0 text-sm font-medium text-muted md:hidden">
        {label}
      </span>
    )}
    {children}
  </td>
)
const cell =
  'border-b border-line px-3 py-2 group-last:border-b-0 first:pl-4 last:pr-4 max-md:flex max-md:min-h-10 max-md:items-center max-md:justify-between max-md:gap-4 max-md:border-0 max-md:px-0 max-md:py-1 max-md:text-right max-md:first:pl-0 max-md:last:pr-0'
const heldCell = 'md:sticky md:left-0 md:z-1 md:bg-surface md:group-hover:bg-hover'
