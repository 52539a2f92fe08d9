import type { ReactNode } from 'react'
import type { CutItem, Part } from '../../../contract/items.ts'
import type { JunctionRecording } from '../../../contract/junctions.ts'
import type { PendingRecording } from '../../../contract/pending-recordings.ts'
import type { Receipt } from '../../../contract/receipts.ts'
import { type CutCrimpRecording, partOf } from '../../../contract/recordings.ts'
import { formatCount } from '../../app/format.ts'

const partNames: Record<Part, string> = { cabo: 'Cabo', l1: 'Terminal Lado 1', l2: 'Terminal Lado 2' }

/** A recording always carries one part's fields: the contract refuses any other. */
export const recordedPart = (recording: CutCrimpRecording): Part => partOf(recording) ?? 'cabo'

const piecesText = (count: number) => (count === 1 ? '1 peça' : `${formatCount(count)} peças`)

type Recorded = CutCrimpRecording | JunctionRecording | Receipt

/** 'Terminal Lado 1 · 10 peças' */
export function recordingTitle(recording: Recorded): string {
  if ('codigoBarras' in recording) return 'Recebimento'
  if ('TIPO_REGISTRO' in recording) return `Junção ${recording.POSICAO} · ${piecesText(recording.QTD_APONTADA)}`
  return `${partNames[recordedPart(recording)]} · ${piecesText(recording.QTD_REALIZADA)}`
}

type Props = {
  recording: Recorded
  /** As it is known here. */
  item?: CutItem | undefined
}

/** On which item, with what. */
export function RecordingSummary({ recording, item }: Props) {
  if ('codigoBarras' in recording) return <ReceiptSummary receipt={recording} item={item} />
  if ('TIPO_REGISTRO' in recording) return <JunctionSummary recording={recording} />
  const { LOTE_CABO, LOTE_TERM_LD1, LOTE_TERM_LD2, MA_LD1, MA_LD2 } = recording
  const applicator = MA_LD1 ?? MA_LD2
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      <Named name="OP">{recording.ORDEM_PROD}</Named>
      {item && <Named name="Item">{item.Z1_ITEMEST}</Named>}
      <Named name="Código de barras">{recording.COD_BARRA}</Named>
      <Named name="Lote">{LOTE_CABO ?? LOTE_TERM_LD1 ?? LOTE_TERM_LD2}</Named>
      <Named name="Máquina">{recording.MAQUINA}</Named>
      {applicator && <Named name="Mini aplicador">{applicator}</Named>}
    </dl>
  )
}

export const pendingTitle = ({ apontamento }: PendingRecording): string => recordingTitle(apontamento)

export const PendingSummary = ({ pending }: { pending: PendingRecording }) =>
  pending.tipo === 'juncao' ? (
    <RecordingSummary recording={pending.apontamento} />
  ) : (
    <RecordingSummary recording={pending.apontamento} item={pending.item ?? undefined} />
  )

const ReceiptSummary = ({ receipt, item }: { receipt: Receipt } & Pick<Props, 'item'>) => (
  <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
    {item && <Named name="OP">{item.Z1_OP}</Named>}
    {item && <Named name="Item">{item.Z1_ITEMEST}</Named>}
    <Named name="Código de barras">{receipt.codigoBarras}</Named>
  </dl>
)

const JunctionSummary = ({ recording }: { recording: JunctionRecording }) => (
  <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
    <Named name="OP">{recording.NUMERO_OP}</Named>
    <Named name="Grupo MP">{recording.GRUPO_MP}</Named>
    {recording.TERMINAL && <Named name="Terminal">{recording.TERMINAL}</Named>}
    {recording.LOTE_TERMINAL && <Named name="Lote">{recording.LOTE_TERMINAL}</Named>}
    <Named name="Máquina">{recording.MAQUINA}</Named>
  </dl>
)

const Named = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex min-w-0 flex-wrap gap-x-1.5">
    <dt className="shrink-0 text-muted">{name}</dt>
    <dd className="code font-medium break-all">{children}</dd>
  </div>
)
