import type { CutItem } from '../../../contract/items.ts'
import { machineTypeOf } from '../../../domain/acts/form-lists.ts'
import { machineText, type RecordingForms, settleMeasurements } from '../../../domain/acts/recording-form.ts'
import { sectionOf } from '../../../domain/acts/recordings.ts'
import type { FormChange } from '../../acts/drafts.ts'
import { ApplicatorSelector } from '../../parts/selectors/ApplicatorSelector.tsx'
import { MachineSelector } from '../../parts/selectors/MachineSelector.tsx'
import { SealingStationSelector } from '../../parts/selectors/SealingStationSelector.tsx'
import type { Pick } from './sections.tsx'

type SelectorsProps = { item: CutItem; pick: Pick; change: FormChange<RecordingForms>; onClose: () => void }

/** The list that a 'Selecionar' button opened; what is chosen goes into its field. */
export function Selectors({ item, pick, change, onClose }: SelectorsProps) {
  if (pick.kind === 'machine') {
    return (
      <MachineSelector
        branch={item.Z1_FILIAL}
        type={machineTypeOf[pick.part]}
        onSelect={(machine) => {
          change(pick.part, (form) => ({ ...form, machine: machineText(machine) }))
          onClose()
        }}
        onClose={onClose}
      />
    )
  }
  const { part } = pick
  const { terminal, seal } = sectionOf(item, part)
  if (pick.kind === 'applicator') {
    return (
      <ApplicatorSelector
        terminal={terminal}
        onSelect={({ miniaplicator }) => {
          change(part, (form) => settleMeasurements({ ...form, applicator: miniaplicator }))
          onClose()
        }}
        onClose={onClose}
      />
    )
  }
  return (
    <SealingStationSelector
      seal={seal}
      onSelect={({ sealingStationName }, { failed }) => {
        change(part, (form) => ({ ...form, station: sealingStationName, stationLookupFailed: failed }))
        onClose()
      }}
      onClose={({ failed }) => {
        if (failed) change(part, (form) => ({ ...form, stationLookupFailed: true }))
        onClose()
      }}
    />
  )
}
