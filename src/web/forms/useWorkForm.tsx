import { useRef } from 'react'
import type { CorrectedForm } from '../../domain/forms/form-edits.ts'
import { textOf } from '../../domain/forms/form-fields.ts'
import { forceLimit } from '../../domain/forms/order-limits.ts'
import { piecesText } from '../../domain/text/numbers.ts'
import type { WorkAct } from '../acts/act.ts'
import type { FrozenAct } from '../acts/kinds.ts'
import { dropOwnRefusal, readOwnRefusals } from '../acts/own-refusals.ts'
import { useRecorder } from '../acts/useRecorder.ts'
import { showToast } from '../device/toasts.ts'
import type { MeasuredTexts } from '../parts/measuring/Measuring.tsx'
import type { Work } from '../parts/measuring/work.ts'
import { useSettings } from '../parts/settings.ts'
import { type PressFacts, useChecks } from './useChecks.tsx'
import { type FieldsSubject, onceSaved, type PartForms, useFields } from './useFields.ts'
import { type LateRefusal, type LateRefusals, useLateRefusals, useSayLate } from './useLateRefusals.ts'
import type { Judged } from './usePlan.ts'
import { FieldSelector, type FieldsControl } from './WorkFields.tsx'

type Subject<Forms extends PartForms<Forms>, F extends FrozenAct, Pressed> = FieldsSubject<Forms> & {
  screen: Parameters<typeof useRecorder<F, Pressed>>[1]
  pressedOf: (part: keyof Forms & string, forms: Forms) => Pressed
  /** Brings what was typed within its bounds, with a warning. */
  correct: { [P in keyof Forms]: (typed: Forms[P]) => CorrectedForm<Forms[P]> }
  limitsOf: (part: keyof Forms & string) => FieldsControl['limits']
  quantityOf: (part: keyof Forms & string, forms: Forms) => FieldsControl['quantity']
  /** Null: nothing of it is measured, nor checked. */
  judge: (part: keyof Forms & string, forms: Forms) => Judged | null
  /** Of what can be measured: the form with the values of a sample. */
  withMeasured: { [P in keyof Forms]?: (form: Forms[P], texts: MeasuredTexts) => Forms[P] }
  /** What else is done once a part is on disk. */
  onward?: (
    part: keyof Forms & string,
    standing: Pick<Fields<Forms>, 'forms' | 'cursor'> & { isOnWay: (part: keyof Forms & string) => boolean },
  ) => () => void
}

/** The place of work and the pieces that a release would be good for. */
const placeOf = ({ branch, order, part, barcode, junction, quantity }: Work) => ({
  ...{ filial: branch, ordem: order, parte: part, pecas: quantity },
  ...(part === 'juncao' ? { posicao: junction } : { codigoBarras: barcode }),
})

/**
 * Brings what was typed within its bounds, and knows whether the operator has seen it. `correct` warns of what it
 * changes, and says whether it did.
 */
function useSeenCorrection<Section>(correct: (section: Section) => boolean) {
  const correctedInPress = useRef(false)
  return {
    onLeaveField: (section: Section) => {
      if (correct(section)) correctedInPress.current = true
    },
    /** Before the press takes the focus from a field: what was corrected earlier has been seen. */
    onPressStart: () => {
      correctedInPress.current = false
    },
    /** False when this very press corrected something: the next one registers it. */
    isSeen: (section: Section): boolean => {
      const isUnseen = correctedInPress.current || correct(section)
      correctedInPress.current = false
      return !isUnseen
    },
  }
}

type Fields<Forms extends PartForms<Forms>> = ReturnType<typeof useFields<Forms>>

/** 'Registrar' of each part: what is corrected and checked before it, and its recorder. */
function useRegister<Forms extends PartForms<Forms>, F extends FrozenAct, Pressed>(
  kind: WorkAct<F, Pressed>,
  subject: Subject<Forms, F, Pressed> & { late: LateRefusals<Forms> },
  { forms, formsNow, onMissed, stepsOf, ...fields }: Fields<Forms>,
) {
  type Part = keyof Forms & string
  const { dialogs, pressedOf, judge, limitsOf } = subject
  const { forceUnit } = useSettings()
  const { change, refusals, refusalAt, goBack, scans } = fields
  /** Green is done and within its plan, as far as this form knows. */
  const onDone = (act: F, word: string): boolean => {
    const part = kind.work.draft.sectionOf(kind.placeOf(act.payload)) as Part
    const isWithin = (id: string) => forms[part].samples?.some((one) => one.id === id && !one.made?.form.acao)
    const isGood = act.payload.captura?.medicoes?.every(isWithin) ?? true
    return scans.sayDone(`${word}: ${piecesText(kind.work.piecesIn(act.payload))}`, part, isGood)
  }
  const { register: record, ...recorder } = useRecorder(kind, { ...subject.screen, refusals, onDone })
  const { check, dialog } = useChecks(dialogs.setAsked)
  const corrections = useSeenCorrection((part: Part) => {
    // a reading that moves the cursor leaves the box before what it fills in is drawn
    const typed = formsNow()[part]
    const { form, warnings } = subject.correct[part](typed)
    if (JSON.stringify(form) !== JSON.stringify(typed)) change(part, () => form)
    for (const text of warnings) showToast({ kind: 'warning', text })
    return warnings.length > 0
  })
  const factsOf = (part: Part): PressFacts | null => {
    const judged = judge(part, forms)
    if (!judged) return null
    const { gate, work } = judged
    const force = textOf(forms[part].force)
    return {
      force,
      forceLimit: forceLimit(force, limitsOf(part).pullForceMin, forceUnit),
      plan: gate && { facts: gate, place: placeOf(work) },
    }
  }
  const register = async (part: Part) => {
    if (!corrections.isSeen(part)) return
    const steps = stepsOf(part)
    const onward = subject.onward?.(part, { forms, cursor: fields.cursor, isOnWay: recorder.isOnWay })
    const isComplete = kind.work.refusalOf(pressedOf(part, forms)) === null
    const facts = isComplete ? factsOf(part) : null
    const answers = facts ? await check(facts) : {}
    if (!answers) return
    const replaces = subject.late[part]?.id
    const onwards = onceSaved({ ...steps, replaces }, () => {
      if (replaces) dropOwnRefusal(replaces)
      onward?.()
      goBack()
    })
    const recorded = record(pressedOf(part, { ...forms, [part]: { ...forms[part], ...answers } }), onwards)
    if (!isComplete) onMissed(part)
    await recorded
    if (replaces) readOwnRefusals()
  }
  const { onLeaveField, onPressStart } = corrections
  return { ...recorder, ...{ register, dialog, refusalAt, onLeaveField, onPressStart } }
}

