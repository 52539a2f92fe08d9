import type { FormEvent } from 'react'
import { isText, useTyped } from '../../parts/useTyped.ts'
import { changePreferences, DEVICE_NAME_LENGTH_MAX, deviceNameOf, usePreferences } from '../../preferences.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { showToast } from '../../ui/toasts.ts'

export function DeviceNameForm() {
  const { deviceName } = usePreferences()
  const [typed, setTyped] = useTyped('dispositivo', deviceName, isText)
  const name = deviceNameOf(typed)
  const save = (event: FormEvent) => {
    event.preventDefault()
    setTyped(name)
    if (changePreferences({ deviceName: name })) showToast({ kind: 'success', text: 'Nome do dispositivo salvo.' })
    else showToast({ kind: 'warning', text: 'O nome vale até a página ser fechada: este dispositivo não o guardou.' })
  }
  return (
    <form onSubmit={save} className="flex flex-col gap-4">
      <TextField
        label="Nome do dispositivo"
        description="Vai com os apontamentos e com as sessões: 'Tablet 3, bancada de junções'."
        value={typed}
        onChange={setTyped}
        maxLength={DEVICE_NAME_LENGTH_MAX}
        autoComplete="off"
        name="deviceName"
      />
      <div>
        <Button type="submit" variant="primary" isDisabled={name === deviceName}>
          Salvar
        </Button>
      </div>
    </form>
  )
}
