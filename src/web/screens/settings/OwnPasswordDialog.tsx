import { useRef, useState } from 'react'
import {
  ADMIN_PASSWORD_LENGTH_MIN,
  PASSWORD_LENGTH_MAX,
  Password,
  sessions,
  type Username,
} from '../../../contract/sessions.ts'
import type { Role } from '../../../contract/values.ts'
import { isEasilyGuessed } from '../../../domain/people/passwords.ts'
import { useSettings } from '../../parts/settings.ts'
import { ApiError, call, Unreachable } from '../../server/api.ts'
import { useSave } from '../../server/save.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { takeFocus } from '../../ui/TextField.tsx'

/** Fault of the typed text, in the contract's own words. */
export const trouble = (schema: typeof Username, typed: string): string | undefined =>
  typed === '' ? undefined : schema.safeParse(typed).error?.issues[0]?.message

/** Whose password it is to be. */
export type Owner = { username: string; fullName: string; role: Role }

const isShortForAdmin = (password: string, { role }: Owner) =>
  role === 'admin' && password.length < ADMIN_PASSWORD_LENGTH_MIN

export function passwordTrouble(password: string, owner: Owner, siteName: string): string | undefined {
  if (password === '') return undefined
  const wrong = trouble(Password, password)
  if (wrong) return wrong
  if (isShortForAdmin(password, owner)) {
    return `A senha de administrador precisa de pelo menos ${ADMIN_PASSWORD_LENGTH_MIN} caracteres`
  }
  const isEasy = isEasilyGuessed(password, [owner.username, owner.fullName, siteName])
  return isEasy ? 'Fácil de adivinhar: escolha outra' : undefined
}

type Change = { currentPassword: string; password: string }

function useOwnPasswordChange(onWrongCurrent: () => void, onDone: () => void) {
  /** A try was left without an answer: it may have changed the password. */
  const [isUnsure, setUnsure] = useState(false)
  const { save, isBusy, error, failure, forget } = useSave({
    send: (body: Change) => call(sessions.changePassword, { body }),
    changes: [sessions.list],
    toast: 'Senha trocada. As outras sessões foram encerradas.',
    onSaved: onDone,
    onFailed: (thrown) => {
      if (thrown instanceof Unreachable) setUnsure(true)
      if (isWrongCurrent(thrown)) onWrongCurrent()
    },
  })
  const wrongCurrent = isUnsure ? 'A senha não confere. Se a troca anterior funcionou, use a senha nova.' : failure
  return {
    ...(isWrongCurrent(error) ? { error: undefined, wrongCurrent } : { error: failure, wrongCurrent: undefined }),
    isBusy,
    change: save,
    forgetError: forget,
  }
}

const isWrongCurrent = (error: unknown) => error instanceof ApiError && error.code === 'current_password_wrong'

const box = { isRequired: true, maxLength: PASSWORD_LENGTH_MAX } as const

/** Mounted while it is open. */
export function OwnPasswordDialog({ user, onClose }: { user: Owner; onClose: () => void }) {
  const { siteName } = useSettings()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const currentBox = useRef<HTMLInputElement>(null)
  const returnToCurrent = () => takeFocus(currentBox.current)
  const { error, wrongCurrent, isBusy, change, forgetError } = useOwnPasswordChange(returnToCurrent, onClose)
  const isSame = password !== '' && password === current
  const wrong = passwordTrouble(password, user, siteName) ?? (isSame ? 'É igual à atual: escolha outra' : undefined)
  return (
    <FormDialog
      title="Trocar senha"
      saveText="Trocar"
      isValid={!wrong && ![current, password].includes('') && repeated === password}
      isBusy={isBusy}
      error={error}
      onSave={() => change({ currentPassword: current, password })}
      onClose={onClose}
    >
      <p>As suas outras sessões acabam e pedem a senha nova. Esta continua.</p>
      {/* Whose password it is, for the password managers of browsers. */}
      <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
      <PasswordField
        {...box}
        label="Senha atual"
        shownName="senha atual"
        name="currentPassword"
        value={current}
        onChange={(typed) => {
          setCurrent(typed)
          forgetError()
        }}
        error={wrongCurrent}
        autoFocus
        autoComplete="current-password"
        inputRef={currentBox}
      />
      <PasswordField
        {...box}
        label="Nova senha"
        shownName="nova senha"
        name="password"
        value={password}
        onChange={setPassword}
        error={wrong}
        autoComplete="new-password"
      />
      <PasswordField
        {...box}
        label="Repita a nova senha"
        shownName="a repetição"
        name="repeatedPassword"
        value={repeated}
        onChange={setRepeated}
        error={repeated !== '' && repeated !== password ? 'As duas não são iguais' : undefined}
        autoComplete="new-password"
      />
    </FormDialog>
  )
}
