import type { ReactNode } from 'react'

const tones = {
  neutral: 'border-line bg-sunken text-muted',
  ok: 'border-ok-line bg-ok-soft text-ok-ink',
  warn: 'border-warn-line bg-warn-soft text-warn-ink',
  bad: 'border-bad-line bg-bad-soft text-bad-ink',
  hand: 'border-brand bg-brand-soft text-brand-ink',
}

type Props = { tone?: keyof typeof tones; icon?: ReactNode; children: ReactNode }

/** A word or number about state; give an icon where the colour alone would carry the meaning. */
export const Badge = ({ tone = 'neutral', icon, children }: Props) => (
  <span
    className={`inline-flex min-h-7 items-center justify-center gap-1 rounded-full border px-3 text-sm font-semibold whitespace-nowrap ${tones[tone]}`}
  >
    {icon}
    {children}
  </span>
)
