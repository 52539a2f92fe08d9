import { Dices } from 'lucide-react'
import { useState } from 'react'
import { PASSWORD_LENGTH_MAX, USERNAME_LENGTH_MAX, Username } from '../../../contract/sessions.ts'
import { FULL_NAME_LENGTH_MAX, type User, users } from '../../../contract/users.ts'
import { type Role, roles } from '../../../contract/values.ts'
import { roleTexts } from '../../../domain/audit-entries.ts'
import { displayName } from '../../app/labels.ts'
import { callConfirmed } from '../../parts/password-confirmation.ts'
import { useSettings } from '../../parts/settings.ts'
import { useSave } from '../../server/save.ts'
import { Button } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { RadioChoice } from '../../ui/RadioChoice.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { type Owner, passwordTrouble, trouble } from './OwnPasswordDialog.tsx'

/** Changes a user; says so and shows the list as it is then. */
export function useUserChange(change: () => Promise<unknown>, doneText: string, onDone: () => void) {
  const { save, isBusy, failure } = useSave({
    send: change,
    changes: [users.list],
    toast: doneText,
    onSaved: onDone,
  })
  return { isBusy, error: failure, onSave: () => save() }
}

/** Without those that are taken for one another when they are read out or copied by hand. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Four groups of three: 59 bits, and typed on a tablet without changing the keyboard twice per letter. */
export function newPassword(): string {
  const letters: string[] = []
  while (letters.length < 12) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1))
    // The rest of 256 would make the first letters likelier.
    if (byte < LETTERS.length * 8) letters.push(LETTERS.charAt(byte % LETTERS.length))
  }
  return [0, 3, 6, 9].map((at) => letters.slice(at, at + 3).join('')).join('-')
}

const roleOptions = roles.map((value) => ({ value, label: roleTexts[value] }))

type PasswordProps = { owner: Owner; value: string; onChange: (password: string) => void; isFirst?: boolean }

/** In sight: whoever sets it has to tell it to somebody, and no server can show it again. */
const PasswordBox = ({ owner, value, onChange, isFirst = false }: PasswordProps) => (
  <TextField
    label="Senha"
    description="Anote e entregue à pessoa: depois de salva, ninguém mais a vê."
    value={value}
    onChange={onChange}
    error={passwordTrouble(value, owner, useSettings().siteName)}
    isRequired
    autoFocus={isFirst}
    code
    autoCapitalize="none"
    maxLength={PASSWORD_LENGTH_MAX}
    trailing={
      <Button variant="quiet" size="tight" icon={<Dices {...icon.sm} />} onPress={() => onChange(newPassword())}>
        Gerar
      </Button>
    }
  />
)

type NameProps = { value: string; onChange: (name: string) => void; isFirst?: boolean }

const FullNameBox = ({ value, onChange, isFirst = false }: NameProps) => (
  <TextField
    label="Nome completo"
    description="Vai com os apontamentos, como operador."
    value={value}
    onChange={onChange}
    isRequired
    autoFocus={isFirst}
    maxLength={FULL_NAME_LENGTH_MAX}
  />
)

const RoleChoice = ({ value, onChange }: { value: Role; onChange: (role: Role) => void }) => (
  <RadioChoice label="Papel" options={roleOptions} value={value} onChange={onChange} />
)

/** Mounted while it is open, as those below. */
export function NewUserDialog({ onClose }: { onClose: () => void }) {
  const [username, setUsername] = useState('')
  const [fullName, setFullName] = useState('')
  const [role, setRole] = useState<Role>('operador')
  const [password, setPassword] = useState('')
  const { siteName } = useSettings()
  const name = username.trim()
  const owner = { username: name, fullName, role }
  const change = useUserChange(
    () => callConfirmed(users.create, { body: { username: name, fullName: fullName.trim(), role, password } }),
    `Usuário ${name.toLowerCase()} criado.`,
    onClose,
  )
  const wrong = trouble(Username, name) ?? passwordTrouble(password, owner, siteName)
  const isValid = !wrong && ![name, fullName.trim(), password].includes('')
  return (
    <FormDialog title="Novo usuário" saveText="Criar" isValid={isValid} onClose={onClose} {...change}>
      <TextField
        label="Usuário"
        description="Para entrar: letras sem acento, números, ponto ou hífen, como joao.dias."
        value={username}
        onChange={setUsername}
        error={trouble(Username, name)}
        isRequired
        autoFocus
        code
        autoCapitalize="none"
        maxLength={USERNAME_LENGTH_MAX}
      />
      <FullNameBox value={fullName} onChange={setFullName} />
      <RoleChoice value={role} onChange={setRole} />
      <PasswordBox owner={owner} value={password} onChange={setPassword} />
    </FormDialog>
  )
}

type UserProps = { user: User; onClose: () => void }

export function UserDialog({ user, onClose }: UserProps) {
  const { id, username } = user
  const [fullName, setFullName] = useState(user.fullName)
  const [role, setRole] = useState<Role>(user.role)
  const change = useUserChange(
    () => callConfirmed(users.change, { params: { id }, body: { fullName: fullName.trim(), role } }),
    `Usuário ${username} alterado.`,
    onClose,
  )
  const isValid = fullName.trim() !== ''
  return (
    <FormDialog title={`Editar ${username}`} isValid={isValid} onClose={onClose} {...change}>
      <FullNameBox value={fullName} onChange={setFullName} isFirst />
      <RoleChoice value={role} onChange={setRole} />
    </FormDialog>
  )
}

export function PasswordDialog({ user, onClose }: UserProps) {
  const { id, username } = user
  const { siteName } = useSettings()
  const [password, setPassword] = useState('')
  const change = useUserChange(
    () => callConfirmed(users.setPassword, { params: { id }, body: { password } }),
    `Senha de ${username} trocada.`,
    onClose,
  )
  const isValid = password !== '' && !passwordTrouble(password, user, siteName)
  return (
    <FormDialog title="Trocar a senha" saveText="Trocar" isValid={isValid} onClose={onClose} {...change}>
      <p className="wrap-anywhere">
        {displayName(user)} ({username}) sai de todos os dispositivos e entra com a senha nova. O que neles ainda espera
        envio fica retido em Pendências até um administrador decidir, ou até essa pessoa entrar lá.
      </p>
      <PasswordBox owner={user} value={password} onChange={setPassword} isFirst />
    </FormDialog>
  )
}
