import { ArrowRight } from 'lucide-react'
import { memo, useDeferredValue, useRef, useState } from 'react'
import type { CutItem, Part } from '../../../contract/items.ts'
import { type Lists, openParts } from '../../../domain/acts/form-lists.ts'
import { forceLimit } from '../../../domain/acts/order-limits.ts'
import {
  type CorrectedForm,
  correctCable,
  correctSide,
  defaultsOf,
  isSectionOpen,
  quantityText,
  type RecordingForms,
} from '../../../domain/acts/recording-form.ts'
import { readNumber } from '../../../domain/text/numbers.ts'
import { type FrozenCutCrimp, itemName, type PressedItem } from '../../acts/cut-crimp.ts'
import type { FormChange } from '../../acts/drafts.ts'
import { kinds } from '../../acts/kinds.ts'
import { type Recorded, useItemHere } from '../../acts/queue-db.ts'
import { showToast } from '../../device/toasts.ts'
import { useWorkForm } from '../../forms/useWorkForm.ts'
import { useFormKeys } from '../../parts/fields/useFormKeys.ts'
import { useSeenCorrection } from '../../parts/fields/useSeenCorrection.ts'
import { LateDialog } from '../../parts/LateDialog.tsx'
import { useItemLists } from '../../parts/lookups/known.ts'
import { StaleNote } from '../../parts/lookups/StaleNote.tsx'
import { OthersDraft } from '../../parts/OthersDraft.tsx'
import { Denied } from '../../parts/permissions.tsx'
import { ScanLine } from '../../parts/scanner/useFormScans.tsx'
import { useSettings } from '../../parts/settings.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Later } from '../../ui/Later.tsx'
import { useFinished } from './FinishedPart.tsx'
import { AboutItem, ItemHead, useScrolledPast } from './ItemHead.tsx'
import { useItem } from './item.ts'
import { useItemPlan } from './item-plan.ts'
import { type Measured, placeOf, useItemForm } from './scanning.ts'
import { CableSection, type Pick, type SectionProps, SideSections } from './sections.tsx'

const loadSelectors = async () => (await import('./Selectors.tsx')).Selectors

type Typed = { item: CutItem; forms: RecordingForms; change: FormChange<RecordingForms> }

/** Brings what was typed within its bounds, with a warning. */
function useCorrections({ item, forms, change }: Typed) {
  const correctInto = <P extends Part>(part: P, { form, warnings }: CorrectedForm<RecordingForms[P]>): boolean => {
    if (JSON.stringify(form) !== JSON.stringify(forms[part])) change(part, () => form)
    for (const text of warnings) showToast({ kind: 'warning', text })
    return warnings.length > 0
  }
  return useSeenCorrection((part: Part) =>
    part === 'cabo'
      ? correctInto(part, correctCable(forms.cabo, item, part))
      : correctInto(part, correctSide(forms[part], item, part)),
  )
}

type Recorder = ReturnType<typeof useWorkForm<FrozenCutCrimp, PressedItem>>

/** What its checks ask about; a cut has none. */
function factsOf({ item, part, forms }: PressedItem, judge: SectionProps['judge'], forceUnit: string) {
  if (part === 'cabo') return null
  const form = forms[part]
  const { text: force } = form.force
  const pecas = readNumber(quantityText(form, item, part))
  const gate = judge(part, forms)?.gate ?? null
  const place = { filial: item.Z1_FILIAL, codigoBarras: item.Z1_CODBAR, ordem: item.Z1_OP, parte: part, pecas }
  return {
    force,
    forceLimit: forceLimit(force, defaultsOf(item, part).pullForceMin, forceUnit),
    plan: gate && { facts: gate, place },
  }
}

type FormEvents = { judge: SectionProps['judge']; onPressed: (part: Part) => void; onDialog: (isOpen: boolean) => void }

function useItemWork(item: CutItem, forceUnit: string, { judge, onPressed, onDialog }: FormEvents) {
  return useWorkForm(kinds.cutCrimp, {
    place: placeOf(item),
    itemOf: () => itemName(item),
    factsOf: (pressed) => factsOf(pressed, judge, forceUnit),
    withAnswers: ({ item, part, forms }, answers) => ({
      ...{ item, part, forms: { ...forms, [part]: { ...forms[part], ...answers } } },
    }),
    onPressed: ({ part }) => onPressed(part),
    onDialog,
  })
}

type Refusable = { missing: SectionProps['missing']; change: SectionProps['change'] }

/** What was refused is said at its field, until something of that part is changed. */
const withRefusals = <Form extends Refusable>(form: Form, recorder: Recorder): Form => ({
  ...form,
  missing: (part, field) => form.missing(part, field) ?? recorder.refusalAt(part, field),
  change: (part, apply) => {
    recorder.forgetRefusal(part)
    form.change(part, apply)
  },
})

const GoneNote = () => (
  <Alert isUntitled>Este item não está mais no ERP. Nada mais pode ser apontado nele: avise o PCP.</Alert>
)

