import { useState } from 'react'
import { RELEASE_REASON_LENGTH_MAX, type Release, type ReleaseForm, releases } from '../../../contract/releases.ts'
import { PASSWORD_LENGTH_MAX, USERNAME_LENGTH_MAX } from '../../../contract/sessions.ts'
import { call, Unreachable } from '../../server/api.ts'
import { useSave } from '../../server/save.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'

type Props = {
  /** What speaks against 'Registrar': 'Falta medir a primeira peça.' */
  text: string
  /** The place of work that it will be good for. */
  of: Omit<ReleaseForm, 'usuario' | 'senha' | 'motivo'>
  onReleased: (release: Release) => void
  onClose: () => void
}

/** Somebody of quality lets work through on the operator's tablet. Mounted while it is open. */
export function ReleaseDialog({ text, of, onReleased, onClose }: Props) {
  const [usuario, setUsername] = useState('')
  const [senha, setPassword] = useState('')
  const [motivo, setReason] = useState('')
  const { save, isBusy, error, failure } = useSave({
    send: () => call(releases.give, { body: { ...of, usuario: usuario.trim(), senha, motivo: motivo.trim() } }),
    toast: ({ por }) => ({ kind: 'success', text: `Liberado por ${por}.` }),
    onSaved: onReleased,
    onFailed: () => setPassword(''),
  })
  return (
    <FormDialog
      title="Liberar (qualidade)"
      saveText="Liberar"
      isValid={[usuario, senha, motivo].every((typed) => typed.trim() !== '')}
      isBusy={isBusy}
      error={error instanceof Unreachable ? 'Sem rede: a liberação precisa do servidor.' : failure}
      onSave={() => save()}
      onClose={onClose}
    >
      <p>{text} Vale para este apontamento e fica na auditoria.</p>
      <TextField
        label="Usuário da qualidade"
        name="liberador"
        autoCapitalize="none"
        autoFocus
        isRequired
        maxLength={USERNAME_LENGTH_MAX}
        value={usuario}
        onChange={setUsername}
      />
      {/* No password box: a browser would offer to keep it for the operator whose tablet this is. */}
      <div className="[&_input]:[-webkit-text-security:disc]">
        <TextField
          label="Senha da qualidade"
          name="liberacao"
          autoCapitalize="none"
          isRequired
          maxLength={PASSWORD_LENGTH_MAX}
          value={senha}
          onChange={setPassword}
        />
      </div>
      <TextField
        label="Motivo da liberação"
        isRequired
        maxLength={RELEASE_REASON_LENGTH_MAX}
        value={motivo}
        onChange={setReason}
      />
    </FormDialog>
  )
}
