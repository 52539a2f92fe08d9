import { useState } from 'react'
import { isUltrasonic } from '../../../contract/junctions.ts'
import { type PendingRecording, pendingRecordings } from '../../../contract/pending-recordings.ts'
import { correctedJunction, type JunctionForm, junctionFormOf, junctionRefusal } from '../../../domain/junctions.ts'
import { type CorrectedForm, correctQuantity, machineText } from '../../../domain/recording-form.ts'
import { call } from '../../api.ts'
import { JunctionFields } from '../../parts/JunctionFields.tsx'
import { MachineSelector } from '../../parts/selectors/MachineSelector.tsx'
import { CorrectionFrame } from './CorrectionFrame.tsx'
import { useCorrectionOf } from './correction.ts'

type PendingJunction = Extract<PendingRecording, { tipo: 'juncao' }>
type Props = { pending: PendingJunction; onClose: () => void }

function settle(form: JunctionForm, piecesMax: number): CorrectedForm<JunctionForm> {
  const { text, warning } = correctQuantity(form.quantity, { min: 1, max: piecesMax })
  return { form: { ...form, quantity: text }, warnings: warning ? [warning] : [] }
}

export function JunctionCorrectionDialog({ pending, onClose }: Props) {
  const { apontamento } = pending
  const { GRUPO_MP: group, QTD_PECAS: piecesMax } = apontamento
  const [isPicking, setPicking] = useState(false)
  const { form, change, send, isBusy, notice } = useCorrectionOf(pending, onClose, {
    initial: () => junctionFormOf(apontamento),
    settle: (typed) => settle(typed, piecesMax),
    refusalOf: (typed) => junctionRefusal({ Z8_GRUPOMP: group }, typed),
    bodyOf: (typed) => correctedJunction(apontamento, typed),
    // The screens read a junction again: its percentage is the ERP's own.
    send: async (body, idempotencyKey) => {
      const sending = call(pendingRecordings.correctJunction, { params: { id: pending.id }, body }, { idempotencyKey })
      return { ...(await sending), item: null }
    },
  })
  return (
    <>
      <CorrectionFrame pending={pending} notice={notice} isBusy={isBusy} onSend={send} onClose={onClose}>
        <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
          <JunctionFields
            form={form}
            isWelded={isUltrasonic(group)}
            piecesMax={piecesMax}
            onChange={change}
            onPickMachine={() => setPicking(true)}
          />
        </div>
      </CorrectionFrame>
      {isPicking && (
        <MachineSelector
          branch={apontamento.FILIAL}
          type="juncao"
          onSelect={(machine) => {
            change({ machine: machineText(machine) })
            setPicking(false)
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </>
  )
}
