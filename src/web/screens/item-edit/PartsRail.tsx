import { Circle, CircleAlert, CircleArrowRight, CircleCheck } from 'lucide-react'
import { useLayoutEffect } from 'react'
import { type CutItem, type Part, parts } from '../../../contract/items.ts'
import { isDoneOutside, type PartRecording } from '../../../domain/acts/finished-parts.ts'
import { sectionOf } from '../../../domain/acts/recordings.ts'
import { emptyFields, formFields } from '../../../domain/forms/form-fields.ts'
import { openParts } from '../../../domain/forms/form-lists.ts'
import { isSectionOpen } from '../../../domain/forms/recording-form.ts'
import { icon } from '../../ui/icon-sizes.ts'
import type { useItemWork } from './item-work.ts'
import { partNames } from './sections.tsx'

type Work = ReturnType<typeof useItemWork>['work']

/** The part that is worked on: that of the cursor, or of what is measured or picked, and until another one is, the last. */
export function usePartInHand(first: Part, { cursor, refusalAt }: Work, inDialog: Part | undefined) {
  const { part, takePart, moveTo } = cursor
  const hand = inDialog ?? part ?? first
  const isDrawn = hand === part
  if (!isDrawn) takePart(hand)
  // the box was not on screen when the cursor was put there
  // biome-ignore lint/correctness/useExhaustiveDependencies: once another part is in hand
  useLayoutEffect(() => {
    const place = cursor.now()
    const isElsewhere = !document.activeElement?.closest(`[data-part=${hand}]`)
    if (!isDrawn || !isElsewhere || place?.part !== hand || !place.field) return
    // what was refused is replaced by what is read or typed next
    moveTo({ part: hand, field: place.field }, refusalAt(hand, place.field) !== undefined)
  }, [hand])
  return { hand, takePart }
}

const marks = {
  refused: { Icon: CircleAlert, ink: 'text-bad-ink' },
  done: { Icon: CircleCheck, ink: 'text-ok-ink' },
  hand: { Icon: CircleArrowRight, ink: 'text-brand-ink' },
  open: { Icon: Circle, ink: 'text-muted' },
}

/** What is still to be done in a part, or with which lot it was. */
function stateOf(part: Part, { item, work, recordingsOf }: Pick<Props, 'item' | 'work' | 'recordingsOf'>) {
  const fields = part === 'cabo' ? formFields.cable : formFields.side
  if (part !== 'cabo' && sectionOf(item, part).terminal === null) return { mark: 'open' as const, text: 'sem terminal' }
  const recordings = recordingsOf(part)
  if (!isSectionOpen(item, part) && isDoneOutside(recordings))
    return { mark: 'refused' as const, text: 'fora do plano' }
  if (!isSectionOpen(item, part)) return { mark: 'done' as const, text: recordings[0]?.lote || 'pronto' }
  if ([null, ...fields.map(({ name }) => name)].some((field) => work.refusalAt(part, field) !== undefined))
    return { mark: 'refused' as const, text: 'recusado' }
  const missing = emptyFields(fields, work.forms[part]).map(({ label }) => label.toLowerCase())
  return { mark: 'open' as const, text: missing.length === 0 ? 'registrar' : `falta ${missing.join(', ')}` }
}

type Props = {
  item: CutItem
  work: Work
  hand: Part
  recordingsOf: (part: Part) => readonly PartRecording[]
  onTake: (part: Part) => void
}

/** The parts of an item, for fingers: one is in hand, of the others it says what is missing, and leads there. */
export const PartsRail = ({ hand, onTake, ...of }: Props) => (
  <nav aria-label="Partes do item" className="hidden gap-2 md:flex-col pointer-coarse:flex">
    {parts.map((part) => {
      const { mark, text } = stateOf(part, of)
      const isInHand = part === hand
      const { Icon, ink } = marks[isInHand && mark === 'open' ? 'hand' : mark]
      return (
        <button
          key={part}
          type="button"
          aria-current={isInHand ? 'step' : undefined}
          onClick={() => onTake(part)}
          className={`flex min-h-24 min-w-0 flex-1 items-start gap-2 rounded-lg border px-3 py-2 text-left ${isInHand ? 'border-brand bg-brand-soft' : 'border-line bg-surface'}`}
        >
          <Icon {...icon.md} className={`shrink-0 ${ink}`} />
          <span className="min-w-0">
            <span className="block font-semibold">{partNames[part]}</span>
            <span className={`block text-sm wrap-anywhere ${mark === 'refused' ? 'text-bad-ink' : 'text-muted'}`}>
              {text}
            </span>
          </span>
        </button>
      )
    })}
  </nav>
)

/** The first part that is open, else the cable. */
export const firstInHand = (item: CutItem): Part => openParts(item)[0] ?? 'cabo'
