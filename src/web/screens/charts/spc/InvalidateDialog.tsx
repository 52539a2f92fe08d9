import { useState } from 'react'
import { INVALID_REASON_LENGTH_MAX, measurements } from '../../../../contract/measurements.ts'
import { type SeriesPoint, spc } from '../../../../contract/spc.ts'
import { saysSomething } from '../../../../contract/values.ts'
import { samplesText } from '../../../../domain/reports/trace-samples.ts'
import { useSettings } from '../../../parts/settings.ts'
import { call } from '../../../server/api.ts'
import { useSave } from '../../../server/save.ts'
import { formatInstant } from '../../../text/format.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { TextField } from '../../../ui/TextField.tsx'

type Props = { point: SeriesPoint; onClose: () => void }

/** Takes a measurement out of charts and sums, or back; it stays in sight. Mounted while it is open. */
export function InvalidateDialog({ point, onClose }: Props) {
  const { timeZone } = useSettings()
  const [reason, setReason] = useState('')
  const isOut = point.medicao.invalida !== null
  const { save, isBusy, failure } = useSave({
    send: () =>
      call(isOut ? measurements.takeBack : measurements.invalidate, {
        params: { id: point.medicao.id },
        body: { motivo: reason.trim() },
      }),
    changes: [spc.get, spc.list],
    toast: isOut ? 'Medição devolvida às contas.' : 'Medição invalidada.',
    onSaved: onClose,
  })
  return (
    <FormDialog
      title={isOut ? 'Devolver medição às contas' : 'Invalidar medição'}
      saveText={isOut ? 'Devolver' : 'Invalidar'}
      isValid={saysSomething(reason)}
      isBusy={isBusy}
      error={failure}
      onSave={() => save()}
      onClose={onClose}
    >
      <p className="font-semibold">
        {formatInstant(point.medicao.medidoEm, timeZone)}:{' '}
        {samplesText(point.medicao.caracteristica, point.medicao.valores)}
      </p>
      <p>
        {isOut ? 'A amostra volta aos cálculos.' : 'A amostra sai dos cálculos e continua visível, com o motivo.'} Vale
        para todas as leituras dela e fica na auditoria.
      </p>
      <TextField
        autoFocus
        label="Motivo"
        value={reason}
        onChange={setReason}
        maxLength={INVALID_REASON_LENGTH_MAX}
        isDisabled={isBusy}
      />
    </FormDialog>
  )
}
