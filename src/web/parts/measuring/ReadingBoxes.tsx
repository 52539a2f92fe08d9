import { limitsText, READING_DECIMALS, readMilli } from '../../../domain/quality/control-plans.ts'
import { boxProblem, boxVerdict } from '../../../domain/quality/measuring.ts'
import { checkCommaText, plausibility } from '../../../domain/quality/sampling.ts'
import { DecimalField } from '../fields/DecimalField.tsx'
import { Tolerance } from '../fields/Tolerance.tsx'
import { hasKeypad } from './Keypad.tsx'
import type { Group } from './readings.ts'
import type { Boxes } from './useBoxes.ts'

const names = { altura: 'Altura de crimpagem', forca: 'Força de extração' }

type Props = { group: Group; boxes: Boxes }

/** Error or verdict of a box; none before it was left. */
function saidOf({ characteristic, texts, limits, expected, unit }: Group, at: number) {
  const text = texts[at] ?? ''
  const reading = readMilli(text)
  const verdict = boxVerdict(characteristic, text, limits, unit)
  const isDoubtful = reading !== null && expected !== null && plausibility(expected, [reading]) !== 'plausivel'
  const comma = isDoubtful && expected !== null ? `${checkCommaText(expected, unit)}.` : ''
  const wrong = boxProblem(text, texts) ?? (verdict?.isInside === false ? verdict.text : null)
  return { error: [wrong, comma].filter(Boolean).join(' ') || undefined, inside: verdict?.isInside ? verdict.text : '' }
}

/** The readings of one characteristic; its limits stay in sight. */
export function ReadingBoxes({ group, boxes }: Props) {
  const { characteristic, texts, unit, limits, start } = group
  return (
    <fieldset>
      <legend className="mb-1 flex flex-wrap items-baseline gap-x-3">
        <span className="font-semibold">
          {names[characteristic]}
          {unit && ` (${unit})`}
        </span>
        <span className="code text-lg font-semibold">{limits ? limitsText(limits) : 'sem limite'}</span>
        {limits && characteristic === 'forca' && <span className="text-sm text-muted">em cada puxada</span>}
      </legend>
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-3">
        {texts.map((text, at) => {
          const box = `${characteristic} ${at}`
          const { error, inside } = boxes.isLeft(box) ? saidOf(group, at) : { error: undefined, inside: '' }
          return (
            <div key={box} className="flex min-w-0 flex-col">
              <DecimalField
                label={`Leitura ${at + 1}`}
                decimals={READING_DECIMALS}
                start={start}
                maxLength={9}
                value={boxes.textIn(box)}
                inputMode={hasKeypad() ? 'none' : undefined}
                onChange={(typed) => boxes.type(box, typed)}
                // a line of its own from the start: what is said later moves nothing
                description={inside ? <span className="font-medium text-ok-ink">{inside}</span> : '\u00a0'}
                error={error}
                {...boxes.of(box)}
              />
              <Tolerance limits={limits} text={boxes.isLeft(box) ? text : ''} />
            </div>
          )
        })}
      </div>
    </fieldset>
  )
}
