import type { FieldName } from '../../domain/forms/form-fields.ts'
import type { FormPart } from '../../domain/forms/form-lists.ts'
import { machineText } from '../../domain/forms/recording-form.ts'
import { ApplicatorSelector } from '../parts/selectors/ApplicatorSelector.tsx'
import { MachineSelector } from '../parts/selectors/MachineSelector.tsx'
import { SealingStationSelector } from '../parts/selectors/SealingStationSelector.tsx'

type Props = {
  branch: string
  field: FieldName
  part: Pick<FormPart<string>, 'terminal' | 'seal' | 'machineType'>
  /** The work was done elsewhere: this device's workplace does not limit its machines. */
  isElsewhere?: boolean
  put: (fields: object) => void
  onClose: () => void
}

/** The list that a 'Selecionar' button opened; what is chosen goes into its field. */
export function Selectors({ branch, field, part, isElsewhere = false, put, onClose }: Props) {
  const choose = (fields: object) => {
    put(fields)
    onClose()
  }
  if (field === 'machine') {
    return (
      <MachineSelector
        {...{ branch, isElsewhere, onClose }}
        type={part.machineType}
        onSelect={(machine) => choose({ machine: machineText(machine) })}
      />
    )
  }
  if (field === 'applicator') {
    return (
      <ApplicatorSelector
        terminal={part.terminal}
        onSelect={({ miniaplicator }) => choose({ applicator: miniaplicator })}
        onClose={onClose}
      />
    )
  }
  return (
    <SealingStationSelector
      seal={part.seal}
      onSelect={({ sealingStationName }, { failed }) =>
        choose({ station: sealingStationName, stationLookupFailed: failed })
      }
      onClose={({ failed }) => (failed ? choose({ stationLookupFailed: true }) : onClose())}
    />
  )
}
