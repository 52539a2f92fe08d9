import { FileText } from 'lucide-react'
import { deferred } from '../../device/deferred.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { lateDialog } from '../Late.tsx'
import { entriesOf, useWorkDocuments, type WorkInHand } from './documents.ts'

const WorkDialog = lateDialog(deferred(async () => (await import('./WorkDialog.tsx')).WorkDialog, { warm: ['soon'] }))

type Props = {
  work: WorkInHand
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** How many documents there are for what is in hand, and the way to them. */
export function DocumentsButton({ work, isOpen, onOpenChange }: Props) {
  const reading = useWorkDocuments(work)
  const found = entriesOf(reading.data?.documents ?? [], { isAll: false })
  // without network the device has none, which says nothing of how many there are
  const isKnown = reading.data && !(reading.data.isCached && found.length === 0)
  return (
    <>
      <Button icon={<FileText {...icon.md} />} onPress={() => onOpenChange(true)}>
        <span>
          Documentos {/* its place is kept: what stands beside the button must not move when the count comes */}
          <span className={isKnown ? '' : 'invisible'}>({found.length})</span>
        </span>
      </Button>
      {isOpen && <WorkDialog reading={reading} onClose={() => onOpenChange(false)} />}
    </>
  )
}

/** The room of the button before it is known whose documents it leads to: what stands beside it must not move. */
export const DocumentsPlace = () => (
  <span className="invisible">
    <Button icon={<FileText {...icon.md} />}>Documentos (0)</Button>
  </span>
)
