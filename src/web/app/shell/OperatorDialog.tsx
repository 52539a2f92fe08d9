import { useRouter } from '@tanstack/react-router'
import { Delete, LogIn, ScanBarcode } from 'lucide-react'
import { useState } from 'react'
import { badges, PIN_LENGTH_MAX, PIN_LENGTH_MIN } from '../../../contract/badges.ts'
import { keepCredentials, keepReturnUrl, takeReturnUrl } from '../../device/credentials.ts'
import { preferences } from '../../device/preferences.ts'
import { showToast } from '../../device/toasts.ts'
import { endOperatorChange, NO_NETWORK } from '../../parts/scanner/badges.ts'
import { playSound } from '../../parts/scanner/sounds.ts'
import { tellWrongPins } from '../../parts/scanner/wrong-pins.ts'
import { ApiError, call, Unreachable } from '../../server/api.ts'
import { useSave } from '../../server/save.ts'
import { logout } from '../../server/session.ts'
import { displayName } from '../../text/labels.ts'
import { links, returnPath } from '../../text/links.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { useWindowEvent } from '../../ui/useWindowEvent.ts'

/** Changes the operator: the badge is read, the PIN typed with gloves. Screen and order stay as they are. */
export function OperatorDialog({ code, onClose }: { code: string | null; onClose: () => void }) {
  return (
    <Dialog title="Trocar operador" onClose={onClose}>
      {code === null ? (
        <p className="flex items-center gap-4 py-6 text-lg">
          <ScanBarcode {...icon.xl} className="shrink-0 text-brand-ink" />
          Leia o seu crachá.
        </p>
      ) : (
        // another badge begins anew
        <PinPad key={code} code={code} />
      )}
    </Dialog>
  )
}

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

function useEntering(code: string, onWrong: () => void) {
  const router = useRouter()
  return useSave({
    send: (pin: string) => call(badges.enter, { body: { codigo: code, pin, deviceName: preferences().deviceName } }),
    onSaved: (user) => {
      keepCredentials(user)
      endOperatorChange()
      playSound('good')
      showToast({ kind: 'success', text: `${displayName(user)} entrou` })
      void tellWrongPins(user)
      if (router.state.location.pathname === links.login) router.history.replace(returnPath(takeReturnUrl()))
    },
    onFailed: () => {
      playSound('bad')
      onWrong()
    },
  })
}

/** A badge without a PIN: its owner logs in by password, and sets one. */
function LogInToSet() {
  const router = useRouter()
  const logIn = () => {
    endOperatorChange()
    logout()
    keepReturnUrl(`${links.settings}?aba=sessoes`)
    void router.navigate({ to: links.login, replace: true })
  }
  return (
    <Button wide icon={<LogIn {...icon.md} />} onPress={logIn}>
      Entrar com senha e definir
    </Button>
  )
}

/** As many places as a PIN may have: how long this one is would tell of the card. */
const Places = ({ filled }: { filled: number }) => (
  <p
    role="status"
    aria-label={`PIN: ${filled} de ${PIN_LENGTH_MIN} a ${PIN_LENGTH_MAX} números`}
    className="flex h-12 items-center justify-center gap-4"
  >
    {Array.from({ length: PIN_LENGTH_MAX }, (_, at) => (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: a place is all that it is
        key={at}
        className={`size-4 rounded-full border-2 border-brand ${at < filled ? 'bg-brand' : at < PIN_LENGTH_MIN ? '' : 'border-dashed opacity-60'}`}
      />
    ))}
  </p>
)

function PinPad({ code }: { code: string }) {
  const [pin, setPin] = useState('')
  const { save, isBusy, error, failure, forget } = useEntering(code, () => setPin(''))
  const isLong = pin.length >= PIN_LENGTH_MIN
  const press = (digit: string) => {
    forget()
    setPin((before) => (before + digit).slice(0, PIN_LENGTH_MAX))
  }
  const erase = () => setPin((before) => before.slice(0, -1))
  const enter = () => isLong && !isBusy && save(pin)
  const hear = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    if (/^\d$/.test(event.key)) press(event.key)
    else if (event.key === 'Backspace') erase()
    else if (event.key === 'Enter' && isLong) enter()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  // before the button that has the focus takes Enter for its own
  useWindowEvent('keydown', hear, { capture: true })
  return (
    <>
      <Places filled={pin.length} />
      {failure && <Alert>{error instanceof Unreachable ? NO_NETWORK : failure}</Alert>}
      {error instanceof ApiError && error.code === 'badge_without_pin' && <LogInToSet />}
      <div className="grid grid-cols-3 gap-3 text-2xl *:text-2xl">
        {digits.map((digit) => (
          <Button key={digit} size="xl" wide onPress={() => press(digit)}>
            {digit}
          </Button>
        ))}
        <Button size="xl" wide icon={<Delete {...icon.lg} />} aria-label="Apagar" onPress={erase}>
          {''}
        </Button>
        <Button size="xl" wide onPress={() => press('0')}>
          0
        </Button>
        <Button size="xl" wide variant="primary" isDisabled={!isLong} busy={isBusy} onPress={enter}>
          Entrar
        </Button>
      </div>
    </>
  )
}
