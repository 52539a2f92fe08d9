import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ScanBarcode } from 'lucide-react'
import { useState } from 'react'
import { type CutItem, items, type Part } from '../../../contract/items.ts'
import {
  type CorrectedForm,
  carriedCable,
  carriedSide,
  correctCable,
  correctSide,
  freshForms,
  gaugeText,
  isSectionOpen,
  itemCompletionPercent,
  machineText,
  type RecordingForms,
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
import { useFormKeys } from '../../parts/fields/useFormKeys.ts'
import { useSeenCorrection } from '../../parts/fields/useSeenCorrection.ts'
import { rereadStale } from '../../parts/lookups/copy-first.ts'
import { ProductHeader } from '../../parts/lookups/ProductHeader.tsx'
import { StaleNote } from '../../parts/lookups/StaleNote.tsx'
import { ApplicatorSelector } from '../../parts/selectors/ApplicatorSelector.tsx'
import { MachineSelector, machineTypeOf } from '../../parts/selectors/MachineSelector.tsx'
import { SealingStationSelector } from '../../parts/selectors/SealingStationSelector.tsx'
import { useSettings } from '../../parts/settings.ts'
import { WireColour } from '../../parts/wires/WireColour.tsx'
import { WireDrawing } from '../../parts/wires/WireDrawing.tsx'
import { type FormChange, useDraft } from '../../recording/drafts.ts'
import { itemDraft, kinds } from '../../recording/kinds.ts'
import { type RecordedHere, recordedAt } from '../../recording/queue.ts'
import { useItemHere } from '../../recording/queue-db.ts'
import { useRecorder } from '../../recording/useRecorder.ts'
import { query } from '../../server/query.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Later } from '../../ui/Later.tsx'
import { PageHeading, Section } from '../../ui/Page.tsx'
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
const placeOf = ({ Z1_FILIAL: branch, Z1_CODBAR: barcode }: CutItem) => ({ branch, barcode })

/** Of the item as the server has it: a draft that counted what waits on this device would count it twice after a reload. */
const useItemDraft = (item: CutItem, recorded: readonly RecordedHere[]) =>
  useDraft<RecordingForms>({
    key: itemDraft.keyOf(placeOf(item)),
    item,
    fresh: freshForms(item),
    recordedAt: (part) => recordedAt(recorded, { ...placeOf(item), part }),
    nextOf: { cabo: carriedCable, l1: carriedSide, l2: carriedSide },
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

type Props = {
  opened: CutItem
  /** What this device had recorded when the screen was opened. */
  recorded: readonly RecordedHere[]
  onLeave: () => void
}

export function ItemForm({ opened, recorded, onLeave }: Props) {
  const { item: read, dadosDe, isOutdated } = useItem(opened)
  const { item, here } = useItemHere(read)
  const { forceUnit, plants } = useSettings()
  const { forms, change, stepsOf } = useItemDraft(read, recorded)
  const recorder = useRecorder(kinds.cutCrimp, { place: placeOf(item) })
  const [pick, setPick] = useState<Pick | null>(null)
  const [areDocumentsOpen, setDocumentsOpen] = useState(false)
  useFormKeys({ isDialogOpen: pick !== null || areDocumentsOpen, onLeave })

  const corrections = useCorrections({ item, forms, change })
  const sections: SectionProps = {
    item,
    here,
    forms,
    forceUnit,
    change,
    onPick: setPick,
    onLeaveField: corrections.onLeaveField,
    register: {
      isOpen: (part) => isSectionOpen(item, part),
      ...recorder,
      stepsOf,
      onPressStart: corrections.onPressStart,
      isSeen: corrections.isSeen,
    },
  }
  const plant = plants.find(({ code }) => code === item.Z1_FILIAL)?.label ?? item.Z1_FILIAL

  return (
    <div className="@container flex flex-col gap-4">
      <PageHeading
        title={`Item ${item.Z1_ITEMEST}`}
        subtitle={`Ordem de produção ${item.Z1_OP} - Filial: ${plant}`}
        action={
          <div className="flex flex-wrap gap-2">
            <DocumentsButton work={workOf(item)} isOpen={areDocumentsOpen} onOpenChange={setDocumentsOpen} />
            <Button icon={<ArrowLeft {...icon.md} />} onPress={onLeave}>
              Voltar para a lista
            </Button>
          </div>
        }
      />
      <StaleNote readAt={dadosDe} />
      {isOutdated && (
        <p role="status" className="text-sm text-muted">
          Não foi possível atualizar o item. Os percentuais podem ter mudado.
        </p>
      )}
      <ProductHeader product={item} showTaxId />
      <ItemSection item={item} />
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
      {pick && <Selectors item={item} pick={pick} change={change} onClose={() => setPick(null)} />}
    </div>
  )
}
