import { useQuery } from '@tanstack/react-query'
import { Dices, FileUp, IdCard, KeyRound, Pencil, UserCheck, UserPlus, UserX } from 'lucide-react'
import { createElement, useState } from 'react'
import { PASSWORD_LENGTH_MAX, USERNAME_LENGTH_MAX, Username } from '../../../contract/sessions.ts'
import { FULL_NAME_LENGTH_MAX, type User, users } from '../../../contract/users.ts'
import { type Role, roles, saysSomething } from '../../../contract/values.ts'
import { roleTexts } from '../../../domain/people/permissions.ts'
import { useUser } from '../../device/credentials.ts'
import { deferred } from '../../device/deferred.ts'
import { callConfirmed } from '../../parts/access/PasswordConfirmation.tsx'
import { lateDialog } from '../../parts/Late.tsx'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { query } from '../../server/query.ts'
import { useSave } from '../../server/save.ts'
import { formatCount, formatInstant } from '../../text/format.ts'
import { displayName } from '../../text/labels.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { RadioChoice } from '../../ui/RadioChoice.tsx'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../ui/Table.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { BadgeDialog } from './BadgeDialog.tsx'
import { type Owner, OwnPasswordDialog, passwordTrouble, trouble } from './OwnPasswordDialog.tsx'

