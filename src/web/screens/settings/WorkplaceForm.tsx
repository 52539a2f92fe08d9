import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { machines } from '../../../contract/machines.ts'
import { machineText } from '../../../domain/forms/recording-form.ts'
import { changePreferences, usePreferences } from '../../device/preferences.ts'
import { PlantChoice } from '../../parts/fields/PlantChoice.tsx'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { query } from '../../server/query.ts'
import { SwitchField } from '../../ui/SwitchField.tsx'
import { NameForm } from './NameForm.tsx'

/** Where this device stands. Without a name it stands nowhere, and works with every machine. */
export function WorkplaceForm() {
  const { workplace } = usePreferences()
  return (
    <div className="flex flex-col gap-4">
      <NameForm
        typedKey="posto"
        saved={workplace.name}
        changeOf={(name) => ({ workplace: name === '' ? { name, machines: [] } : { ...workplace, name } })}
        field={{
          name: 'workplace',
          label: 'Posto de trabalho',
          description:
            'Com um posto, a última máquina fica lembrada também no outro turno e para outra pessoa. Ex.: Bancada 2',
        }}
        texts={{
          save: 'Salvar posto',
          saved: 'Posto de trabalho salvo.',
          notSaved: 'O posto vale até a página ser fechada: este dispositivo não o guardou.',
        }}
      />
      {workplace.name !== '' && <Machines />}
    </div>
  )
}

/** Chosen one by one, and at once. */
function Machines() {
  const { plants } = useSettings()
  const { workplace } = usePreferences()
  const [plant, setPlant] = useState(plants[0]?.code ?? '')
  const reading = useQuery(query(machines.list, { query: { filial: plant } }))
  const allow = (id: string, isAllowed: boolean) => {
    const others = workplace.machines.filter((one) => one !== id)
    changePreferences({ workplace: { ...workplace, machines: isAllowed ? [...others, id] : others } })
  }
  return (
    <section aria-label="Máquinas do posto" className="flex flex-col gap-3">
      <div>
        <h3 className="font-semibold">Máquinas do posto</h3>
        <p className="text-sm text-muted">
          Só as ligadas aparecem nos formulários deste dispositivo. Sem nenhuma ligada para um tipo de trabalho,
          aparecem todas.
        </p>
      </div>
      {plants.length > 1 && <PlantChoice value={plant} onChange={setPlant} />}
      {!reading.data && <ReadingState reading={reading} loadingText="Carregando máquinas..." />}
      <div className="flex max-h-96 flex-col gap-1 overflow-y-auto px-1">
        {reading.data?.map((machine) => (
          <SwitchField
            key={machine.id}
            label={machineText(machine)}
            description={machine.descricao}
            isOn={workplace.machines.includes(machine.id)}
            onChange={(isOn) => allow(machine.id, isOn)}
          />
        ))}
      </div>
    </section>
  )
}
