import { Check, CircleAlert } from 'lucide-react'

type Props = {
  /** The measured quantity, for screen readers: '% Corte'. */
  label: string
  percent: number
  /** The number as text, already in the reader's language. */
  text: string
  /** Something of it was measured outside its plan. */
  isOutside?: boolean | undefined
  /** A quiet word under the bar, such as 'aguardando ERP'. */
  note?: string | undefined
}

const fillOf = (percent: number) => (percent >= 100 ? 'bg-full-fill' : percent > 0 ? 'bg-warn-fill' : 'bg-idle-fill')

/** Blue at 100 or more, yellow above 0, grey at 0; never narrower than 20 % so that the colour is always seen. */
export function ProgressBar({ label, percent, text, isOutside, note }: Props) {
  const words = [text, isOutside && 'fora do plano', note].filter(Boolean).join(', ')
  const within = Math.min(100, Math.max(0, percent))
  return (
    <div className="w-full min-w-14 lg:min-w-18">
      <div
        className={`flex items-center gap-1 font-semibold ${isOutside ? 'text-bad-ink' : percent > 0 ? '' : 'text-muted'}`}
      >
        {text}
        {isOutside && <CircleAlert aria-hidden size={16} className="text-bad-ink" />}
        {percent >= 100 && !isOutside && <Check aria-hidden size={16} strokeWidth={3} className="text-full-ink" />}
      </div>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuenow={within}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={words}
        className="h-2 overflow-hidden rounded-full bg-track"
      >
        <div className={`h-full rounded-full ${fillOf(percent)}`} style={{ width: `${Math.max(20, within)}%` }} />
      </div>
      {note && <div className="mt-0.5 text-left text-xs text-muted">{note}</div>}
    </div>
  )
}
