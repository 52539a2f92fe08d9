import { useRef, useState } from 'react'
import { type CallSymptom, callSymptoms } from '../../../contract/maintenance-calls.ts'
import { symptomTexts } from '../../../domain/call-symptoms.ts'
import type { CallPlace } from '../../recording/frozen.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Fact } from '../fields/fields.tsx'
import { MachineSelector } from '../selectors/MachineSelector.tsx'

type Props = {
  branch: string
  place: CallPlace
  /** As people call the item. */
  item: string
  onCall: (machine: string, symptom: CallSymptom) => void
  onClose: () => void
}

/** What is wrong, in one tap. Where no machine is known yet it is picked first. */
export function CallDialog({ branch, place, item, onCall, onClose }: Props) {
  const [picked, setPicked] = useState('')
  const [isPicking, setPicking] = useState(false)
  const machine = place.machine || picked
  /** The second tap of a double tap comes before the dialog is gone. */
  const isSent = useRef(false)
  const send = (symptom: CallSymptom) => {
    if (isSent.current) return
    isSent.current = true
    onCall(machine, symptom)
  }
  const { tool, order, side, junction } = place
  const facts = { 'Mini aplicador': tool, Ordem: order, Item: item, Lado: side, Junção: junction }
  return (
    <Dialog title="Chamar manutenção" width="md" onClose={onClose}>
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        {machine !== '' && <Fact label="Máquina">{machine}</Fact>}
        {Object.entries(facts)
          .filter(([, text]) => text !== '')
          .map(([name, text]) => (
            <Fact key={name} label={name}>
              {text}
            </Fact>
          ))}
      </dl>
      {machine === '' && (
        <Button variant="primary" size="xl" wide onPress={() => setPicking(true)}>
          Selecionar máquina
        </Button>
      )}
      <fieldset className="grid grid-cols-1 gap-3 sm:grid-cols-2 sm:*:last:col-span-2" disabled={machine === ''}>
        <legend className="mb-2 font-semibold">
          {machine === '' ? 'Escolha antes a máquina.' : 'O que acontece?'}
        </legend>
        {callSymptoms.map((symptom) => (
          <Button key={symptom} size="xl" wide isDisabled={machine === ''} onPress={() => send(symptom)}>
            {symptomTexts[symptom]}
          </Button>
        ))}
      </fieldset>
      {isPicking && (
        <MachineSelector
          branch={branch}
          onSelect={({ id }) => {
            setPicked(id)
            setPicking(false)
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </Dialog>
  )
}
