import { useState } from 'react'
import type { Characteristic } from '../../../contract/measurements.ts'
import { CAUSE_NOTE_LENGTH_MAX, type SeriesPoint, type SignalCause, signalCauses, spc } from '../../../contract/spc.ts'
import { momentTextOf } from '../../../domain/plant/plant-time.ts'
import { causeText, causeTexts } from '../../../domain/reports/spc-names.ts'
import { call } from '../../server/api.ts'
import { useSave } from '../../server/save.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { RadioChoice } from '../../ui/RadioChoice.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useSettings } from '../settings.ts'

type Props = {
  /** The measurement's act. */
  id: string
  characteristic: Characteristic
  /** Causes noted before, by anybody: they stay. */
  noted?: SeriesPoint['causas']
  onClose: () => void
}

const options = signalCauses.map((value) => ({ value, label: causeTexts[value] }))

/** Why a point lies where it lies. Mounted while it is open. */
export function CauseDialog({ id, characteristic, noted = [], onClose }: Props) {
  const { timeZone } = useSettings()
  const [cause, setCause] = useState<SignalCause | ''>('')
  const [note, setNote] = useState('')
  const { save, isBusy, failure } = useSave({
    send: (causa: SignalCause) =>
      call(spc.noteCause, { params: { id }, body: { caracteristica: characteristic, causa, nota: note.trim() } }),
    changes: [spc.get, spc.list],
    toast: 'Causa anotada.',
    onSaved: onClose,
  })
  return (
    <FormDialog
      title="Anotar causa"
      width="md"
      isValid={cause !== ''}
      isBusy={isBusy}
      error={failure}
      onSave={() => cause !== '' && save(cause)}
      onClose={onClose}
    >
      {noted.length > 0 && (
        <ul aria-label="Causas anotadas" className="flex flex-col gap-1 text-sm text-muted">
          {noted.map((one) => (
            <li key={`${one.por} ${one.em}`} className="wrap-anywhere">
              {causeText(one, momentTextOf(timeZone))}
            </li>
          ))}
        </ul>
      )}
      <RadioChoice<SignalCause | ''> label="O que foi?" options={options} value={cause} onChange={setCause} />
      <TextField
        label="Observação (opcional)"
        value={note}
        onChange={setNote}
        maxLength={CAUSE_NOTE_LENGTH_MAX}
        isDisabled={isBusy}
      />
    </FormDialog>
  )
}
