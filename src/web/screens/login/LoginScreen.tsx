import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { CloudUpload } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { firstAccess } from '../../../contract/first-access.ts'
import { PASSWORD_LENGTH_MAX } from '../../../contract/sessions.ts'
import { isRetained } from '../../acts/queue.ts'
import { useWaiting } from '../../acts/queue-db.ts'
import { takeReturnUrl } from '../../device/credentials.ts'
import { deferred } from '../../device/deferred.ts'
import { BrandMark } from '../../parts/Brand.tsx'
import { latePart } from '../../parts/Late.tsx'
import { tellWrongPins } from '../../parts/scanner/wrong-pins.ts'
import { errorText } from '../../server/api.ts'
import { query } from '../../server/query.ts'
import { login } from '../../server/session.ts'
import { returnPath } from '../../text/links.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/Form.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { TextField } from '../../ui/TextField.tsx'

export function LoginScreen() {
  useEffect(() => {
    document.title = 'Painel Industrial'
  }, [])
  return (
    <main className="flex min-h-[calc(100dvh-var(--banner-height))] max-lg:flex-col">
      <section className="relative flex flex-col justify-between gap-8 overflow-hidden bg-header p-6 text-header-ink lg:w-5/12 lg:p-12">
        <div className="flex items-center gap-4">
          <BrandMark className="size-12 shrink-0" />
          <div>
            <p className="text-xl font-semibold">Painel Industrial</p>
            <p className="text-header-muted">Central de Produção e Monitoramento</p>
          </div>
        </div>
        <HarnessDrawing />
        <p className="max-w-sm text-lg text-balance text-header-muted max-lg:hidden">
          Corte, crimpagem e junção de chicotes, do posto de trabalho ao ERP.
        </p>
      </section>
      <section className="flex flex-1 items-center justify-center p-6 max-lg:items-start">
        <div className="relative w-full max-w-sm">
          <Entrance />
          <WaitingHere />
        </div>
      </section>
    </main>
  )
}

const FirstAccess = latePart(deferred(async () => (await import('./FirstAccess.tsx')).FirstAccess))

/** First access to a panel that has no user yet: it makes the first administrator. */
function Entrance() {
  const { data } = useQuery(query(firstAccess.state, {}))
  if (!data?.aberto) return <LoginForm />
  return <FirstAccess />
}

function LoginForm() {
  const router = useRouter()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const passwordBox = useRef<HTMLInputElement>(null)

  /** Enter in the first box goes on to the second, as long as that is empty. */
  const goOn = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || username.trim() === '' || password !== '') return
    event.preventDefault()
    passwordBox.current?.focus()
  }
  const submit = async () => {
    if (isBusy) return
    if (username.trim() === '' || password === '') return setError('Informe usuário e senha')
    setBusy(true)
    setError(null)
    try {
      void tellWrongPins(await login(username.trim(), password))
      router.history.replace(returnPath(takeReturnUrl()))
    } catch (thrown) {
      setError(errorText(thrown))
      setBusy(false)
    }
  }

  return (
    <Form onSubmit={submit} className="flex flex-col gap-5">
      <div>
        <h1 className="text-3xl font-semibold tracking-tight">Entrar</h1>
        <p className="text-muted">Use seu usuário e sua senha do painel.</p>
      </div>
      <TextField
        label="Usuário"
        name="username"
        value={username}
        onChange={setUsername}
        onKeyDown={goOn}
        autoComplete="username"
        autoCapitalize="none"
        autoFocus
        maxLength={64}
      />
      <PasswordField
        label="Senha"
        name="password"
        value={password}
        onChange={setPassword}
        inputRef={passwordBox}
        autoComplete="current-password"
        maxLength={PASSWORD_LENGTH_MAX}
      />
      <Button type="submit" variant="primary" wide busy={isBusy} busyText="Entrando...">
        Entrar
      </Button>
      <div role="alert" className="min-h-6 font-medium text-bad-ink">
        {error}
      </div>
    </Form>
  )
}

/** Acts waiting here, whoever made them: they are sent from here too. The form does not move when they come or go. */
function WaitingHere() {
  const waiting = useWaiting() ?? []
  const retained = waiting.filter(isRetained)
  const count = waiting.length - retained.length
  const text = count === 1 ? '1 apontamento aguarda envio' : `${count} apontamentos aguardam envio`
  return (
    <div className="absolute inset-x-0 top-full flex flex-col gap-5 py-4">
      {count > 0 && (
        <p role="status" className="flex items-center gap-2 text-sm text-muted">
          <CloudUpload {...icon.sm} className="shrink-0" />
          {text} neste dispositivo. Não é preciso entrar para enviar.
        </p>
      )}
      {[...Map.groupBy(retained, ({ problem }) => problem?.message ?? '')].map(([message, those]) => (
        <Alert key={message} kind="warning">
          {those.length === 1 ? '1 apontamento' : `${those.length} apontamentos`} deste dispositivo: {message}
        </Alert>
      ))}
    </div>
  )
}

/** A harness in one stroke: wires leave the trunk and end in terminals. */
const HarnessDrawing = () => (
  <svg viewBox="0 0 480 240" className="-ml-12 w-full max-w-lg max-lg:hidden" fill="none" aria-hidden="true">
    <title>Chicote elétrico</title>
    <g strokeWidth="6" strokeLinecap="round">
      <path d="M0 120h150c50 0 50-84 110-84h120" stroke="#4fb3c9" />
      <path d="M0 128h160c50 0 60-36 110-36h110" stroke="#e8b53a" />
      <path d="M0 136h380" stroke="#d9e4e8" />
      <path d="M0 144h160c50 0 60 40 110 40h110" stroke="#e06a5b" />
      <path d="M0 152h150c50 0 50 76 110 76h120" stroke="#5fbf86" />
    </g>
    <g fill="#b8d0da">
      {[36, 92, 136, 184, 228].map((y) => (
        <path key={y} d={`M384 ${y - 7}h16v3h34a4 4 0 0 1 0 8h-34v3h-16z`} />
      ))}
    </g>
    <path d="M112 104h12v64h-12z" fill="#14475b" />
  </svg>
)
