import { type User, users } from '../../../contract/users.ts'
import { displayName } from '../../labels.ts'
import { callConfirmed } from '../../parts/password-confirmation.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useUserChange } from './user-changes.ts'

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
