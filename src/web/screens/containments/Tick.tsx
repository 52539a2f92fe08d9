import type { ReactNode } from 'react'

type Props = {
  /** The row that it takes, for assistive technology. */
  name: string
  isOn: boolean
  onChange: (isOn: boolean) => void
  children?: ReactNode
}

/** Takes one of many. The platform's own box, in a target for a finger. */
export const Tick = ({ name, isOn, onChange, children }: Props) => (
  <label className="inline-flex min-h-11 cursor-pointer items-center gap-2 px-3">
    <input
      type="checkbox"
      aria-label={name}
      checked={isOn}
      onChange={({ target }) => onChange(target.checked)}
      className="size-5 shrink-0"
      style={{ accentColor: 'var(--color-brand)' }}
    />
    {children}
  </label>
)
