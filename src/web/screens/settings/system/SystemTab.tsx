import { useQuery } from '@tanstack/react-query'
import { Bell, CircleCheck, Database, HardDrive, IdCard, RefreshCw, Server, Tablet as TabletIcon } from 'lucide-react'
import { type AlarmChannelName, health, type SystemHealth } from '../../../../contract/health.ts'
import { serverNow } from '../../../device/clock.ts'
import { ReadingState } from '../../../parts/ReadingState.tsx'
import { useSettings } from '../../../parts/settings.ts'
import { call } from '../../../server/api.ts'
import { query } from '../../../server/query.ts'
import { useSave } from '../../../server/save.ts'
import { formatAgo, formatCount, formatInstant } from '../../../text/format.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { icon } from '../../../ui/icon-sizes.ts'
import { EmptyState, Section } from '../../../ui/Page.tsx'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../../ui/Table.tsx'
import { DirectorySection } from './DirectorySection.tsx'
import { EpochSection } from './EpochSection.tsx'
import { ErpSection } from './ErpSection.tsx'
import { Facts } from './Facts.tsx'
import { programText } from './program-text.ts'
import { SupportSection } from './SupportSection.tsx'

const READ_EVERY_MS = 30_000

/** State of servers, database, backups and tablets, for administrators. */
export function SystemTab() {
  const reading = useQuery({ ...query(health.get, {}), refetchInterval: READ_EVERY_MS })
  const { data: now, isFetching, refetch } = reading
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted">Situação do painel. Atualizada a cada 30 segundos.</p>
        <Button icon={<RefreshCw {...icon.sm} />} busy={isFetching} busyText="Lendo..." onPress={() => void refetch()}>
          Ler agora
        </Button>
      </div>
      <ReadingState reading={reading} loadingText="Lendo a situação do sistema..." />
      {now && (
        <>
          <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
            <div className="flex flex-col gap-4">
              <AlarmSection alarms={now.alarms} />
              <ChannelSection channels={now.channels} />
              <StoreSection now={now} />
              <EpochSection />
            </div>
            <div className="flex flex-col gap-4">
              {now.servers.map((server) => (
                <ServerSection key={server.server} server={server} isOnly={now.servers.length === 1} />
              ))}
              <ErpSection servers={now.servers} />
              <DirectorySection servers={now.servers} />
              {/* a server of the version before does not say */}
              <StationSection names={now.stationsWithoutSecret ?? []} />
              <SupportSection />
            </div>
          </div>
          <Tablets tablets={now.tablets} pages={now.servers.map(({ page }) => page)} />
        </>
      )}
    </div>
  )
}

/** An alarm's subject while it is well. */
const goodNames: Record<string, string | undefined> = {
  erp_away: 'ERP no ar',
  erp_refused: 'ERP aceita o painel',
  erp_missing: 'ERP configurado',
  directory_away: 'Diretório no ar',
  directory_refused: 'Diretório aceita o painel',
  oldest_waiting: 'Apontamentos chegam ao ERP',
  retained: 'Nenhum apontamento retido',
  plan_blocks_passed: 'Nenhum bloqueio sem rede',
  calibration_due: 'Calibrações em dia',
  sample_outside: 'Medições fora respondidas',
  database_doubted: 'Nada falta no banco',
  epoch_begun: 'Banco no seu tempo',
  backup_old: 'Backup em dia',
  disk_low: 'Disco com folga',
  folder_closed: 'Pastas com acesso',
  certificate_ends: 'Certificado válido',
  clock: 'Relógio certo',
}

function AlarmSection({ alarms }: { alarms: SystemHealth['alarms'] }) {
  const { timeZone } = useSettings()
  const count = alarms.filter(({ isOn }) => isOn).length
  return (
    <Section
      title="Alarmes"
      icon={<Bell {...icon.md} />}
      badge={count === 0 ? <Badge tone="ok">Nenhum</Badge> : <Badge tone="bad">{formatCount(count)} agora</Badge>}
    >
      <ul className="flex flex-col divide-y divide-line">
        {alarms.map(({ kind, name, isOn, text, since }) => (
          <li key={kind} className="flex items-center justify-between gap-4 py-2 first:pt-0 last:pb-0">
            <div className="min-w-0">
              <p className="font-medium">{(isOn === false && goodNames[kind]) || name}</p>
              <p className="text-sm wrap-anywhere whitespace-pre-line text-muted empty:hidden">
                {text}
                {since && ` Desde ${formatInstant(since, timeZone)}.`}
              </p>
            </div>
            {isOn === null && <Badge>Sem notícia</Badge>}
            {isOn === false && (
              <CircleCheck
                {...icon.md}
                aria-hidden={false}
                role="img"
                aria-label="Sem alarme"
                className="shrink-0 text-ok-ink"
              />
            )}
            {isOn && <Badge tone="bad">Alarme</Badge>}
          </li>
        ))}
      </ul>
    </Section>
  )
}

