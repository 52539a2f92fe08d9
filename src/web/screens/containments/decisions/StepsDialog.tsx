import { useState } from 'react'
import type { Containment, ContainmentRow, ContainmentStep } from '../../../../contract/containments.ts'
import { canUndo, stepText } from '../../../../domain/containments/containment-texts.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ReasonDialog } from '../ReasonDialog.tsx'
import { nameOf } from '../RecordingCells.tsx'
import { useWritten } from '../shown.ts'
import { useDecide } from './decide.ts'

type Props = { containment: Containment; row: ContainmentRow; mayDecide: boolean; onClose: () => void }

/** The steps of a row with who took them and when, each to be taken back. */
export function StepsDialog({ containment, row, mayDecide, onClose }: Props) {
  const { time } = useWritten(null)
  const [undone, setUndone] = useState<ContainmentStep | null>(null)
  return (
    <Dialog title={`Passos: ${nameOf(row)}`} width="md" onClose={onClose}>
      <ul className="flex flex-col divide-y divide-line">
        {row.passos.map((step) => (
          <li key={step.id} className="flex min-h-14 items-center justify-between gap-3">
            <span className="min-w-0 wrap-anywhere">
              {stepText(step)}
              <span className="block text-sm text-muted">
                {step.por}, {time(step.em)}
              </span>
            </span>
            {mayDecide && canUndo(step, row.passos) && (
              <Button
                size="tight"
                variant="quiet"
                aria-label={`Desfazer: ${stepText(step)}`}
                onPress={() => setUndone(step)}
              >
                Desfazer
              </Button>
            )}
          </li>
        ))}
      </ul>
      {undone && <UndoDialog {...{ containment, row }} step={undone} onClose={() => setUndone(null)} />}
    </Dialog>
  )
}

type UndoProps = { containment: Containment; row: ContainmentRow; step: ContainmentStep; onClose: () => void }

/** A step is taken back whole. */
function UndoDialog({ containment, row, step, onClose }: UndoProps) {
  const { save, isBusy, failure } = useDecide(containment, { toast: 'Passo desfeito.', onSaved: onClose })
  const undo = (motivo: string) =>
    save({
      tipo: 'estornar',
      motivo,
      linhas: [{ id: row.id, version: row.version, pecas: step.pecas }],
      passo: step.id,
    })
  return (
    <ReasonDialog title="Desfazer o passo" saveText="Desfazer" {...{ isBusy, onClose }} error={failure} onSave={undo}>
      {stepText(step)}
    </ReasonDialog>
  )
}
