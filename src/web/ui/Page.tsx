import type { ReactNode } from 'react'

type HeadingProps = { title: string; subtitle?: ReactNode; action?: ReactNode }

/** The top of every screen: what it is, and its one primary action on the right. */
export const PageHeading = ({ title, subtitle, action }: HeadingProps) => (
  <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
    <div className="min-w-0">
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      {subtitle && <p className="text-muted">{subtitle}</p>}
    </div>
    {action}
  </div>
)

export const Card = ({ children }: { children: ReactNode }) => (
  <div className="rounded-lg border border-line bg-surface p-4 shadow-card">{children}</div>
)

type SectionProps = {
  title: string
  icon?: ReactNode
  /** Completion, at the right of the title. */
  badge?: ReactNode
  /** Its action, before its badge; with `order-last basis-full` it stands below the title. */
  action?: ReactNode
  /** All that there is to say of it, beside its title. */
  line?: ReactNode
  children?: ReactNode
}

/** A part of a form: a card with a title and a badge. It takes the focus when what had it inside is gone (lost-focus.ts). */
export const Section = ({ title, icon, badge, action, line, children }: SectionProps) => (
  <section
    aria-label={title}
    tabIndex={-1}
    className={`rounded-lg border border-line bg-surface shadow-card ${line ? '@container' : ''}`}
  >
    <header
      className={`flex min-h-12 items-center gap-x-3 px-4 py-2 ${children ? 'border-b border-line' : ''} ${line || action ? 'flex-wrap' : ''}`}
    >
      <span className={`flex items-center gap-2 ${line ? '' : 'flex-1'}`}>
        {icon && <span className="text-muted">{icon}</span>}
        <h2 className="text-lg font-semibold">{title}</h2>
      </span>
      {line && (
        <div className={badge ? 'order-last basis-full @2xl:order-none @2xl:flex-1 @2xl:basis-0' : 'flex-auto'}>
          {line}
        </div>
      )}
      {action}
      {badge && <span className="ml-auto">{badge}</span>}
    </header>
    {children && <div className="p-4">{children}</div>}
  </section>
)

type EmptyStateProps = { icon?: ReactNode; children: ReactNode; action?: ReactNode }

/** Nothing to show, why, and what to do. */
export const EmptyState = ({ icon, children, action }: EmptyStateProps) => (
  <div className="flex flex-col items-center gap-4 rounded-lg border border-dashed border-line bg-surface px-6 py-12 text-center text-muted">
    {icon}
    <p role="status" className="max-w-lg text-lg text-balance">
      {children}
    </p>
    {action}
  </div>
)
