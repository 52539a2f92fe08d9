import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { isUltrasonic, junctions } from '../../../contract/junctions.ts'
import { type PendingCutCrimp, type PendingRecording, pendingRecordings } from '../../../contract/pending-recordings.ts'
import {
  type CorrectionForm,
  correctedRecording,
  correctionFormOf,
  correctionRefusal,
  itemWithout,
  settleCorrection,
} from '../../../domain/acts/corrections.ts'
import { machineTypeOf } from '../../../domain/acts/form-lists.ts'
import {
  correctedJunction,
  type JunctionForm,
  junctionFormOf,
  junctionRefusal,
} from '../../../domain/acts/junctions.ts'
import { forceLimit, heightLimit } from '../../../domain/acts/order-limits.ts'
import {
  type CorrectedForm,
  correctQuantity,
  defaultsOf,
  machineText,
  quantityBounds,
} from '../../../domain/acts/recording-form.ts'
import { recordedPart } from '../../acts/cut-crimp.ts'
import { Failure } from '../../parts/Failure.tsx'
import { LotField, MeasurementField, PickField, QuantityField } from '../../parts/fields/fields.tsx'
import { JunctionFields } from '../../parts/fields/JunctionFields.tsx'
import { ApplicatorSelector } from '../../parts/selectors/ApplicatorSelector.tsx'
import { MachineSelector } from '../../parts/selectors/MachineSelector.tsx'
import { useSettings } from '../../parts/settings.ts'
import { call } from '../../server/api.ts'
import { query } from '../../server/query.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { dropCorrection, type Notice, useCorrectionOf } from './correction.ts'
import { RecordingSummary, recordingTitle } from './RecordingSummary.tsx'

type PendingJunction = Extract<PendingRecording, { tipo: 'juncao' }>
type JunctionCorrectionProps = { pending: PendingJunction; onClose: () => void }

function settle(form: JunctionForm, piecesMax: number): CorrectedForm<JunctionForm> {
  const { text, warning } = correctQuantity(form.quantity, { min: 1, max: piecesMax })
  return { form: { ...form, quantity: text }, warnings: warning ? [warning] : [] }
}

/** As the form of the junction has it; null while it is not known. */
function useForceMin({ FILIAL, NUMERO_OP, POSICAO }: PendingJunction['apontamento']): number | null {
  const of = { query: { filial: FILIAL, numeroOp: NUMERO_OP, posicao: POSICAO } }
  return useQuery(query(junctions.details, of)).data?.data.teste?.ZTB_FORCA ?? null
}

