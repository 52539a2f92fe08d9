import { useQuery } from '@tanstack/react-query'
import { KeyRound, Pencil, UserCheck, UserPlus, UserX } from 'lucide-react'
import { useState } from 'react'
import { type User, users } from '../../../contract/users.ts'
import { roleTexts } from '../../../domain/audit-entries.ts'
import { formatCount, formatInstant } from '../../app/format.ts'
import { displayName } from '../../app/labels.ts'
import { useUser } from '../../device/credentials.ts'
import { callConfirmed } from '../../parts/password-confirmation.ts'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { query } from '../../server/query.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../ui/Table.tsx'
import { OwnPasswordDialog } from './OwnPasswordDialog.tsx'
import { NewUserDialog, PasswordDialog, UserDialog, useUserChange } from './UserDialogs.tsx'

/** Takes a user's access away, or gives it back. Mounted while it is open. */
export function AccessDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { id, username, active } = user
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
          : `${name} volta a poder entrar, com a senha que tinha.`}
      </p>
    </ConfirmDialog>
  )
}

/** One's own takes the current one. */
function AnyPasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const isOwn = useUser()?.username === user.username
  const Own = isOwn ? OwnPasswordDialog : PasswordDialog
  return <Own user={user} onClose={onClose} />
}

const dialogs = { edit: UserDialog, password: AnyPasswordDialog, access: AccessDialog } as const
type Open = { kind: 'new' } | { kind: keyof typeof dialogs; user: User }

/** Who may use the panel, for administrators. */
export function UsersTab() {
  const [open, setOpen] = useState<Open | null>(null)
  const reading = useQuery(query(users.list, {}))
  const { data: list = [], isPending, error } = reading
  const close = () => setOpen(null)
  const OpenDialog = open && open.kind !== 'new' ? dialogs[open.kind] : null
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p role="status" className="text-sm text-muted">
          {isPending || error ? '' : `${formatCount(list.length)} ${list.length === 1 ? 'usuário' : 'usuários'}`}
        </p>
        <Button variant="primary" icon={<UserPlus {...icon.md} />} onPress={() => setOpen({ kind: 'new' })}>
          Novo usuário
        </Button>
      </div>
      <ReadingState reading={reading} loadingText="Carregando os usuários..." />
      {list.length > 0 && <UserTable list={list} onOpen={(kind, user) => setOpen({ kind, user })} />}
      {open?.kind === 'new' && <NewUserDialog onClose={close} />}
      {OpenDialog && open && open.kind !== 'new' && <OpenDialog user={open.user} onClose={close} />}
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
        <Th>Papel</Th>
        <Th>Acesso</Th>
        <Th>Último uso</Th>
        <Th align="right">Ações</Th>
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
            <Td label="Papel">{roleTexts[user.role]}</Td>
            <Td label="Acesso">
              <Badge tone={user.active ? 'ok' : 'neutral'}>{user.active ? 'Ativo' : 'Desativado'}</Badge>
            </Td>
            <Td label="Último uso">{user.lastUsedAt ? formatInstant(user.lastUsedAt, timeZone) : '—'}</Td>
            <Td align="right">
              <span className="inline-flex justify-end gap-2">
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