/** The form of work that makes pieces: its fields, the checks before 'Registrar', their dialog, and its recorder. */
export function useWorkForm<Forms extends PartForms<Forms>, F extends FrozenAct, Pressed>(
  kind: WorkAct<F, Pressed>,
  subject: Subject<Forms, F, Pressed>,
) {
  type Part = keyof Forms & string
  const { parts, dialogs, settle } = subject
  const { forceUnit } = useSettings()
  const late = useLateRefusals<Forms, F, Pressed>(kind, subject.screen.place)
  const returned = Object.fromEntries(
    Object.entries(late).map(([part, refusal]) => [part, (refusal as LateRefusal<object>).form]),
  ) as Partial<Forms>
  const fields = useFields({ ...subject, draft: { ...subject.draft, returned } })
  useSayLate<Part>(
    late,
    (part) => parts[part].isOpen,
    ({ part, field, reason, lot }) => fields.takeLate(part, { lot }, { text: reason, field }),
  )
  const { root, forms, cursor, scans, others, change, put } = fields
  const recorder = useRegister(kind, { ...subject, late }, fields)
  const judgements = Object.entries(parts).map(([part]) => [part, subject.judge(part as Part, forms)])
  const judged = Object.fromEntries(judgements) as Record<Part, Judged | null>
  /** A part as `WorkFields` draws it. */
  const controlOf = (part: Part, isDisabled: boolean): FieldsControl => ({
    form: forms[part],
    open: isDisabled ? [] : parts[part].fields,
    change: (name, value) =>
      // a lot is whole once its box is left
      name === 'lot' ? change(part, (before) => ({ ...before, lot: value })) : put(part, { [name]: value }),
    onLeave: (name) => (name === 'lot' ? fields.correct(part, settle[part]) : recorder.onLeaveField(part)),
    onPick: (field) => dialogs.setPick({ part, field }),
    cursorOf: (name, hasKeyboard) => cursor.of(part, name, hasKeyboard),
    missing: (name) => fields.missing(part, name) ?? recorder.refusalAt(part, name),
    offeredLot: fields.lotFor(part),
    limits: subject.limitsOf(part),
    judgements: judged[part]?.judgements,
    quantity: subject.quantityOf(part, forms),
  })
  /** The plan of a part, and the way to measure by it, as `MeasuringRoom` draws it. */
  const measuringOf = <P extends Part>(part: P) => ({
    ...{ judged: judged[part], forceUnit },
    opened: dialogs.measuring?.part === part ? dialogs.measuring : null,
    onOpen: (opened: { instrument: string } | null) =>
      opened ? fields.measure(part, opened.instrument) : dialogs.setMeasuring(null),
    change: (apply: (form: Forms[P]) => Forms[P]) => change(part, apply),
    filled: (form: Forms[P], texts: MeasuredTexts) => subject.withMeasured[part]?.(form, texts) ?? form,
  })
  /** Scrap of a part, as `ScrapAtWork` draws it. */
  const scrapOf = (part: Part) => ({
    opened: dialogs.scrapping?.part === part ? dialogs.scrapping : null,
    onOpen: (opened: { reason: string } | null) => dialogs.setScrapping(opened && { part, ...opened }),
    onListing: dialogs.setListing,
  })
  const { pick, setPick } = dialogs
  const picker = pick && (
    <FieldSelector
      {...{ branch: subject.branch, field: pick.field, part: parts[pick.part] }}
      put={(values) => put(pick.part, values)}
      onClose={() => setPick(null)}
    />
  )
  return { ...recorder, ...{ root, forms, cursor, scans, others, controlOf, measuringOf, scrapOf, picker }, late }
}
