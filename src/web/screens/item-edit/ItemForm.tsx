import { ArrowRight } from 'lucide-react'
import { memo, useDeferredValue } from 'react'
import type { CutItem, Part } from '../../../contract/items.ts'
import { type Lists, openParts } from '../../../domain/acts/form-lists.ts'
import { type Recorded, useItemHere } from '../../acts/queue-db.ts'
import { useFormDialogs } from '../../forms/useFormDialogs.ts'
import { useFormKeys } from '../../parts/fields/useFormKeys.ts'
import { useItemLists } from '../../parts/lookups/known.ts'
import { StaleNote } from '../../parts/lookups/StaleNote.tsx'
import { OthersDraft } from '../../parts/OthersDraft.tsx'
import { Denied } from '../../parts/permissions.tsx'
import { ScanLine } from '../../parts/scanner/useFormScans.tsx'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Later } from '../../ui/Later.tsx'
import { useFinished } from './FinishedPart.tsx'
import { AboutItem, ItemHead, useScrolledPast } from './ItemHead.tsx'
import { useItem } from './item.ts'
import { useItemWork } from './item-work.ts'
import { CableSection, partNames, type SectionProps, SideSections } from './sections.tsx'

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

function Form({ opened: from, recorded, lists, onLeave, onOpen }: Props) {
  const { item: read, dadosDe, age, isGone, isOutdated } = useItem(from)
  const { item, here } = useItemHere(read)
  const dialogs = useFormDialogs<Part>()
  const { documents, isDialogOpen } = dialogs
  useFormKeys({ isDialogOpen, onLeave })
  const { work, next } = useItemWork({ item, here, read, recorded, lists, age, dialogs, onOpen })
  const { root, cursor, scans, others, dialog, picker } = work
  const { head, isScrolledPast } = useScrolledPast()
  const partInHand = cursor.cursor?.part ?? openParts(item)[0]
  const recordingsOf = useFinished({ item, here }, recorded)
  return (
    // What takes the focus is not to lie under the bar that stays at the top.
    <div ref={root} {...cursor.rootProps} className="@container flex flex-col gap-4 [&_input]:scroll-mt-40">
      <ItemHead ref={head} item={item} documents={documents} onLeave={onLeave} />
      <StaleNote readAt={dadosDe} />
      {isGone && <GoneNote />}
      <Denied permission="record" />
      <OthersDraft of={others} />
      {isOutdated && <OutdatedNote />}
      <ScanLine
        scans={scans}
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
      <Parts {...{ item, here, work, recordingsOf, isGone }} onCalling={dialogs.setCalling} />
      {dialog}
      {picker}
    </div>
  )
}

const MemoizedForm = memo(Form)

/** Six lists arrive one after the other when it is opened: so many fields are drawn anew for what came together. */
export function ItemForm(props: Omit<Props, 'lists'>) {
  const lists = useDeferredValue(useItemLists(props.opened.Z1_FILIAL))
  return <MemoizedForm {...props} lists={lists} />
}
