import { useEffect, useRef, useState } from 'react'
import { PASSWORD_LENGTH_MAX, sessions } from '../../contract/sessions.ts'
import { call } from '../server/api.ts'
import { useSave } from '../server/save.ts'
import { FormDialog } from '../ui/FormDialog.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { answerPasswordAsked, useIsPasswordAsked } from './password-confirmation.ts'

/** Asks for the password where a call waits for it. A screen with such calls shows it once. */
export function PasswordConfirmation({ username }: { username: string }) {
  useEffect(() => () => answerPasswordAsked(false), [])
  return useIsPasswordAsked() && <ConfirmationDialog username={username} />
}

function ConfirmationDialog({ username }: { username: string }) {
  const [password, setPassword] = useState('')
  const box = useRef<HTMLInputElement>(null)
  const { save, isBusy, failure, forget } = useSave({
    send: () => call(sessions.confirm, { body: { password } }),
    onSaved: () => answerPasswordAsked(true),
    onFailed: () => {
      box.current?.focus()
      box.current?.select()
    },
  })
  return (
    <FormDialog
      title="Confirme a sua senha"
      saveText="Confirmar"
      isValid={password !== ''}
      isBusy={isBusy}
      error={failure}
      onSave={() => save()}
      onClose={() => answerPasswordAsked(false)}
    >
      <p>Esta mudança pede a senha de quem a faz. Ela vale por 5 minutos; o que foi digitado fica.</p>
      {/* Whose password it is, for the password managers of browsers. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        label="Sua senha"
        shownName="a sua senha"
        name="currentPassword"
        value={password}
        onChange={(typed) => {
          setPassword(typed)
          forget()
        }}
        isRequired
        maxLength={PASSWORD_LENGTH_MAX}
        autoFocus
        autoComplete="current-password"
        inputRef={box}
      />
    </FormDialog>
  )
}
