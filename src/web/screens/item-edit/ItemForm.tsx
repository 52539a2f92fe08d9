import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ArrowRight, ScanBarcode } from 'lucide-react'
import { useRef, useState } from 'react'
import { type CutItem, items, type Part } from '../../../contract/items.ts'
import type { LimitReason } from '../../../contract/recordings.ts'
import { machineTypeOf } from '../../../domain/form-lists.ts'
import { forceLimit } from '../../../domain/order-limits.ts'
import {
  type CorrectedForm,
  correctCable,
  correctSide,
  defaultsOf,
  gaugeText,
  isSectionOpen,
  itemCompletionPercent,
  machineText,
  type RecordingForms,
  refusalOf,
  type SidePart,
  settleMeasurements,
} from '../../../domain/recording-form.ts'
import { present, sectionOf } from '../../../domain/recordings.ts'
import { orDash } from '../../app/format.ts'
import { showToast } from '../../device/toasts.ts'
import { CompletionBadge } from '../../parts/CompletionBadge.tsx'
import { DocumentsButton } from '../../parts/documents/DocumentsButton.tsx'
import type { WorkInHand } from '../../parts/documents/documents.ts'
import { Fact } from '../../parts/fields/fields.tsx'
import { useLimitQuestion } from '../../parts/fields/LimitDialog.tsx'
import { useFormKeys } from '../../parts/fields/useFormKeys.ts'
import { useSeenCorrection } from '../../parts/fields/useSeenCorrection.ts'
import { rereadStale } from '../../parts/lookups/copy-first.ts'
import { ProductHeader } from '../../parts/lookups/ProductHeader.tsx'
import { StaleNote } from '../../parts/lookups/StaleNote.tsx'
import { ScanLine } from '../../parts/scanner/useFormScans.tsx'
import { ApplicatorSelector } from '../../parts/selectors/ApplicatorSelector.tsx'
import { MachineSelector } from '../../parts/selectors/MachineSelector.tsx'
import { SealingStationSelector } from '../../parts/selectors/SealingStationSelector.tsx'
import { useSettings } from '../../parts/settings.ts'
import { WireColour } from '../../parts/wires/WireColour.tsx'
import { WireDrawing } from '../../parts/wires/WireDrawing.tsx'
import type { FormChange } from '../../recording/drafts.ts'
import { type FrozenCutCrimp, itemName, kinds, type PressedItem } from '../../recording/kinds.ts'
import { type Recorded, useItemHere } from '../../recording/queue-db.ts'
import { useRecorder } from '../../recording/useRecorder.ts'
import { query } from '../../server/query.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Later } from '../../ui/Later.tsx'
import { PageHeading, Section } from '../../ui/Page.tsx'
import { useFinished } from './FinishedPart.tsx'
import { placeOf, useItemForm } from './scanning.ts'
import { CableSection, type Pick, type SectionProps, SideSections } from './sections.tsx'

type SelectorsProps = { item: CutItem; pick: Pick; change: FormChange<RecordingForms>; onClose: () => void }

/** The list that a 'Selecionar' button opened; what is chosen goes into its field. */
export function Selectors({ item, pick, change, onClose }: SelectorsProps) {
  if (pick.kind === 'machine') {
    return (
      <MachineSelector
        branch={item.Z1_FILIAL}
        type={machineTypeOf[pick.part]}
        onSelect={(machine) => {
          change(pick.part, (form) => ({ ...form, machine: machineText(machine) }))
          onClose()
        }}
        onClose={onClose}
      />
    )
  }
  const { part } = pick
  const { terminal, seal } = sectionOf(item, part)
  if (pick.kind === 'applicator') {
    return (
      <ApplicatorSelector
        terminal={terminal}
        onSelect={({ miniaplicator }) => {
          change(part, (form) => settleMeasurements({ ...form, applicator: miniaplicator }))
          onClose()
        }}
        onClose={onClose}
      />
    )
  }
  return (
    <SealingStationSelector
      seal={seal}
      onSelect={({ sealingStationName }, { failed }) => {
        change(part, (form) => ({ ...form, station: sealingStationName, stationLookupFailed: failed }))
        onClose()
      }}
      onClose={({ failed }) => {
        if (failed) change(part, (form) => ({ ...form, stationLookupFailed: true }))
        onClose()
      }}
    />
  )
}