const OutdatedNote = () => (
  <p role="status" className="text-sm text-muted">
    Não foi possível atualizar o item. Os percentuais podem ter mudado.
  </p>
)

type Props = {
  opened: CutItem
  /** What this device had recorded when the screen was opened. */
  recorded: readonly Recorded[]
  lists: Lists
  onLeave: () => void
  /** Another item, in the place of this one. */
  onOpen: (item: CutItem) => void
}

const partNames: Record<Part, string> = { cabo: 'Cabo', l1: 'Lado 1', l2: 'Lado 2' }
const nameOfPart = (part: Part) => partNames[part]

/** So many fields come one section after the other. */
const Parts = (sections: SectionProps) => (
  <>
    <Later>
      <CableSection {...sections} />
    </Later>
    <div className="grid grid-cols-1 items-start gap-4 empty:hidden @4xl:grid-cols-2">
      <Later turns={2}>
        <SideSections part="l1" {...sections} />
      </Later>
      <Later turns={3}>
        <SideSections part="l2" {...sections} />
      </Later>
    </div>
  </>
)

/** Those that the form opens itself. */
function useDialogs() {
  const [pick, setPick] = useState<Pick | null>(null)
  const [areDocumentsOpen, setDocumentsOpen] = useState(false)
  const [isCalling, setCalling] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const [measuring, setMeasuring] = useState<Measured | null>(null)
  return {
    pick,
    setPick,
    documents: { isOpen: areDocumentsOpen, onOpenChange: setDocumentsOpen },
    measuring,
    setMeasuring,
    setCalling,
    setAsked,
    isDialogOpen: pick !== null || areDocumentsOpen || isCalling || measuring !== null || isAsked,
  }
}

function Form({ opened: from, recorded, lists, onLeave, onOpen }: Props) {
  const { item: read, dadosDe, age, isGone, isOutdated } = useItem(from)
  const { item, here } = useItemHere(read)
  const { forceUnit } = useSettings()
  const { pick, setPick, documents, measuring, setMeasuring, setCalling, setAsked, isDialogOpen } = useDialogs()
  useFormKeys({ isDialogOpen, onLeave })
  const root = useRef<HTMLDivElement>(null)
  const opened = { root, isDialogOpen, item, lists, read, recorded, onOpen, onMeasuring: setMeasuring }
  const itemForm = useItemForm(opened)
  const judge = useItemPlan({ item, here })
  const work = useItemWork(item, forceUnit, { judge, onPressed: itemForm.onPressed, onDialog: setAsked })
  const form = withRefusals(itemForm, work)
  const { typed, change, next } = form
  const { head, isScrolledPast } = useScrolledPast()
  const partInHand = form.cursor.cursor?.part ?? openParts(item)[0]
  const corrections = useCorrections({ item, forms: typed, change })
  const recordingsOf = useFinished({ item, here }, recorded)
  const sections: SectionProps = {
    ...form,
    recordingsOf,
    age,
    item,
    here,
    forceUnit,
    onPick: setPick,
    judge,
    onCalling: setCalling,
    measuring,
    onLeaveField: corrections.onLeaveField,
    register: {
      isOpen: (part) => isSectionOpen(item, part),
      isGone,
      isFinished: (part) => !isSectionOpen(item, part) && !work.isBusy(part),
      ...work,
      stepsOf: form.stepsOf,
      ...corrections,
    },
  }
  return (
    // What takes the focus is not to lie under the bar that stays at the top.
    <div ref={root} {...form.cursor.rootProps} className="@container flex flex-col gap-4 [&_input]:scroll-mt-40">
      <ItemHead ref={head} item={item} documents={documents} onLeave={onLeave} />
      <StaleNote readAt={dadosDe} />
      {isGone && <GoneNote />}
      <Denied permission="record" />
      <OthersDraft of={form.others} />
      {isOutdated && <OutdatedNote />}
      <ScanLine
        scans={form.scans}
        hint="Leia o lote, a máquina, o mini aplicador ou a seladora."
        partName={nameOfPart}
        about={isScrolledPast && <AboutItem item={item} part={partInHand && nameOfPart(partInHand)} />}
      >
        {next && (
          <Button variant="primary" wide icon={<ArrowRight {...icon.md} />} onPress={() => onOpen(next)}>
            Próximo item aberto: {next.Z1_ITEMEST}
          </Button>
        )}
      </ScanLine>
      <Parts {...sections} />
      {work.dialog}
      {pick && <LateDialog load={loadSelectors} {...{ item, pick, change }} onClose={() => setPick(null)} />}
    </div>
  )
}

const MemoizedForm = memo(Form)

/** Six lists arrive one after the other when it is opened: so many fields are drawn anew for what came together. */
export function ItemForm(props: Omit<Props, 'lists'>) {
  const lists = useDeferredValue(useItemLists(props.opened.Z1_FILIAL))
  return <MemoizedForm {...props} lists={lists} />
}