function JunctionCorrection({ pending, onClose }: JunctionCorrectionProps) {
  const { apontamento } = pending
  const { GRUPO_MP: group, QTD_PECAS: piecesMax } = apontamento
  const [isPicking, setPicking] = useState(false)
  const { forceUnit } = useSettings()
  const forceMin = useForceMin(apontamento)
  const { form, change, send, isBusy, notice, dialog } = useCorrectionOf(pending, onClose, {
    initial: (): JunctionForm => ({
      ...junctionFormOf(apontamento),
      limitReason: apontamento.captura?.motivoForaDoLimite,
    }),
    forceLimit: ({ force }) => forceLimit(force, forceMin, forceUnit),
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
            forceMin={forceMin}
            onChange={change}
            onPickMachine={() => setPicking(true)}
          />
        </div>
      </CorrectionFrame>
      {dialog}
      {isPicking && (
        <MachineSelector
          branch={apontamento.FILIAL}
          type="juncao"
          isElsewhere
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

type CorrectionFrameProps = {
  pending: PendingRecording
  notice: Notice | null
  isBusy: boolean
  onSend: () => void
  onClose: () => void
  /** What may be corrected. */
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
      width="md"
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

type Props = { pending: PendingCutCrimp; onClose: () => void }

function CutCrimpCorrection({ pending, onClose }: Props) {
  const { form, change, send, isBusy, notice, dialog } = useCorrection(pending, onClose)
  const [list, setList] = useState<'machine' | 'applicator' | null>(null)
  return (
    <>
      <CorrectionFrame pending={pending} notice={notice} isBusy={isBusy} onSend={send} onClose={onClose}>
        <CorrectionFields pending={pending} form={form} change={change} onPick={setList} />
      </CorrectionFrame>
      {dialog}
      {list && <Selector list={list} pending={pending} change={change} onClose={() => setList(null)} />}
    </>
  )
}

type Change = (fields: Partial<CorrectionForm>) => void

function useCorrection(pending: PendingCutCrimp, onClose: () => void) {
  const { apontamento } = pending
  const part = recordedPart(apontamento)
  const { forceUnit } = useSettings()
  return useCorrectionOf(pending, onClose, {
    initial: (): CorrectionForm => ({
      ...correctionFormOf(apontamento, part),
      limitReason: apontamento.captura?.motivoForaDoLimite,
    }),
    forceLimit: ({ force }) => forceLimit(force.text, limitsOf(pending).pullForceMin, forceUnit),
    settle: (form) => settleCorrection(form, itemBefore(pending), part),
    refusalOf: (form) => correctionRefusal(form, part),
    bodyOf: (form) => correctedRecording(apontamento, part, form),
    send: (body, idempotencyKey) =>
      call(pendingRecordings.correct, { params: { id: pending.id }, body }, { idempotencyKey }),
  })
}

/** What the order asks of the crimp; nothing of a cut, nor where the item is not known. */
function limitsOf({ item, apontamento }: PendingCutCrimp): ReturnType<typeof defaultsOf> {
  const part = recordedPart(apontamento)
  return item && part !== 'cabo' ? defaultsOf(item, part) : { pullForceMin: null, crimpHeightMm: null }
}

/** Only what is uncertain has pieces on their way: the ERP may have them. */
const itemBefore = ({ item, apontamento, situacao }: PendingCutCrimp) =>
  itemWithout(item, recordedPart(apontamento), situacao === 'incerto' ? apontamento.QTD_REALIZADA : 0)

type FieldsProps = {
  pending: PendingCutCrimp
  form: CorrectionForm
  change: Change
  onPick: (list: 'machine' | 'applicator') => void
}

function CorrectionFields({ pending, form, change, onPick }: FieldsProps) {
  const { forceUnit } = useSettings()
  const part = recordedPart(pending.apontamento)
  const item = itemBefore(pending)
  const limits = limitsOf(pending)
  const field = { isDisabled: false, onBlur: () => undefined }
  return (
    <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
      <LotField {...field} value={form.lot} onChange={(lot) => change({ lot })} />
      <QuantityField
        {...field}
        value={form.quantity}
        balancePieces={item && quantityBounds(item, part).max}
        onChange={(quantity) => change({ quantity })}
      />
      {part !== 'cabo' && (
        <>
          <MeasurementField
            {...field}
            limit={forceLimit(form.force.text, limits.pullForceMin, forceUnit)}
            label={`Força de extração (${forceUnit})`}
            placeholder="Digite a força"
            decimals={0}
            value={form.force}
            onChange={(force) => change({ force })}
          />
          <MeasurementField
            {...field}
            limit={heightLimit(form.height.text, limits.crimpHeightMm)}
            label="Altura de crimpagem (mm)"
            placeholder="Digite a altura"
            decimals={3}
            value={form.height}
            onChange={(height) => change({ height })}
          />
          <div className="sm:col-span-2">
            <PickField
              {...field}
              label="Mini aplicador"
              placeholder="Selecione o mini aplicador"
              pickLabel="Selecionar mini aplicador"
              value={form.applicator}
              onPick={() => onPick('applicator')}
            />
          </div>
        </>
      )}
      <div className="sm:col-span-2">
        <PickField
          {...field}
          label="Máquina"
          placeholder="Selecione a máquina"
          pickLabel="Selecionar máquina"
          value={form.machine}
          onPick={() => onPick('machine')}
        />
      </div>
    </div>
  )
}

type SelectorProps = Props & { list: 'machine' | 'applicator'; change: Change }

function Selector({ list, pending, change, onClose }: SelectorProps) {
  const { EMPRESA: branch, TERM_LD1, TERM_LD2 } = pending.apontamento
  return list === 'machine' ? (
    <MachineSelector
      branch={branch}
      type={machineTypeOf[recordedPart(pending.apontamento)]}
      isElsewhere
      onSelect={(machine) => {
        change({ machine: machineText(machine) })
        onClose()
      }}
      onClose={onClose}
    />
  ) : (
    <ApplicatorSelector
      terminal={TERM_LD1 ?? TERM_LD2 ?? null}
      onSelect={({ miniaplicator }) => {
        change({ applicator: miniaplicator })
        onClose()
      }}
      onClose={onClose}
    />
  )
}

/** A receipt has nothing that could be corrected. */
const dialogs = { 'corte-crimpagem': CutCrimpCorrection, juncao: JunctionCorrection, recebimento: () => null }

export function CorrectionDialog(props: { pending: PendingRecording; onClose: () => void }) {
  const Correction = dialogs[props.pending.tipo] as (of: typeof props) => ReactNode
  return <Correction {...props} />
}
