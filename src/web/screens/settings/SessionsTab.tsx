import { useQuery } from '@tanstack/react-query'
import { IdCard, KeyRound, LogOut, MonitorOff, UserRound } from 'lucide-react'
import { useState } from 'react'
import { type OpenSession, type Session, sessions } from '../../../contract/sessions.ts'
import { useUser } from '../../device/credentials.ts'
import { askPassword } from '../../parts/access/PasswordConfirmation.tsx'
import { useMay } from '../../parts/permissions.tsx'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { ApiError, call } from '../../server/api.ts'
import { query } from '../../server/query.ts'
import { useSave } from '../../server/save.ts'
import { validate } from '../../server/session.ts'
import { formatCount, formatInstant } from '../../text/format.ts'
import { displayName } from '../../text/labels.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { EmptyState, Section } from '../../ui/Page.tsx'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../ui/Table.tsx'
import { OwnPinDialog } from './BadgeDialog.tsx'
import { OwnPasswordDialog } from './OwnPasswordDialog.tsx'

/** Gives a session opened by badge the rights of the password. */
async function liftByPassword(): Promise<void> {
  if (await askPassword()) await validate()
}

/** The logged-in user, with password and PIN. */
function OwnAccount({ user }: { user: Session }) {
  const [open, setOpen] = useState<'password' | 'pin' | null>(null)
  const close = () => setOpen(null)
  const { username } = user
  return (
    <Section title="Sua conta" icon={<UserRound {...icon.md} />}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 wrap-anywhere">
          <span className="font-medium">{displayName(user)}</span> <span className="text-muted">({username})</span>
        </p>
        <div className="flex flex-wrap gap-2">
          {user.byBadge && (
            <Button variant="primary" onPress={() => void liftByPassword()}>
              Entrar com a senha
            </Button>
          )}
          <Button icon={<IdCard {...icon.sm} />} onPress={() => setOpen('pin')}>
            PIN do crachá
          </Button>
          {!user.isFromDirectory && (
            <Button icon={<KeyRound {...icon.sm} />} onPress={() => setOpen('password')}>
              Trocar senha
            </Button>
          )}
        </div>
      </div>
      {user.byBadge && (
        <p className="mt-2 text-sm text-muted">
          Você entrou com crachá e PIN: o que um operador não pode pede a senha.
        </p>
      )}
      {user.isFromDirectory && <p className="mt-2 text-sm text-muted">Sua senha é a do diretório da empresa.</p>}
      {open === 'password' && <OwnPasswordDialog user={user} onClose={close} />}
      {open === 'pin' && <OwnPinDialog username={username} onClose={close} />}
    </Section>
  )
}

const deviceText = ({ deviceName, agent, isBrowser }: OpenSession) =>
  deviceName || agent || (isBrowser ? 'Dispositivo sem nome' : 'Integração sem nome')

/** Browser and address, which tell sessions apart. */
const originText = ({ deviceName, agent, address }: OpenSession) =>
  [deviceName && agent, address].filter(Boolean).join(' · ')

/** Where the person is logged in; for administrators, where everybody is. */
export function SessionsTab() {
  const user = useUser()
  const isAdmin = useMay('administer')
  const [ending, setEnding] = useState<readonly OpenSession[] | null>(null)
  const reading = useQuery({
    ...query(sessions.list, {}),
    refetchInterval: 60_000,
  })
  const { data: list = [], isPending, error } = reading
  const others = list.filter(({ username, isCurrent }) => !isCurrent && username === user?.username)
  return (
    <div className="flex flex-col gap-4">
      {user && <OwnAccount user={user} />}
      <p className="text-muted">
        {isAdmin ? 'Sessões abertas.' : 'Suas sessões abertas.'} Ao encerrar uma, o dispositivo sai na hora; o que falta
        enviar não se perde.
      </p>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-sm text-muted">
          {isPending || error
            ? ''
            : `${formatCount(list.length)} ${list.length === 1 ? 'sessão aberta' : 'sessões abertas'}`}
        </p>
        {others.length > 0 && (
          <Button icon={<LogOut {...icon.sm} />} onPress={() => setEnding(others)}>
            Encerrar as outras
          </Button>
        )}
      </div>
      <ReadingState reading={reading} loadingText="Carregando as sessões..." />
      {!isPending && !error && list.length === 0 && (
        <EmptyState icon={<MonitorOff {...icon.xl} />}>Nenhuma sessão aberta.</EmptyState>
      )}
      {list.length > 0 && <SessionTable list={list} isAdmin={isAdmin} onEnd={(session) => setEnding([session])} />}
      {ending && <EndDialog sessions={ending} onClose={() => setEnding(null)} />}
    </div>
  )
}

