import { useState } from 'react'
import { type PendingCutCrimp, pendingRecordings } from '../../../contract/pending-recordings.ts'
import {
  type CorrectionForm,
  correctedRecording,
  correctionFormOf,
  correctionRefusal,
  itemWithout,
  settleCorrection,
} from '../../../domain/corrections.ts'
import { machineText, quantityBounds } from '../../../domain/recording-form.ts'
import { call } from '../../api.ts'
import { LotField, MeasurementField, PickField, QuantityField } from '../../parts/fields.tsx'
import { ApplicatorSelector } from '../../parts/selectors/ApplicatorSelector.tsx'
import { MachineSelector, machineTypeOf } from '../../parts/selectors/MachineSelector.tsx'
import { useSettings } from '../../parts/settings.ts'
import { CorrectionFrame } from './CorrectionFrame.tsx'
import { useCorrectionOf } from './correction.ts'
import { recordedPart } from './RecordingSummary.tsx'

type Props = { pending: PendingCutCrimp; onClose: () => void }

/** Of a cut or a crimp. */
export function CorrectionDialog({ pending, onClose }: Props) {
  const { form, change, send, isBusy, notice } = useCorrection(pending, onClose)
  const [list, setList] = useState<'machine' | 'applicator' | null>(null)
  return (
    <>
      <CorrectionFrame pending={pending} notice={notice} isBusy={isBusy} onSend={send} onClose={onClose}>
        <CorrectionFields pending={pending} form={form} change={change} onPick={setList} />
      </CorrectionFrame>
      {list && <Selector list={list} pending={pending} change={change} onClose={() => setList(null)} />}
    </>
  )
}

type Change = (fields: Partial<CorrectionForm>) => void

function useCorrection(pending: PendingCutCrimp, onClose: () => void) {
  const { apontamento } = pending
  const part = recordedPart(apontamento)
  return useCorrectionOf(pending, onClose, {
    initial: () => correctionFormOf(apontamento, part),
    settle: (form) => settleCorrection(form, itemBefore(pending), part),
    refusalOf: (form) => correctionRefusal(form, part),
    bodyOf: (form) => correctedRecording(apontamento, part, form),
    send: (body, idempotencyKey) =>
      call(pendingRecordings.correct, { params: { id: pending.id }, body }, { idempotencyKey }),
  })
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
            label={`Força de extração (${forceUnit})`}
            placeholder="Digite a força"
            decimals={0}
            value={form.force}
            onChange={(force) => change({ force })}
          />
          <MeasurementField
            {...field}
            label="Altura de crimpagem (mm)"
            placeholder="Digite a altura"
            decimals={2}
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
