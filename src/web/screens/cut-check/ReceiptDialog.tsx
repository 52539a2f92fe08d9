import type { CutItem } from '../../../contract/items.ts'
import { gaugeText } from '../../../domain/recording-form.ts'
import { orDash } from '../../format.ts'
import { WireColour } from '../../parts/WireColour.tsx'
import { Alert } from '../../ui/Alert.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'

type Props = {
  item: CutItem
  isReceived: boolean
  /** Another code that was read meanwhile. */
  interrupting: string | null
  onYes: () => void
  onNo: () => void
}

/** What is held in the hand, to be compared with what the list says of it. */
export const ReceiptDialog = ({ item, isReceived, interrupting, onYes, onNo }: Props) => (
  <ConfirmDialog
    title="Confirmar Recebimento"
    kind="success"
    confirmText="Sim"
    cancelText="Não"
    onConfirm={onYes}
    onClose={onNo}
  >
    <p className="text-lg">
      Deseja confirmar o recebimento do Item {item.Z1_ITEMEST} {item.Z1_COR} {gaugeText(item.Z1_BITOLA)} {item.Z1_GRAVA}
      ?
    </p>
    <p className="flex flex-wrap items-center gap-x-6 gap-y-1 text-lg">
      <WireColour code={item.Z1_COR} />
      <span className="code whitespace-nowrap">{orDash(item.Z1_CODBAR)}</span>
    </p>
    {isReceived && <Alert kind="warning">Este item já foi recebido.</Alert>}
    {interrupting && (
      <Alert>
        Outro código foi lido: <strong className="code">{interrupting}</strong>. Responda primeiro e leia-o de novo.
      </Alert>
    )}
  </ConfirmDialog>
)
