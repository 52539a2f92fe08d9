import { useState } from 'react'
import { RELEASE_REASON_LENGTH_MAX, type Release, type ReleaseForm, releases } from '../../../contract/releases.ts'
import { PASSWORD_LENGTH_MAX, USERNAME_LENGTH_MAX } from '../../../contract/sessions.ts'
import { saysSomething } from '../../../contract/values.ts'
import { piecesText } from '../../../domain/text/numbers.ts'
import { call, isNotKnownThere, Unreachable } from '../../server/api.ts'
import { useSave } from '../../server/save.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'

type Props = {
  /** The objection to 'Registrar': 'Falta medir a primeira peça.' */
  text: string
  /** The place of work, the pieces and the samples that it will be good for. */
  of: Omit<ReleaseForm, 'usuario' | 'senha' | 'motivo'>
  onReleased: (release: Release) => void
  onClose: () => void
}

/** A server of the version before gives one that looks at nothing, good for one recording of that place and day. */
async function give(form: ReleaseForm): Promise<Release> {
  try {
    return await call(releases.give, { body: form })
  } catch (error) {
    if (!isNotKnownThere(error)) throw error
    const { atos: _acts, digitados: _typed, pecas: _pieces, ...known } = form
    return await call(releases.give, { body: known })
  }
}

/** Somebody of quality lets work through on the operator's tablet. Mounted while it is open. */
export function ReleaseDialog({ text, of, onReleased, onClose }: Props) {
  const [usuario, setUsername] = useState('')
  const [senha, setPassword] = useState('')
  const [motivo, setReason] = useState('')
  const { save, isBusy, error, failure } = useSave({
    send: () => give({ ...of, usuario: usuario.trim(), senha, motivo: motivo.trim() }),
    toast: ({ por }) => ({ kind: 'success', text: `Liberado por ${por}.` }),
    onSaved: onReleased,
    onFailed: () => setPassword(''),
  })
  return (
    <FormDialog
      title="Liberar (qualidade)"
      saveText="Liberar"
      isValid={[usuario, senha].every((typed) => typed.trim() !== '') && saysSomething(motivo)}
      isBusy={isBusy}
      error={error instanceof Unreachable ? 'Sem rede: a liberação precisa do servidor.' : failure}
      onSave={() => save()}
      onClose={onClose}
    >
      <p>
        {text} Vale para {piecesText(of.pecas ?? 0)} deste apontamento; uma medição pior anula. Fica na auditoria.
      </p>
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