export const ItemSection = ({ item }: { item: CutItem }) => (
  <Section
    title="Item"
    icon={<ScanBarcode {...icon.md} />}
    badge={<CompletionBadge percent={itemCompletionPercent(item)} />}
  >
    <div className="grid items-center gap-x-6 gap-y-4 @4xl:grid-cols-[minmax(0,1fr)_22rem]">
      <WireDrawing
        wire={{
          colour: item.Z1_COR,
          gauge: item.Z1_BITOLA,
          marking: item.Z1_GRAVA,
          barcode: item.Z1_CODBAR,
          lengthMm: item.Z1_COMPR,
          left: { kind: 'crimp', ...endsOf(item, 'l1') },
          right: { kind: 'crimp', ...endsOf(item, 'l2') },
        }}
      />
      <dl className="flex flex-wrap gap-x-6 gap-y-2">
        <Fact label="Item">{item.Z1_ITEMEST}</Fact>
        <Fact label="Cor">
          <WireColour code={item.Z1_COR} />
        </Fact>
        <Fact label="Bitola">{gaugeText(item.Z1_BITOLA)} mm²</Fact>
        <Fact label="Gravação">{orDash(item.Z1_GRAVA)}</Fact>
        <Fact label="Código de barras">{item.Z1_CODBAR}</Fact>
      </dl>
    </div>
  </Section>
)

const endsOf = (item: CutItem, side: SidePart) => {
  const { terminal, seal } = sectionOf(item, side)
  return { terminal, seal }
}

/** Read again on opening: the list or the draft that it came from may be hours old. */
function useItem(opened: CutItem) {
  const reading = useQuery({
    ...query(items.get, { params: { codigoBarras: opened.Z1_CODBAR }, query: { filial: opened.Z1_FILIAL } }),
    initialData: { item: opened, dadosDe: null },
    initialDataUpdatedAt: 0,
    gcTime: 0,
    refetchInterval: rereadStale,
  })
  return { ...reading.data, isOutdated: reading.isError }
}

const workOf = ({ Z1_PRODUTO, Z1_REVCLI, Z1_TERML1, Z1_TERML2 }: CutItem): WorkInHand => ({
  product: Z1_PRODUTO.trim(),
  revision: Z1_REVCLI.trim(),
  terminals: [present(Z1_TERML1)?.trim() ?? '', present(Z1_TERML2)?.trim() ?? ''],
})

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

type Recorder = ReturnType<typeof useRecorder<FrozenCutCrimp, PressedItem>>

