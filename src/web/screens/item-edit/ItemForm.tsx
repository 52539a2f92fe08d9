import { ArrowRight } from 'lucide-react'
import { memo, useDeferredValue, useState } from 'react'
import { type CutItem, type Part, parts } from '../../../contract/items.ts'
import { isDoneOutside } from '../../../domain/acts/finished-parts.ts'
import type { Lists } from '../../../domain/forms/form-lists.ts'
import { type Recorded, useItemHere } from '../../acts/queue-db.ts'
import { useFormDialogs } from '../../forms/useFormDialogs.ts'
import { SuspectsAtWork } from '../../parts/containments/SuspectsAtWork.tsx'
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
import { useItemWork, useNextItem } from './item-work.ts'
import { firstInHand, PartsRail, usePartInHand } from './PartsRail.tsx'
import { CableSection, partNames, type SectionProps, SideSections } from './sections.tsx'

const GoneNote = () => (
  <Alert isUntitled>Este item não está mais no ERP. Nada mais pode ser apontado nele: avise o PCP.</Alert>
)

type Props = {
  opened: CutItem
  /** Recordings of this device as they were when the screen was opened. */
  recorded: readonly Recorded[]
  lists: Lists
  onLeave: () => void
  /** Another item, in the place of this one. */
  onOpen: (item: CutItem) => void
}

const nameOfPart = (part: Part) => partNames[part]

const MemoizedCable = memo(CableSection)
const MemoizedSide = memo(SideSections)

/**
 * So many fields come one section after the other, that of the part in hand first, and a change of one part draws the others a
 * moment later. Under a finger only the part in hand is on screen: the others keep what they hold.
 */
function Parts({ hand, ...sections }: SectionProps & { hand: Part }) {
  const [first] = useState(hand)
  const later = useDeferredValue(sections)
  // a part that leaves the hand is not drawn as it was before its last key
  const lately = useDeferredValue(hand)
  const propsOf = (part: Part) => (part === hand || part === lately ? sections : later)
  const lookOf = (part: Part) => (part === hand ? '' : 'pointer-coarse:hidden')
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className={lookOf('cabo')}>
        <Later turns={first === 'cabo' ? 0 : 1}>
          <MemoizedCable {...propsOf('cabo')} />
        </Later>
      </div>
      <div className="grid grid-cols-1 items-start gap-4 empty:hidden pointer-fine:@4xl:grid-cols-2">
        {(['l1', 'l2'] as const).map((part, at) => (
          <div key={part} className={lookOf(part)}>
            <Later turns={first === part ? 0 : 2 + at}>
              <MemoizedSide part={part} {...propsOf(part)} />
            </Later>
          </div>
        ))}
      </div>
    </div>
  )
}

/** Asks for the order's items once nothing is left in this one. */
function NextItem({ after, onOpen }: { after: CutItem; onOpen: Props['onOpen'] }) {
  const next = useNextItem(after)
  return (
    next && (
      <Button variant="primary" wide icon={<ArrowRight {...icon.md} />} onPress={() => onOpen(next)}>
        Próximo item aberto: {next.Z1_ITEMEST}
      </Button>
    )
  )
}

function Form({ opened: from, recorded, lists, onLeave, onOpen }: Props) {
  const { item: read, dadosDe, age, isGone } = useItem(from)
  const { item, here } = useItemHere(read)
  const dialogs = useFormDialogs<Part>()
  const { documents, isDialogOpen } = dialogs
  useFormKeys({ isDialogOpen, onLeave })
  const { work, isDone, left, placeIn } = useItemWork({ item, here, read, recorded, lists, age, dialogs, onOpen })
  const { root, cursor, scans, others, dialog, picker } = work
  const { head, isScrolledPast } = useScrolledPast()
  const { hand, takePart } = usePartInHand(firstInHand(item), work, (dialogs.measuring ?? dialogs.pick)?.part)
  const onTake = (part: Part) => {
    takePart(part)
    cursor.moveTo(placeIn(part))
  }
  const recordingsOf = useFinished({ item, here }, recorded)
  return (
    // What takes the focus is not to lie under the bar that stays at the top.
    <div ref={root} {...cursor.rootProps} className="@container flex flex-col gap-4 [&_input]:scroll-mt-40">
      <ItemHead
        ref={head}
        item={item}
        isOutside={parts.some((part) => isDoneOutside(recordingsOf(part)))}
        areDocumentsOpen={documents.isOpen}
        onDocuments={documents.onOpenChange}
        onLeave={onLeave}
      />
      <StaleNote readAt={dadosDe} />
      {isGone && <GoneNote />}
      <SuspectsAtWork place={{ branch: item.Z1_FILIAL, barcode: item.Z1_CODBAR, order: item.Z1_OP, position: '' }} />
      <Denied permission="record" />
      <OthersDraft of={others} />
      <ScanLine
        scans={scans}
        hint="Leia o lote, a máquina, o mini aplicador ou a seladora."
        partName={nameOfPart}
        about={isScrolledPast && <AboutItem item={item} part={nameOfPart(hand)} />}
      >
        {isDone && <NextItem after={item} onOpen={onOpen} />}
        {left[0] && (
          <Button wide icon={<ArrowRight {...icon.md} />} onPress={() => left[0] && onTake(left[0])}>
            Falta: {left.map(nameOfPart).join(', ')}
          </Button>
        )}
      </ScanLine>
      <div
        className="contents items-start gap-4 md:pointer-coarse:grid"
        style={{ gridTemplateColumns: '11rem minmax(0, 1fr)' }}
      >
        <PartsRail {...{ item, work, hand, recordingsOf, onTake }} />
        <Parts {...{ item, here, work, recordingsOf, isGone, hand }} onCalling={dialogs.setCalling} />
      </div>
      {dialog}
      {picker}
    </div>
  )
}

const MemoizedForm = memo(Form)

/** The form with its six lists deferred: they arrive one after another, and the many fields are drawn once for several of them. */
export function ItemForm(props: Omit<Props, 'lists'>) {
  const lists = useDeferredValue(useItemLists(props.opened.Z1_FILIAL))
  return <MemoizedForm {...props} lists={lists} />
}
