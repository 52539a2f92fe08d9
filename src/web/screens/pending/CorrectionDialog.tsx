import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { junctions } from '../../../contract/junctions.ts'
import { type PendingCutCrimp, type PendingRecording, pendingRecordings } from '../../../contract/pending-recordings.ts'
import {
  correctedRecording,
  correctionRefusal,
  itemWithout,
  settleCorrection,
} from '../../../domain/forms/corrections.ts'
import { quantityBounds } from '../../../domain/forms/form-edits.ts'
import { type FieldName, formFields } from '../../../domain/forms/form-fields.ts'
import { junctionFields, machineTypeOf } from '../../../domain/forms/form-lists.ts'
import { correctedJunction, correctJunction, junctionPiecesText } from '../../../domain/forms/junction-edits.ts'
import { type CountedJunction, junctionFormOf, junctionRefusal } from '../../../domain/forms/junctions.ts'
import { type CorrectionForm, correctionFormOf } from '../../../domain/forms/recorded-forms.ts'
import { defaultsOf } from '../../../domain/forms/recording-form.ts'
import { recordedPart } from '../../acts/cut-crimp.ts'
import type { FrozenAct } from '../../acts/kinds.ts'
import { FieldSelector, WorkFields } from '../../forms/WorkFields.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { call } from '../../server/api.ts'
import { query } from '../../server/query.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { type CorrectedOf, dropCorrection, useCorrection, type Way } from './correction.ts'
import { RecordingSummary, recordingTitle } from './RecordingSummary.tsx'

type Props<Pending> = { pending: Pending; onClose: () => void }
type PendingJunction = Extract<PendingRecording, { tipo: 'juncao' }>

/** As the form of the junction has it; null while it is not known. */
function useForceMin({ FILIAL, NUMERO_OP, POSICAO }: PendingJunction['apontamento']): number | null {
  const of = { query: { filial: FILIAL, numeroOp: NUMERO_OP, posicao: POSICAO } }
  return useQuery(query(junctions.details, of)).data?.data.teste?.ZTB_FORCA ?? null
}

function JunctionCorrection({ pending, onClose }: Props<PendingJunction>) {
  const { apontamento } = pending
  const { FILIAL: branch, GRUPO_MP: group, QTD_PECAS: piecesMax } = apontamento
  const way: Way<CountedJunction, PendingJunction['apontamento']> = {
    initial: () => ({ ...junctionFormOf(apontamento), limitReason: apontamento.captura?.motivoForaDoLimite }),
    limits: { pullForceMin: useForceMin(apontamento), crimpHeightMm: null },
    settle: (typed) => correctJunction(typed, piecesMax),
    refusalOf: (typed) => junctionRefusal({ Z8_GRUPOMP: group }, typed),
    bodyOf: (typed) => correctedJunction(apontamento, typed),
    // The screens read a junction again: its percentage is the ERP's own.
    send: async (body, idempotencyKey) => {
      const sending = call(pendingRecordings.correctJunction, { params: { id: pending.id }, body }, { idempotencyKey })
      return { ...(await sending), item: null }
    },
    fields: formFields.junction,
    open: junctionFields(group),
    quantity: { balancePieces: null, hint: junctionPiecesText(piecesMax) },
    place: { branch, part: { machineType: 'juncao', terminal: null, seal: null } },
  }
  return <Correction {...{ pending, onClose, way }} />
}

