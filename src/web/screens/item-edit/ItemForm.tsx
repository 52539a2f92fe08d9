import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { type CutItem, items, type Part } from '../../../contract/items.ts'
import {
  type CorrectedForm,
  carriedCable,
  carriedSide,
  correctCable,
  correctSide,
  freshForms,
  isSectionOpen,
  type RecordingForms,
} from '../../../domain/recording-form.ts'
import { present } from '../../../domain/recordings.ts'
import { showToast } from '../../device/toasts.ts'
import { DocumentsButton } from '../../parts/documents/DocumentsButton.tsx'
import type { WorkInHand } from '../../parts/documents/documents.ts'
import { useFormKeys } from '../../parts/fields/useFormKeys.ts'
import { useSeenCorrection } from '../../parts/fields/useSeenCorrection.ts'
import { rereadStale } from '../../parts/lookups/items.ts'
import { ProductHeader } from '../../parts/lookups/ProductHeader.tsx'
import { StaleNote } from '../../parts/lookups/StaleNote.tsx'
import { useSettings } from '../../parts/settings.ts'
import { type FormChange, useDraft } from '../../recording/drafts.ts'
import { itemDraft, kinds } from '../../recording/kinds.ts'
import { type RecordedHere, recordedAt } from '../../recording/queue.ts'
import { useItemHere } from '../../recording/queue-db.ts'
import { useRecorder } from '../../recording/useRecorder.ts'
import { query } from '../../server/query.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Later } from '../../ui/Later.tsx'
import { PageHeading } from '../../ui/Page.tsx'
import { ItemSection } from './ItemSection.tsx'
import { Selectors } from './Selectors.tsx'
import { CableSection, type Pick, type SectionProps, SideSections } from './sections.tsx'

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
