import { changePreferences, DEVICE_NAME_LENGTH_MAX, deviceNameOf, type Preferences } from '../../device/preferences.ts'
import { showToast } from '../../device/toasts.ts'
import { isText, useTyped } from '../../parts/fields/useTyped.ts'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/Form.tsx'
import { TextField } from '../../ui/TextField.tsx'

type Props = {
  /** Key under which this tab keeps the typed text until it is saved. */
  typedKey: string
  /** Name as it is saved now. */
  saved: string
  /** The preferences that a name changes. */
  changeOf: (name: string) => Partial<Preferences>
  field: { name: string; label: string; description: string }
  texts: { save: string; saved: string; notSaved: string }
}

/** A name that this device has, or its place. */
export function NameForm({ typedKey, saved, changeOf, field, texts }: Props) {
  const [typed, setTyped] = useTyped(typedKey, saved, isText)
  const name = deviceNameOf(typed)
  const save = () => {
    setTyped(name)
    if (changePreferences(changeOf(name))) showToast({ kind: 'success', text: texts.saved })
    else showToast({ kind: 'warning', text: texts.notSaved })
  }
  return (
    <Form onSubmit={save} className="flex flex-col gap-4">
      <TextField {...field} value={typed} onChange={setTyped} maxLength={DEVICE_NAME_LENGTH_MAX} />
      <div>
        <Button type="submit" variant="primary" isDisabled={name === saved}>
          {texts.save}
        </Button>
      </div>
    </Form>
  )
}
