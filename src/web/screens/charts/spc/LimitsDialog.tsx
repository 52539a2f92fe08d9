import { useState } from 'react'
import { LIMITS_REASON_LENGTH_MAX, type Series, spc } from '../../../../contract/spc.ts'
import { saysSomething } from '../../../../contract/values.ts'
import { isReversed } from '../../../../domain/plant/periods.ts'
import { plantDay } from '../../../../domain/plant/plant-time.ts'
import { useSettings } from '../../../parts/settings.ts'
import { call } from '../../../server/api.ts'
import { useSave } from '../../../server/save.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { PeriodBoxes } from '../PeriodBoxes.tsx'

type Props = { series: Series; onClose: () => void }

/** Computes the limits anew from a span that quality knows to be in order; the earlier ones stay stored. Mounted while it is open. */
export function LimitsDialog({ series: { serie, pontos, fixarLimites }, onClose }: Props) {
  const { timeZone } = useSettings()
  const dayOf = (point: Series['pontos'][number] | undefined) =>
    point ? plantDay(Date.parse(point.medicao.medidoEm), timeZone) : ''
  const [span, setSpan] = useState({ start: dayOf(pontos[0]), end: dayOf(pontos.at(-1)) })
  const [reason, setReason] = useState('')
  const { save, isBusy, failure } = useSave({
    send: () => call(spc.setLimits, { body: { serie, inicio: span.start, fim: span.end, motivo: reason.trim() } }),
    changes: [spc.get, spc.list],
    toast: ({ k }) => ({ kind: 'success', text: `Limites recalculados com ${k} amostras.` }),
    onSaved: onClose,
  })
  return (
    <FormDialog
      title={fixarLimites ? 'Fixar limites' : 'Recalcular limites'}
      saveText={fixarLimites ? 'Fixar' : 'Recalcular'}
      isValid={span.start !== '' && span.end !== '' && !isReversed(span) && saysSomething(reason)}
      isBusy={isBusy}
      error={failure}
      onSave={() => save()}
      onClose={onClose}
    >
      <p>Os limites passam a vir das amostras deste período. Mínimo: 12.</p>
      <PeriodBoxes period={span} onChange={setSpan} isRequired />
      <TextField
        label="Motivo"
        value={reason}
        onChange={setReason}
        maxLength={LIMITS_REASON_LENGTH_MAX}
        isRequired
        isDisabled={isBusy}
      />
    </FormDialog>
  )
}