type TableProps = { list: readonly OpenSession[]; isAdmin: boolean; onEnd: (session: OpenSession) => void }

function SessionTable({ list, isAdmin, onEnd }: TableProps) {
  const { timeZone } = useSettings()
  return (
    <Table label="Sessões abertas" heightMax="max-h-none">
      <TableHead>
        {isAdmin && <Th>Usuário</Th>}
        <Th>Dispositivo</Th>
        <Th>Entrou em</Th>
        <Th>Último uso</Th>
        <Th align="right">Ação</Th>
      </TableHead>
      <TableBody>
        {list.map((session) => (
          <Row key={session.id}>
            {isAdmin && (
              <Td label="Usuário">
                <span className="min-w-0 font-medium wrap-break-word">{displayName(session)}</span>
              </Td>
            )}
            <Td label="Dispositivo">
              <span className="flex min-w-0 flex-col wrap-break-word">
                {deviceText(session)}
                <span className="text-sm text-muted empty:hidden">{originText(session)}</span>
                {session.page && <span className="text-sm whitespace-nowrap text-muted">página {session.page}</span>}
              </span>
            </Td>
            <Td label="Entrou em">{formatInstant(session.createdAt, timeZone)}</Td>
            <Td label="Último uso">{formatInstant(session.lastUsedAt, timeZone)}</Td>
            <Td align="right">
              {session.isCurrent ? (
                <Badge tone="ok">Esta sessão</Badge>
              ) : (
                <Button
                  icon={<LogOut {...icon.sm} />}
                  aria-label={`Encerrar a sessão de ${displayName(session)} em ${deviceText(session)}`}
                  onPress={() => onEnd(session)}
                >
                  Encerrar
                </Button>
              )}
            </Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  )
}

/** One that has ended by itself meanwhile is what was asked for. */
const end = ({ id }: OpenSession) =>
  call(sessions.end, { params: { id } }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
  })

type EndProps = { sessions: readonly OpenSession[]; onClose: () => void }

function EndDialog({ sessions: ending, onClose }: EndProps) {
  const { save, isBusy, failure } = useSave({
    send: () => Promise.all(ending.map(end)),
    changes: [sessions.list],
    toast: ending.length === 1 ? 'Sessão encerrada.' : `${formatCount(ending.length)} sessões encerradas.`,
    onSaved: onClose,
  })
  const [session] = ending
  return (
    <ConfirmDialog
      title={ending.length === 1 ? 'Encerrar a sessão?' : 'Encerrar as outras sessões?'}
      kind="warning"
      confirmText="Encerrar"
      busyText="Encerrando..."
      isBusy={isBusy}
      error={failure}
      onConfirm={() => save()}
      onClose={onClose}
    >
      <p className="wrap-anywhere">
        {ending.length === 1 && session
          ? `${displayName(session)} sai de ${deviceText(session)} e precisa entrar de novo.`
          : `Você sai de ${formatCount(ending.length)} outros dispositivos e precisa entrar de novo neles.`}
      </p>
      {ending.some(({ isBrowser, isCurrent }) => isBrowser && !isCurrent) && (
        <p>
          O que {ending.length === 1 ? 'esse dispositivo ainda tem' : 'esses dispositivos ainda têm'} para enviar fica
          retido em Pendências até um administrador decidir.
        </p>
      )}
    </ConfirmDialog>
  )
}
