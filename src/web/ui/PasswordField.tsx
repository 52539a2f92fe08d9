import { Eye, EyeOff } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { IconButton } from './Button.tsx'
import { icon } from './icon-sizes.ts'
import { TextField, type TextFieldProps } from './TextField.tsx'

type Props = Omit<TextFieldProps, 'type' | 'trailing' | 'onKeyDown' | 'onKeyUp' | 'onBlur'> & {
  /** The thing its button shows and hides: 'Mostrar senha'. */
  shownName?: string
}

/** Hidden until it is asked for. */
export function PasswordField({ shownName = 'senha', description, ...field }: Props) {
  const [isShown, setShown] = useState(false)
  const [hasCapsLock, setCapsLock] = useState(false)
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <TextField
      autoCapitalize="none"
      {...field}
      type={isShown ? 'text' : 'password'}
      onKeyDown={watchCapsLock}
      onKeyUp={watchCapsLock}
      onBlur={() => setCapsLock(false)}
      description={hasCapsLock ? 'Maiúsculas (Caps Lock) ativadas' : description}
      trailing={
        <IconButton
          label={`${isShown ? 'Ocultar' : 'Mostrar'} ${shownName}`}
          icon={isShown ? <EyeOff {...icon.md} /> : <Eye {...icon.md} />}
          onPress={() => setShown(!isShown)}
        />
      }
    />
  )
}