/** Changes a user; says so and shows the list as it is then. */
function useUserChange(change: () => Promise<unknown>, doneText: string, onDone: () => void) {
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
function newPassword(): string {
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
    description="Anote a senha e entregue à pessoa. Ela não será mostrada de novo."
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
    description="Aparece como operador nos apontamentos."
    value={value}
    onChange={onChange}
    isRequired
    autoFocus={isFirst}
    maxLength={FULL_NAME_LENGTH_MAX}
  />
)

const RoleChoice = ({ value, onChange }: { value: Role; onChange: (role: Role) => void }) => (
  <RadioChoice label="Perfil" options={roleOptions} value={value} onChange={onChange} />
)

/** Mounted while it is open, as those below. */
function NewUserDialog({ onClose }: { onClose: () => void }) {
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

function UserDialog({ user, onClose }: UserProps) {
  const { id, username } = user
  const [fullName, setFullName] = useState(user.fullName)
  const [role, setRole] = useState<Role>(user.role)
  const change = useUserChange(
    () => callConfirmed(users.change, { params: { id }, body: { fullName: fullName.trim(), role } }),
    `Usuário ${username} alterado.`,
    onClose,
  )
  const isValid = saysSomething(fullName)
  return (
    <FormDialog title={`Editar ${username}`} isValid={isValid} onClose={onClose} {...change}>
      <FullNameBox value={fullName} onChange={setFullName} isFirst />
      <RoleChoice value={role} onChange={setRole} />
    </FormDialog>
  )
}

function PasswordDialog({ user, onClose }: UserProps) {
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

/** Takes a user's access away, or gives it back. Mounted while it is open. */
function AccessDialog({ user, onClose }: UserProps) {
  const { id, username, active, isFromDirectory } = user
  const { isBusy, error, onSave } = useUserChange(
    () => callConfirmed(users.change, { params: { id }, body: { active: !active } }),
    active ? `${username} não tem mais acesso.` : `${username} tem acesso de novo.`,
    onClose,
  )
  const name = displayName(user)
  return (
    <ConfirmDialog
      title={active ? 'Desativar o usuário?' : 'Ativar o usuário?'}
      kind={active ? 'danger' : 'info'}
      confirmText={active ? 'Desativar' : 'Ativar'}
      busyText={active ? 'Desativando...' : 'Ativando...'}
      isBusy={isBusy}
      error={error}
      onConfirm={onSave}
      onClose={onClose}
    >
      <p className="wrap-anywhere">
        {active
          ? `${name} sai na hora de todos os dispositivos e não entra mais. O que já apontou fica; o que ainda não foi enviado fica retido em Pendências até um administrador decidir.`
          : `${name} volta a poder entrar, com a senha ${isFromDirectory ? 'do diretório' : 'que tinha'}.`}
      </p>
    </ConfirmDialog>
  )
}

/** One's own takes the current one. */
function AnyPasswordDialog({ user, onClose }: UserProps) {
  const isOwn = useUser()?.username === user.username
  const Own = isOwn ? OwnPasswordDialog : PasswordDialog
  return <Own user={user} onClose={onClose} />
}

const ImportDialog = lateDialog(deferred(async () => (await import('./users/ImportDialog.tsx')).ImportDialog))

const dialogs = { badge: BadgeDialog, edit: UserDialog, password: AnyPasswordDialog, access: AccessDialog } as const
type Open = { kind: 'new' | 'import' } | { kind: keyof typeof dialogs; user: User }

/** Users of the panel, for administrators. */
export function UsersTab() {
  const [open, setOpen] = useState<Open | null>(null)
  const reading = useQuery(query(users.list, {}))
  const { data: list = [], isPending, error } = reading
  const close = () => setOpen(null)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p role="status" className="text-sm text-muted">
          {isPending || error ? '' : `${formatCount(list.length)} ${list.length === 1 ? 'usuário' : 'usuários'}`}
        </p>
        <span className="flex flex-wrap gap-2">
          <Button icon={<FileUp {...icon.md} />} onPress={() => setOpen({ kind: 'import' })}>
            Importar CSV
          </Button>
          <Button variant="primary" icon={<UserPlus {...icon.md} />} onPress={() => setOpen({ kind: 'new' })}>
            Novo usuário
          </Button>
        </span>
      </div>
      <ReadingState reading={reading} loadingText="Carregando os usuários..." />
      {list.length > 0 && <UserTable list={list} onOpen={(kind, user) => setOpen({ kind, user })} />}
      {open?.kind === 'new' && <NewUserDialog onClose={close} />}
      {open?.kind === 'import' && <ImportDialog onClose={close} />}
      {open &&
        'user' in open &&
        createElement(dialogs[open.kind], {
          user: list.find(({ id }) => id === open.user.id) ?? open.user,
          onClose: close,
        })}
    </div>
  )
}

type TableProps = { list: readonly User[]; onOpen: (kind: keyof typeof dialogs, user: User) => void }

function UserTable({ list, onOpen }: TableProps) {
  const { timeZone } = useSettings()
  return (
    <Table label="Usuários" heightMax="max-h-none">
      <TableHead>
        <Th>Usuário</Th>
        <Th>Nome</Th>
        <Th>Perfil</Th>
        <Th>Acesso</Th>
        <Th>Último uso</Th>
        <Th align="right" stickyEnd>
          Ações
        </Th>
      </TableHead>
      <TableBody>
        {list.map((user) => (
          <Row key={user.id}>
            <Td label="Usuário">
              <span className="code min-w-0 font-medium wrap-break-word">{user.username}</span>
            </Td>
            <Td label="Nome">
              <span className="min-w-0 wrap-break-word">{displayName(user)}</span>
            </Td>
            <Td label="Perfil">{roleTexts[user.role]}</Td>
            <Td label="Acesso">
              <span className="inline-flex flex-wrap gap-1">
                <Badge tone={user.active ? 'ok' : 'neutral'}>{user.active ? 'Ativo' : 'Desativado'}</Badge>
                {user.isFromDirectory && <Badge tone="neutral">Diretório</Badge>}
              </span>
            </Td>
            <Td label="Último uso">{user.lastUsedAt ? formatInstant(user.lastUsedAt, timeZone) : '—'}</Td>
            <Td align="right" stickyEnd>
              <span className="inline-flex justify-end gap-2 md:max-xl:gap-0">
                {!user.isFromDirectory && (
                  <>
                    <IconButton
                      label={`Editar ${user.username}`}
                      icon={<Pencil {...icon.md} />}
                      onPress={() => onOpen('edit', user)}
                    />
                    <IconButton
                      label={`Trocar a senha de ${user.username}`}
                      icon={<KeyRound {...icon.md} />}
                      onPress={() => onOpen('password', user)}
                    />
                  </>
                )}
                <IconButton
                  label={`Crachá de ${user.username}`}
                  icon={<IdCard {...icon.md} />}
                  tone={user.badge === 'blocked' ? 'bad' : 'plain'}
                  onPress={() => onOpen('badge', user)}
                />
                <IconButton
                  label={`${user.active ? 'Desativar' : 'Ativar'} ${user.username}`}
                  icon={user.active ? <UserX {...icon.md} /> : <UserCheck {...icon.md} />}
                  tone={user.active ? 'bad' : 'brand'}
                  onPress={() => onOpen('access', user)}
                />
              </span>
            </Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  )
}
