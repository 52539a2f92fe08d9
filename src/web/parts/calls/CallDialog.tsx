import { useRef, useState } from 'react'
import { callSymptoms, callTopics } from '../../../contract/maintenance-calls.ts'
import type { CallTeam } from '../../../contract/values.ts'
import { symptomTexts } from '../../../domain/tools/call-symptoms.ts'
import { teamTexts, topicTexts } from '../../../domain/tools/call-topics.ts'
import type { CallPlace, CallReason } from '../../acts/maintenance-calls.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { RadioChoice } from '../../ui/RadioChoice.tsx'
import { Fact } from '../fields/fields.tsx'
import { MachineSelector } from '../selectors/MachineSelector.tsx'
import { useCallTeams } from './teams.ts'

type Props = {
  branch: string
  place: CallPlace
  /** As people call the item. */
  item: string
  /** Chosen at first; maintenance, where nothing speaks for another. */
  team?: CallTeam
  onCall: (machine: string, reason: CallReason) => void
  onClose: () => void
}

const reasonsOf = (team: CallTeam): [text: string, reason: CallReason][] =>
  team === 'manutencao'
    ? callSymptoms.map((symptom) => [symptomTexts[symptom], { symptom }])
    : callTopics[team].map((topic) => [topicTexts[topic], { symptom: 'outro', team, topic }])

/** Calls with one tap on the symptom; another team takes one tap more. Where no machine is known yet it is picked first. */
export function CallDialog({ branch, place, item, team: first = 'manutencao', onCall, onClose }: Props) {
  const teams = useCallTeams()
  const [team, setTeam] = useState(first)
  const reasons = reasonsOf(team)
  const [picked, setPicked] = useState('')
  const [isPicking, setPicking] = useState(false)
  const machine = place.machine || picked
  /** The second tap of a double tap comes before the dialog is gone. */
  const isSent = useRef(false)
  const callFor = (reason: CallReason) => () => {
    if (!isSent.current) onCall(machine, reason)
    isSent.current = true
  }
  const { tool, order, side, junction } = place
  const facts = { Máquina: machine, 'Mini aplicador': tool, Ordem: order, Item: item, Lado: side, Junção: junction }
  return (
    <Dialog title={teams.length > 1 ? 'Chamar' : 'Chamar manutenção'} width="md" onClose={onClose}>
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
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
      {teams.length > 1 && (
        <RadioChoice
          label="Quem?"
          options={teams.map((value) => ({ value, label: teamTexts[value] }))}
          value={team}
          onChange={setTeam}
        />
      )}
      <fieldset
        // an odd one out is as wide as two
        className={`grid grid-cols-1 gap-3 sm:grid-cols-2 ${reasons.length % 2 === 1 ? 'sm:*:last:col-span-2' : ''}`}
        disabled={machine === ''}
      >
        <legend className="mb-2 font-semibold">
          {machine === '' ? 'Escolha antes a máquina.' : 'O que acontece?'}
        </legend>
        {reasons.map(([text, reason]) => (
          <Button key={text} size="xl" wide isDisabled={machine === ''} onPress={callFor(reason)}>
            {text}
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
