import type { ReactNode } from 'react'
import type { Part } from '../../../contract/items.ts'
import type { PendingRecording } from '../../../contract/pending-recordings.ts'
import { type CutCrimpRecording, partOf } from '../../../contract/recordings.ts'
import { formatCount } from '../../format.ts'

const partNames: Record<Part, string> = { cabo: 'Cabo', l1: 'Terminal Lado 1', l2: 'Terminal Lado 2' }

/** A recording always carries one part's fields: the contract refuses any other. */
export const recordedPart = (recording: CutCrimpRecording): Part => partOf(recording) ?? 'cabo'

const piecesText = (count: number) => (count === 1 ? '1 peça' : `${formatCount(count)} peças`)

/** 'Terminal Lado 1 · 10 peças' */
export const recordingTitle = (recording: CutCrimpRecording): string =>
  `${partNames[recordedPart(recording)]} · ${piecesText(recording.QTD_REALIZADA)}`

type Props = {
  recording: CutCrimpRecording
  /** The item's number within its order, where it is known. */
  itemNumber?: string | undefined
}

/** On which item, with what. */
export function RecordingSummary({ recording, itemNumber }: Props) {
  const { LOTE_CABO, LOTE_TERM_LD1, LOTE_TERM_LD2, MA_LD1, MA_LD2 } = recording
  const applicator = MA_LD1 ?? MA_LD2
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      <Named name="OP">{recording.ORDEM_PROD}</Named>
      {itemNumber && <Named name="Item">{itemNumber}</Named>}
      <Named name="Código de barras">{recording.COD_BARRA}</Named>
      <Named name="Lote">{LOTE_CABO ?? LOTE_TERM_LD1 ?? LOTE_TERM_LD2}</Named>
      <Named name="Máquina">{recording.MAQUINA}</Named>
      {applicator && <Named name="Mini aplicador">{applicator}</Named>}
    </dl>
  )
}

/** 'Junção J01 · 10 peças' */
export function pendingTitle(pending: PendingRecording): string {
  if (pending.tipo === 'recebimento') return 'Recebimento'
  if (pending.tipo === 'corte-crimpagem') return recordingTitle(pending.apontamento)
  const { POSICAO, QTD_APONTADA } = pending.apontamento
  return `Junção ${POSICAO} · ${piecesText(QTD_APONTADA)}`
}

export function PendingSummary({ pending }: { pending: PendingRecording }) {
  if (pending.tipo === 'corte-crimpagem') {
    return <RecordingSummary recording={pending.apontamento} itemNumber={pending.item?.Z1_ITEMEST} />
  }
  if (pending.tipo === 'recebimento') {
    const { apontamento, item } = pending
    return (
      <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {item && <Named name="OP">{item.Z1_OP}</Named>}
        {item && <Named name="Item">{item.Z1_ITEMEST}</Named>}
        <Named name="Código de barras">{apontamento.codigoBarras}</Named>
      </dl>
    )
  }
  const { NUMERO_OP, LOTE_TERMINAL, MAQUINA } = pending.apontamento
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      <Named name="OP">{NUMERO_OP}</Named>
      {LOTE_TERMINAL && <Named name="Lote">{LOTE_TERMINAL}</Named>}
      <Named name="Máquina">{MAQUINA}</Named>
    </dl>
  )
}

const Named = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex min-w-0 flex-wrap gap-x-1.5">
    <dt className="shrink-0 text-muted">{name}</dt>
    <dd className="code font-medium break-all">{children}</dd>
  </div>
)