const channelTexts: Record<AlarmChannelName, { name: string; howTo: string }> = {
  mail: { name: 'E-mail', howTo: 'Desligado: ligue em Instalação, ou por ALARM_MAIL_TO e SMTP_URL no servidor.' },
  webhook: { name: 'Webhook', howTo: 'Desligado: ligue em Instalação, ou por ALARM_WEBHOOK_URL no servidor.' },
}

const ChannelSection = (props: Pick<SystemHealth, 'channels'>) => (
  <Section title="Quem é avisado" icon={<Bell {...icon.md} />}>
    <ChannelList {...props} />
  </Section>
)

export const ChannelList = ({ channels }: Pick<SystemHealth, 'channels'>) => (
  <div className="flex flex-col gap-4">
    {channels.map((channel) => (
      <Channel key={channel.channel} {...channel} />
    ))}
  </div>
)

function Channel({ channel, target }: SystemHealth['channels'][number]) {
  const { save, isBusy, failure } = useSave({
    send: () => call(health.test, { params: { canal: channel } }),
    toast: ({ isSent, message }) => ({ kind: isSent ? 'success' : 'warning', text: message }),
  })
  const { name, howTo } = channelTexts[channel]
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="font-medium">{name}</p>
          <p className="text-sm wrap-anywhere text-muted">{target ?? howTo}</p>
        </div>
        {target !== null && (
          <Button busy={isBusy} busyText="Enviando..." aria-label={`Enviar teste: ${name}`} onPress={() => save()}>
            Enviar teste
          </Button>
        )}
      </div>
      {failure && <Alert>{failure}</Alert>}
    </div>
  )
}

const decimal = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })
const units = ['KiB', 'MiB', 'GiB', 'TiB'] as const

function bytesText(bytes: number): string {
  const power = Math.min(units.length, Math.max(1, Math.floor(Math.log2(Math.max(1, bytes)) / 10)))
  return `${decimal.format(bytes / 1024 ** power)} ${units[power - 1]}`
}

const queueText = ({ open, needPerson, retained }: SystemHealth['queue']): string =>
  [
    `${formatCount(open)} a caminho do ERP`,
    needPerson > 0 ? `${formatCount(needPerson)} ${needPerson === 1 ? 'exige' : 'exigem'} ação` : '',
    retained > 0 ? `${formatCount(retained)} ${retained === 1 ? 'retido' : 'retidos'}` : '',
  ]
    .filter(Boolean)
    .join(', ')

function StoreSection({ now: { database, queue, backup } }: { now: SystemHealth }) {
  const { timeZone } = useSettings()
  const momentText = (instant: string) => `${formatInstant(instant, timeZone)}, ${formatAgo(instant, serverNow())}`
  const rows: [string, string][] = [
    ['Banco de dados', `${database.kind === 'sqlite' ? 'SQLite' : 'MariaDB'}, ${bytesText(database.bytes)}`],
    ['Fila', queueText(queue)],
    ['Mais antigo na fila', queue.oldestAt === null ? 'nenhum espera' : momentText(queue.oldestAt)],
    ['Último backup', backup.newestAt === null ? 'nenhum' : momentText(backup.newestAt)],
    ['Volta ensaiada', backup.triedOutAt === null ? 'nenhuma' : `do backup de ${momentText(backup.triedOutAt)}`],
  ]
  return (
    <Section title="Banco, fila e backup" icon={<Database {...icon.md} />}>
      <Facts rows={rows} />
    </Section>
  )
}

