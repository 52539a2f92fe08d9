import { useState } from 'react'
import { INVALID_REASON_LENGTH_MAX, measurements } from '../../../../contract/measurements.ts'
import { type SeriesPoint, spc } from '../../../../contract/spc.ts'
import { call } from '../../../server/api.ts'
import { useSave } from '../../../server/save.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { TextField } from '../../../ui/TextField.tsx'

type Props = { point: SeriesPoint; onClose: () => void }

/** Takes a measurement out of charts and sums; it stays in sight. Mounted while it is open. */
export function InvalidateDialog({ point, onClose }: Props) {
  const [reason, setReason] = useState('')
  const { save, isBusy, failure } = useSave({
    send: () => call(measurements.invalidate, { params: { id: point.medicao.id }, body: { motivo: reason.trim() } }),
    changes: [spc.get, spc.list],
    toast: 'Medição invalidada.',
    onSaved: onClose,
  })
  return (
    <FormDialog
      title="Invalidar medição"
      saveText="Invalidar"
      isValid={reason.trim() !== ''}
      isBusy={isBusy}
      error={failure}
      onSave={() => save()}
      onClose={onClose}
    >
      <p>
        Ela sai dos gráficos e das contas e continua à vista, com o motivo. Vale para tudo o que se mediu junto. Não há
        como voltar atrás.
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
