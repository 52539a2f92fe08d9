import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

type TabOf<Key extends string> = { key: Key; title: ReactNode; panel: () => ReactNode }

type Props<Key extends string> = {
  /** Names the row of tabs. */
  label: string
  tabs: readonly TabOf<Key>[]
  selected: Key
  onSelect: (key: Key) => void
}

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Tabs that show as the arrow keys move (WAI-ARIA). The component library's own weigh 15 KB, for collections. */
export function Tabs<Key extends string>({ label, tabs, selected, onSelect }: Props<Key>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const shown = tabs.find(({ key }) => key === selected)
  const hear = (event: KeyboardEvent) => {
    const to = steps[event.key]?.(
      tabs.findIndex(({ key }) => key === selected),
      tabs.length,
    )
    const next = to === undefined ? undefined : tabs[to]
    if (to === undefined || !next) return
    event.preventDefault()
    onSelect(next.key)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus()
  }
  return (
    <div className="flex flex-col gap-4">
      <div ref={list} role="tablist" aria-label={label} className="flex flex-wrap border-b border-line">
        {tabs.map(({ key, title }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={key === selected}
            aria-controls={key === selected ? `${id}-panel` : undefined}
            tabIndex={key === selected ? 0 : -1}
            onClick={() => onSelect(key)}
            onKeyDown={hear}
            className={`min-h-12 rounded-t-md border-b-3 px-2.5 py-2 font-semibold hover:bg-hover focus-visible:-outline-offset-3 max-md:flex-1 max-md:px-1 max-md:text-sm ${key === selected ? 'border-brand text-brand-ink' : 'border-transparent text-muted'}`}
          >
            {title}
          </button>
        ))}
      </div>
      <div key={selected} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`}>
        {shown?.panel()}
      </div>
    </div>
  )
}