/** Before a force below the order's minimum is registered it is asked why. */
function useAskedRecorder(recorder: Recorder, forceUnit: string) {
  const { ask, dialog } = useLimitQuestion()
  const register: Recorder['register'] = async (pressed, steps) => {
    const { item, part, forms } = pressed
    if (part === 'cabo') return await recorder.register(pressed, steps)
    const { text: force } = forms[part].force
    const wrong = forceLimit(force, defaultsOf(item, part).pullForceMin, forceUnit)?.wrong
    if (!wrong || refusalOf(item, part, forms) !== null) return await recorder.register(pressed, steps)
    const onReason = (limitReason: LimitReason) =>
      void recorder.register({ item, part, forms: { ...forms, [part]: { ...forms[part], limitReason } } }, steps)
    ask({ wrong, force, onReason })
  }
  return { recorder: { ...recorder, register }, dialog }
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

const OutdatedNote = () => (
  <p role="status" className="text-sm text-muted">
    Não foi possível atualizar o item. Os percentuais podem ter mudado.
  </p>
)

type HeadProps = {
  item: CutItem
  documents: { isOpen: boolean; onOpenChange: (isOpen: boolean) => void }
  onLeave: () => void
}

function ItemHead({ item, documents, onLeave }: HeadProps) {
  const { plants } = useSettings()
  const plant = plants.find(({ code }) => code === item.Z1_FILIAL)?.label ?? item.Z1_FILIAL
  return (
    <PageHeading
      title={`Item ${item.Z1_ITEMEST}`}
      subtitle={`Ordem de produção ${item.Z1_OP} - Filial: ${plant}`}
      action={
        <div className="flex flex-wrap gap-2">
          <DocumentsButton work={workOf(item)} {...documents} />
          <Button icon={<ArrowLeft {...icon.md} />} onPress={onLeave}>
            Voltar para a lista
          </Button>
        </div>
      }
    />
  )
}

type Props = {
  opened: CutItem
  /** What this device had recorded when the screen was opened. */
  recorded: readonly Recorded[]
  onLeave: () => void
  /** Another item, in the place of this one. */
  onOpen: (item: CutItem) => void
}

const partNames: Record<Part, string> = { cabo: 'Cabo', l1: 'Lado 1', l2: 'Lado 2' }
const nameOfPart = (part: Part) => partNames[part]

export function ItemForm({ opened, recorded, onLeave, onOpen }: Props) {
  const { item: read, dadosDe, isOutdated } = useItem(opened)
  const { item, here } = useItemHere(read)
  const { forceUnit } = useSettings()
  const { recorder, dialog } = useAskedRecorder(
    useRecorder(kinds.cutCrimp, { place: placeOf(item), itemOf: () => itemName(item) }),
    forceUnit,
  )
  const [pick, setPick] = useState<Pick | null>(null)
  const [areDocumentsOpen, setDocumentsOpen] = useState(false)
  const isDialogOpen = pick !== null || areDocumentsOpen || dialog !== null
  useFormKeys({ isDialogOpen, onLeave })
  const root = useRef<HTMLDivElement>(null)
  const form = withRefusals(useItemForm({ root, isDialogOpen, item, read, recorded, onOpen }), recorder)
  const { typed, change, next } = form
  const corrections = useCorrections({ item, forms: typed, change })
  const recordingsOf = useFinished({ item, here }, recorded)
  const sections: SectionProps = {
    ...form,
    recordingsOf,
    item,
    here,
    forceUnit,
    onPick: setPick,
    onLeaveField: corrections.onLeaveField,
    register: {
      isOpen: (part) => isSectionOpen(item, part),
      isFinished: (part) => !isSectionOpen(item, part) && !recorder.isBusy(part),
      ...recorder,
      register: (pressed, steps) => {
        form.onPressed(pressed.part)
        return recorder.register(pressed, steps)
      },
      stepsOf: form.stepsOf,
      ...corrections,
    },
  }
  return (
    <div ref={root} {...form.cursor.rootProps} className="@container flex flex-col gap-4">
      <ItemHead
        item={item}
        documents={{ isOpen: areDocumentsOpen, onOpenChange: setDocumentsOpen }}
        onLeave={onLeave}
      />
      <StaleNote readAt={dadosDe} />
      {isOutdated && <OutdatedNote />}
      <ProductHeader product={item} showTaxId />
      <ItemSection item={item} />
      <ScanLine scans={form.scans} hint="Leia o lote, a máquina, o mini aplicador ou a seladora." partName={nameOfPart}>
        {next && (
          <Button variant="primary" wide icon={<ArrowRight {...icon.md} />} onPress={() => onOpen(next)}>
            Próximo item aberto: {next.Z1_ITEMEST}
          </Button>
        )}
      </ScanLine>
      {/* So many fields come one section after the other. */}
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
      {dialog}
      {pick && <Selectors item={item} pick={pick} change={change} onClose={() => setPick(null)} />}
    </div>
  )
}