function CutCrimpCorrection({ pending, onClose }: Props<PendingCutCrimp>) {
  const { apontamento, item, situacao } = pending
  const { EMPRESA: branch, TERM_LD1, TERM_LD2 } = apontamento
  const part = recordedPart(apontamento)
  // only what is uncertain has pieces on their way: the ERP may have them
  const before = itemWithout(item, part, situacao === 'incerto' ? apontamento.QTD_REALIZADA : 0)
  const fields = part === 'cabo' ? formFields.cable : formFields.side.filter(({ name }) => name !== 'station')
  const way: Way<CorrectionForm, PendingCutCrimp['apontamento']> = {
    initial: () => ({
      ...correctionFormOf(apontamento, part),
      limitReason: apontamento.captura?.motivoForaDoLimite,
    }),
    // what the order asks of the crimp; nothing of a cut, nor where the item is not known
    limits: item && part !== 'cabo' ? defaultsOf(item, part) : { pullForceMin: null, crimpHeightMm: null },
    settle: (form) => settleCorrection(form, before, part),
    refusalOf: (form) => correctionRefusal(form, part),
    bodyOf: (form) => correctedRecording(apontamento, part, form),
    send: (body, idempotencyKey) =>
      call(pendingRecordings.correct, { params: { id: pending.id }, body }, { idempotencyKey }),
    ...{ fields, open: fields },
    quantity: { balancePieces: before && quantityBounds(before, part).max },
    place: {
      branch,
      part: { machineType: machineTypeOf[part], terminal: TERM_LD1 ?? TERM_LD2 ?? null, seal: null },
    },
  }
  return <Correction {...{ pending, onClose, way }} />
}

type CorrectionProps<Form, Body> = Props<PendingRecording> & { way: Way<Form, Body> }

function Correction<Form extends CorrectedOf, Body extends FrozenAct['payload']>(props: CorrectionProps<Form, Body>) {
  const { pending, way, onClose } = props
  const { fields, open, limits, quantity, place } = way
  const { form, change, send, isBusy, notice, dialog, cursor } = useCorrection(pending, onClose, way)
  const [picked, setPicked] = useState<FieldName | null>(null)
  return (
    <>
      <CorrectionFrame pending={pending} notice={notice} isBusy={isBusy} onSend={send} onClose={onClose}>
        <div data-part="form" {...cursor.rootProps} className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
          <WorkFields
            {...{ form, fields, open, limits }}
            quantity={{ ...quantity, text: form.quantity }}
            change={(name, value) => change({ [name]: value })}
            onPick={setPicked}
            cursorOf={(name, hasKeyboard) => cursor.of('form', name, hasKeyboard)}
          />
        </div>
      </CorrectionFrame>
      {dialog}
      {picked && <FieldSelector {...place} field={picked} isElsewhere put={change} onClose={() => setPicked(null)} />}
    </>
  )
}

type CorrectionFrameProps = {
  pending: PendingRecording
  notice: ReturnType<typeof useCorrection>['notice']
  isBusy: boolean
  onSend: () => void
  onClose: () => void
  /** Fields that may be corrected. */
  children: ReactNode
}

/** The act told right and sent again. Escape keeps what was typed, 'Cancelar' does not. */
function CorrectionFrame({ pending, notice, isBusy, onSend, onClose, children }: CorrectionFrameProps) {
  const { motivo, situacao } = pending
  const isUncertain = situacao === 'incerto'
  const cancel = () => {
    dropCorrection(pending.id)
    onClose()
  }
  return (
    <Dialog
      title="Corrigir e reenviar"
      onClose={onClose}
      width="lg"
      error={
        notice && (
          <Alert kind={notice.kind}>{notice.kind === 'error' ? <Failure error={notice.error} /> : notice.text}</Alert>
        )
      }
      actions={
        <>
          <Button size="lg" onPress={cancel}>
            Cancelar
          </Button>
          <Button
            variant="primary"
            icon={<Send {...icon.md} />}
            busy={isBusy}
            busyText="Reenviando..."
            onPress={onSend}
          >
            Reenviar
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-2">
        <p className="text-lg font-semibold">{recordingTitle(pending.apontamento)}</p>
        <RecordingSummary recording={pending.apontamento} item={pending.item} />
        {motivo && <p className={`font-medium ${isUncertain ? 'text-warn-ink' : 'text-bad-ink'}`}>{motivo}</p>}
      </div>
      {isUncertain && (
        <Alert kind="warning">
          Confira antes no ERP: se ele já tem este apontamento, reenviar conta as peças duas vezes.
        </Alert>
      )}
      {children}
    </Dialog>
  )
}

/** A receipt has nothing that could be corrected. */
const dialogs = { 'corte-crimpagem': CutCrimpCorrection, juncao: JunctionCorrection, recebimento: () => null }

export function CorrectionDialog(props: { pending: PendingRecording; onClose: () => void }) {
  const Correction = dialogs[props.pending.tipo] as (of: typeof props) => ReactNode
  return <Correction {...props} />
}