function StationSection({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <Section
      title="Estações e quadros"
      icon={<IdCard {...icon.md} />}
      badge={<Badge tone="warn">{formatCount(names.length)} a cadastrar de novo</Badge>}
    >
      <p className="wrap-anywhere">
        {names.join(', ')}: no próprio dispositivo, um administrador toca "Cadastrar de novo" em "Configurações", "Este
        dispositivo". Até lá tudo funciona, mas um outro computador poderia passar por ele.
      </p>
    </Section>
  )
}

type ServerFacts = SystemHealth['servers'][number]

const folderTexts: Record<ServerFacts['disks'][number]['folder'], string> = {
  data: 'Disco dos dados',
  documents: 'Disco dos documentos',
  backups: 'Disco dos backups',
}

const clockText = ({ apartMs, isTrusted }: ServerFacts['clock']): string => {
  if (!isTrusted) return 'muito à frente da última hora conhecida'
  return apartMs < 1000 ? 'igual ao do banco' : `${decimal.format(apartMs / 1000)} s de diferença do banco`
}

function ServerSection({ server, isOnly }: { server: ServerFacts; isOnly: boolean }) {
  const { timeZone } = useSettings()
  const { version, day, page, startedAt, disks, certificates, clock } = server
  const rows: [string, string][] = [
    ['Versão', programText(version, day)],
    ['Página', page ?? '-'],
    ['No ar', `desde ${formatInstant(startedAt, timeZone)}, ${formatAgo(startedAt, serverNow())}`],
    ...disks.map(({ folder, freeBytes, totalBytes }): [string, string] => [
      folderTexts[folder],
      `${bytesText(freeBytes)} livres de ${bytesText(totalBytes)} (${Math.floor((freeBytes / totalBytes) * 100)}%)`,
    ]),
    ['Relógio', clockText(clock)],
    ...certificates.map(({ of, endsAt }): [string, string] => [
      of === 'erp' ? 'Certificado do ERP' : 'Certificado do painel',
      `vence em ${formatInstant(endsAt, timeZone)}`,
    ]),
  ]
  return (
    <Section
      title={isOnly ? 'Servidor' : `Servidor ${server.server}`}
      icon={isOnly ? <HardDrive {...icon.md} /> : <Server {...icon.md} />}
    >
      <Facts rows={rows} />
    </Section>
  )
}

type TabletsProps = { tablets: SystemHealth['tablets']; pages: readonly (string | null | undefined)[] }

/** `pages`: what the servers hand out now; one of the version before does not say it. */
function Tablets({ tablets, pages }: TabletsProps) {
  const { timeZone } = useSettings()
  const isOld = (page: string | null) => page !== null && pages.every((one) => one && one !== page)
  return (
    <section aria-labelledby="tablets" className="flex flex-col gap-3">
      <h2 id="tablets" className="text-lg font-semibold">
        Dispositivos dos últimos 7 dias
      </h2>
      {tablets.length === 0 && (
        <EmptyState icon={<TabletIcon {...icon.xl} />}>Ninguém entrou por um navegador.</EmptyState>
      )}
      {tablets.length > 0 && (
        <Table label="Dispositivos" heightMax="max-h-none">
          <TableHead>
            <Th>Dispositivo</Th>
            <Th>Último usuário</Th>
            <Th>Página</Th>
            <Th align="right">Espera ali</Th>
            <Th>Visto por último</Th>
          </TableHead>
          <TableBody>
            {tablets.map(({ name, agent, fullName, version, waiting, lastSeenAt }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two nameless ones are told apart by nothing else
              <Row key={at}>
                <Td label="Dispositivo">
                  <span className="flex min-w-0 flex-col wrap-break-word">
                    {name || 'Dispositivo sem nome'}
                    <span className="text-sm text-muted empty:hidden">{agent}</span>
                  </span>
                </Td>
                <Td label="Último usuário">{fullName}</Td>
                <Td label="Página">
                  <span className="flex flex-wrap items-center gap-2">
                    <span className="code">{version ?? '-'}</span>
                    {isOld(version) && <Badge tone="warn">Anterior</Badge>}
                  </span>
                </Td>
                <Td label="Espera ali" align="right">
                  {waiting === null ? '-' : formatCount(waiting)}
                </Td>
                <Td label="Visto por último">{formatInstant(lastSeenAt, timeZone)}</Td>
              </Row>
            ))}
          </TableBody>
        </Table>
      )}
    </section>
  )
}
