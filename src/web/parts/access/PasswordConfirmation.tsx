import { useEffect, useRef, useState } from 'react'
import type { Endpoint, Reply } from '../../../contract/endpoint.ts'
import { PASSWORD_LENGTH_MAX, sessions } from '../../../contract/sessions.ts'
import { makeStore } from '../../device/store.ts'
import { ApiError, call } from '../../server/api.ts'
import { useSave } from '../../server/save.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { takeFocus } from '../../ui/TextField.tsx'

type Answer = (isConfirmed: boolean) => void

/** The calls that wait for the password. */
const requests = makeStore<readonly Answer[]>([])

function answerPasswordRequests(isConfirmed: boolean): void {
  const answers = requests.get()
  requests.set([])
  for (const answer of answers) answer(isConfirmed)
}

/** False: it was given up. */
export const askPassword = (): Promise<boolean> => new Promise((resolve) => requests.set([...requests.get(), resolve]))

/**
 * As `call`, where the server may ask for the password again: `PasswordConfirmation` asks for it, and the call is
 * repeated. Given up it fails with what the server said.
 */
export async function callConfirmed<E extends Endpoint>(
  endpoint: E,
  parts: Parameters<typeof call<E>>[1],
  options: Parameters<typeof call<E>>[2] = {},
): Promise<Reply<E>> {
  try {
    return await call(endpoint, parts, options)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'password_needed')) throw error
    if (!(await askPassword())) throw error
    return await call(endpoint, parts, options)
  }
}

/** Asks for the password where a call waits for it. A screen with such calls shows it once. */
export function PasswordConfirmation({ username }: { username: string }) {
  useEffect(() => () => answerPasswordRequests(false), [])
  return requests.use().length > 0 && <ConfirmationDialog username={username} />
}

function ConfirmationDialog({ username }: { username: string }) {
  const [password, setPassword] = useState('')
  const box = useRef<HTMLInputElement>(null)
  const { save, isBusy, failure, forget } = useSave({
    send: () => call(sessions.confirm, { body: { password } }),
    onSaved: () => answerPasswordRequests(true),
    onFailed: () => takeFocus(box.current),
  })
  return (
    <FormDialog
      title="Confirme a sua senha"
      saveText="Confirmar"
      isValid={password !== ''}
      isBusy={isBusy}
      error={failure}
      onSave={() => save()}
      onClose={() => answerPasswordRequests(false)}
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
