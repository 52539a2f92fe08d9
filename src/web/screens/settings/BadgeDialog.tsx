import { CreditCard, Printer } from 'lucide-react'
import { useState } from 'react'
import { badges, PIN_LENGTH_MAX, PIN_LENGTH_MIN } from '../../../contract/badges.ts'
import { PASSWORD_LENGTH_MAX } from '../../../contract/sessions.ts'
import { type User, users } from '../../../contract/users.ts'
import { isWeakPin } from '../../../domain/people/badges.ts'
import { callConfirmed } from '../../parts/access/PasswordConfirmation.tsx'
import { PrintSheet } from '../../parts/PrintSheet.tsx'
import { BarCode } from '../../parts/scanner/BarCode.tsx'
import { call } from '../../server/api.ts'
import { useSave } from '../../server/save.ts'
import { displayName } from '../../text/labels.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'

const stateTexts: Record<User['badge'], string> = {
  none: 'Sem crachá.',
  no_pin: "Tem crachá e ainda não tem PIN: a própria pessoa define em 'Senha e sessões', ou aqui.",
  good: 'Tem crachá e PIN.',
  blocked: 'Bloqueado por PIN errado.',
}

/** A scanner reads it of the card. */
const CardCode = ({ code }: { code: string }) => <BarCode code={code} label="Código de barras do crachá" />

const pinTrouble = (pin: string): string | undefined => {
  if (pin === '') return undefined
  if (!/^\d*$/.test(pin) || pin.length < PIN_LENGTH_MIN) return `De ${PIN_LENGTH_MIN} a ${PIN_LENGTH_MAX} números`
  return isWeakPin(pin) ? 'Fácil de adivinhar: sem sequência, repetição ou ano de nascimento' : undefined
}

const PinBox = ({ value, onChange }: { value: string; onChange: (pin: string) => void }) => (
  <PasswordField
    label="PIN"
    shownName="o PIN"
    name="pin"
    value={value}
    onChange={onChange}
    error={pinTrouble(value)}
    maxLength={PIN_LENGTH_MAX}
    autoComplete="new-password"
  />
)

type Props = { user: User; onClose: () => void }

/** Card and PIN of one person. Mounted while it is open. */
export function BadgeDialog({ user, onClose }: Props) {
  const { id, badge } = user
  const [code, setCode] = useState<string | null>(null)
  const changes = [users.list]
  const issue = useSave({
    send: () => callConfirmed(badges.issue, { params: { id } }),
    changes,
    onSaved: ({ codigo }) => setCode(codigo),
  })
  const unblock = useSave({
    send: () => callConfirmed(badges.unblock, { params: { id } }),
    changes,
    toast: 'Crachá liberado.',
    onSaved: onClose,
  })
  const revoke = useSave({
    send: () => callConfirmed(badges.revoke, { params: { id } }),
    changes,
    toast: 'Crachá cancelado.',
    onSaved: onClose,
  })
  const failure = issue.failure ?? unblock.failure ?? revoke.failure
  if (code !== null) return <Card user={user} code={code} onClose={onClose} />
  return (
    <Dialog
      title={`Crachá de ${displayName(user)}`}
      onClose={onClose}
      isBusy={issue.isBusy || unblock.isBusy || revoke.isBusy}
      error={failure && <Alert>{failure}</Alert>}
      actions={
        <>
          {badge !== 'none' && (
            <Button busy={revoke.isBusy} onPress={() => revoke.save()}>
              Cancelar crachá
            </Button>
          )}
          {badge === 'blocked' && (
            <Button busy={unblock.isBusy} onPress={() => unblock.save()}>
              Liberar
            </Button>
          )}
          <Button
            variant="primary"
            icon={<CreditCard {...icon.md} />}
            busy={issue.isBusy}
            busyText="Emitindo..."
            onPress={() => issue.save()}
          >
            {badge === 'none' ? 'Emitir crachá' : 'Emitir outro'}
          </Button>
        </>
      }
    >
      <p>{stateTexts[badge]}</p>
      {badge !== 'none' && <p className="text-muted">Outro crachá encerra o anterior e quem entrou com ele.</p>}
      <PinForm id={id} />
    </Dialog>
  )
}

function PinForm({ id }: { id: number }) {
  const [pin, setPin] = useState('')
  const { save, isBusy, failure } = useSave({
    send: () => callConfirmed(badges.setPin, { params: { id }, body: { pin } }),
    changes: [users.list],
    toast: 'PIN definido.',
    onSaved: () => setPin(''),
  })
  return (
    <div className="flex flex-col gap-2">
      <PinBox value={pin} onChange={setPin} />
      {failure && <Alert>{failure}</Alert>}
      <div>
        <Button isDisabled={pin === '' || pinTrouble(pin) !== undefined} busy={isBusy} onPress={() => save()}>
          Definir PIN
        </Button>
      </div>
    </div>
  )
}

function Card({ user, code, onClose }: Props & { code: string }) {
  const name = displayName(user)
  return (
    <Dialog
      title="Crachá novo"
      isShownOnce
      onClose={onClose}
      actions={
        <Button variant="primary" icon={<Printer {...icon.md} />} onPress={() => window.print()}>
          Imprimir
        </Button>
      }
    >
      <p>Imprima agora: o código não será mostrado de novo. O crachá anterior foi cancelado.</p>
      <p className="text-lg font-semibold">{name}</p>
      <CardCode code={code} />
      <PrintSheet title={name} facts={[['Usuário', user.username]]}>
        {() => (
          <div style={{ width: '76mm' }}>
            <CardCode code={code} />
          </div>
        )}
      </PrintSheet>
    </Dialog>
  )
}

/** One's own, in 'Senha e sessões'. Mounted while it is open. */
export function OwnPinDialog({ username, onClose }: { username: string; onClose: () => void }) {
  const [currentPassword, setCurrentPassword] = useState('')
  const [pin, setPin] = useState('')
  const { save, isBusy, failure } = useSave({
    send: () => call(badges.setOwnPin, { body: { currentPassword, pin } }),
    toast: 'PIN definido. Vale com o seu crachá nas estações compartilhadas.',
    onSaved: onClose,
  })
  const isValid = currentPassword !== '' && pin !== '' && pinTrouble(pin) === undefined
  return (
    <FormDialog
      title="PIN do crachá"
      isValid={isValid}
      isBusy={isBusy}
      error={failure}
      onSave={() => save()}
      onClose={onClose}
    >
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        label="Sua senha"
        shownName="a sua senha"
        name="currentPassword"
        value={currentPassword}
        onChange={setCurrentPassword}
        isRequired
        maxLength={PASSWORD_LENGTH_MAX}
        autoFocus
        autoComplete="current-password"
      />
      <PinBox value={pin} onChange={setPin} />
    </FormDialog>
  )
}
