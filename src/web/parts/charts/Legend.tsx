import { ChartDrawing } from './ChartDrawing.tsx'
import type { ChartContent } from './content.ts'
import { drawnOf, nameOf, SIGN_PX, signOf } from './plot.ts'

const SIGN = { width: SIGN_PX, height: 16 }

const toggled = (hidden: ReadonlySet<string>, name: string) =>
  new Set(hidden.has(name) ? [...hidden].filter((one) => one !== name) : [...hidden, name])

type Props = { content: ChartContent; hidden: ReadonlySet<string>; onChange: (hidden: ReadonlySet<string>) => void }

/** Each name hides its line, and shows it again. */
export const Legend = ({ content, hidden, onChange }: Props) => (
  <ul aria-label="Legenda" className="flex max-h-40 flex-wrap justify-center gap-x-2 overflow-auto">
    {drawnOf(content).map((one) => {
      const isHidden = hidden.has(one.name)
      return (
        <li key={one.name} className="min-w-0">
          <button
            type="button"
            aria-pressed={!isHidden}
            onClick={() => onChange(toggled(hidden, one.name))}
            className={`flex min-h-11 items-center gap-2 rounded-md px-2 text-left text-sm hover:bg-hover ${isHidden ? 'text-muted line-through' : ''}`}
          >
            <span className="shrink-0">
              <ChartDrawing shapes={isHidden ? [] : signOf(one, [SIGN.width / 2, SIGN.height / 2])} size={SIGN} />
            </span>
            <span className="wrap-anywhere">{nameOf(one)}</span>
          </button>
        </li>
      )
    })}
  </ul>
)
