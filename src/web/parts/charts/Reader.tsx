import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { formatCount } from '../../text/format.ts'
import { ChartDrawing } from './ChartDrawing.tsx'
import type { ChartContent } from './content.ts'
import { BAR_PX_MAX, type Plot, type Reading, readingOf, readingText, restText, SIGN_PX, signOf } from './plot.ts'

/** From the line that says which category is read. */
const GAP_PX = 10
/** Room for names and figures: on a phone they cover a part of the line rather than break a word. */
const ROOM_PX = 220
const SIGN = { width: SIGN_PX, height: 16 }

/** By how many categories a key moves; beyond the ends it stops there. */
const steps: Record<string, number> = {
  ArrowLeft: -1,
  ArrowUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

type Props = { content: ChartContent; plot: Plot; hidden: ReadonlySet<string> }

/** The figures of the category under a mouse, a finger or the arrow keys. */
export function Reader({ content, plot, hidden }: Props) {
  const { title, categoryName, categories } = content
  const last = categories.length - 1
  const [chosen, setChosen] = useState<number | null>(null)
  const at = chosen === null ? null : Math.min(chosen, last)
  // of months the newest, of names the first, which has most
  const first = plot.isLying ? 0 : last
  const reading = readingOf(content, hidden, at ?? first)
  const point = ({ currentTarget, clientX, clientY }: PointerEvent) => {
    const { left, top } = currentTarget.getBoundingClientRect()
    setChosen(plot.categoryAt([clientX - left, clientY - top]))
  }
  const step = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return setChosen(null)
    const by = steps[event.key]
    if (by === undefined) return
    event.preventDefault()
    setChosen(at === null ? first : Math.max(0, Math.min(last, at + by)))
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`Ler por ${categoryName.toLocaleLowerCase('pt-BR')}: ${title}`}
      aria-orientation={plot.isLying ? 'vertical' : 'horizontal'}
      aria-valuemin={1}
      aria-valuemax={categories.length}
      aria-valuenow={(at ?? first) + 1}
      aria-valuetext={readingText(reading)}
      className="absolute inset-0 touch-pan-y"
      onPointerDown={point}
      onPointerMove={point}
      // a finger that is lifted leaves what it has shown
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setChosen(null)}
      // the finger scrolls
      onPointerCancel={() => setChosen(null)}
      onFocus={() => setChosen((before) => before ?? first)}
      onBlur={() => setChosen(null)}
      onKeyDown={step}
    >
      {at !== null && (
        <>
          <ChartDrawing shapes={plot.pointerAt(at)} size={plot.size} />
          <Figures reading={reading} place={besides(plot, at)} />
        </>
      )}
    </div>
  )
}

/** On the side where there is more room. */
function besides({ isLying, middleOf, slot, size }: Plot, at: number) {
  const middle = middleOf(at)
  if (!isLying) {
    const most = size.width - ROOM_PX
    return middle < size.width / 2
      ? { top: 0, left: Math.min(most, middle + GAP_PX) }
      : { top: 0, right: Math.min(most, size.width - middle + GAP_PX) }
  }
  // beside its bar: a single name has the whole height
  const from = Math.min(BAR_PX_MAX, slot) / 2 + GAP_PX
  return middle < size.height / 2
    ? { top: middle + from, right: GAP_PX }
    : { bottom: size.height - middle + from, right: GAP_PX }
}

const Figures = ({ reading: { category, rows, restCount }, place }: { reading: Reading; place: object }) => (
  <div
    aria-hidden
    className="pointer-events-none absolute z-10 max-w-64 rounded-md border border-edge bg-surface px-3 py-2 text-sm shadow-float"
    style={place}
  >
    <p className="font-semibold wrap-anywhere">{category}</p>
    {rows.map((row) => (
      <p key={row.name} className="flex items-center gap-2">
        <span className="shrink-0">
          <ChartDrawing shapes={signOf(row, [SIGN.width / 2, SIGN.height / 2])} size={SIGN} />
        </span>
        <span className="min-w-0 flex-1 wrap-anywhere">{row.name}</span>
        <strong>{formatCount(row.value)}</strong>
      </p>
    ))}
    {restCount > 0 && <p className="text-muted">{restText(restCount)}</p>}
  </div>
)
