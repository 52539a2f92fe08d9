import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { ADMIN_PASSWORD_LENGTH_MIN, PASSWORD_LENGTH_MAX, USERNAME_LENGTH_MAX } from '../../../contract/sessions.ts'
import { FULL_NAME_LENGTH_MAX } from '../../../contract/users.ts'
import { useSave } from '../../server/save.ts'
import { beginFirstAccess } from '../../server/session.ts'
import { firstStepsPath } from '../../text/links.ts'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/Form.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { TextField } from '../../ui/TextField.tsx'

const empty = { codigo: '', username: '', fullName: '', password: '' }

/** The first administrator of a new panel, once. */
export function FirstAccess() {
  const router = useRouter()
  const [typed, setTyped] = useState(empty)
  const [isIncomplete, setIncomplete] = useState(false)
  const { save, isBusy, failure } = useSave({
    send: beginFirstAccess,
    onSaved: () => router.history.replace(firstStepsPath),
  })
  const set = (field: keyof typeof empty) => (text: string) => setTyped((before) => ({ ...before, [field]: text }))

  const submit = () => {
    const isEmpty = Object.values(typed).some((text) => text.trim() === '')
    setIncomplete(isEmpty)
    if (!isEmpty) save({ ...typed, username: typed.username.trim(), fullName: typed.fullName.trim() })
  }

  return (
    <Form onSubmit={submit} className="flex flex-col gap-5">
      <div>
        <h1 className="text-3xl font-semibold tracking-tight">Primeiro acesso</h1>
        <p className="text-muted">
          Crie o administrador deste painel. O código está no terminal em que o painel foi iniciado, ou no arquivo
          &apos;primeiro-acesso&apos; da pasta de dados do servidor.
        </p>
      </div>
      <TextField label="Código" value={typed.codigo} onChange={set('codigo')} autoFocus code maxLength={40} />
      <TextField
        label="Nome completo"
        value={typed.fullName}
        onChange={set('fullName')}
        maxLength={FULL_NAME_LENGTH_MAX}
      />
      <TextField
        label="Usuário"
        value={typed.username}
        onChange={set('username')}
        autoComplete="username"
        autoCapitalize="none"
        maxLength={USERNAME_LENGTH_MAX}
      />
      <PasswordField
        label={`Senha (${ADMIN_PASSWORD_LENGTH_MIN} caracteres ou mais)`}
        value={typed.password}
        onChange={set('password')}
        autoComplete="new-password"
        maxLength={PASSWORD_LENGTH_MAX}
      />
      <Button type="submit" variant="primary" wide busy={isBusy} busyText="Criando...">
        Criar e entrar
      </Button>
      <div role="alert" className="min-h-6 font-medium text-bad-ink">
        {isIncomplete ? 'Preencha todos os campos' : failure}
      </div>
    </Form>
  )
}
