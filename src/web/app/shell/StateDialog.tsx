import { HardDrive, type LucideIcon, Timer, Wifi, WifiOff } from 'lucide-react'
import { toInstant } from '../../../domain/plant/plant-time.ts'
import { useIsStorageKept } from '../../acts/useIsStorageKept.ts'
import { useSettings } from '../../parts/settings.ts'
import { formatInstant } from '../../text/format.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { type Light, type LightState, lightIcons, type SystemState } from './system-state.ts'

const meanings: Record<Light['key'], string> = {
  api: 'O servidor do painel não responde. O que for apontado fica salvo neste dispositivo e segue depois.',
  database: 'O painel não alcança o banco de dados. O que for apontado fica salvo neste dispositivo e segue depois.',
  erp: 'O painel não alcança o ERP. O que for apontado fica salvo no painel e segue depois.',
}
const UNSET_MEANING =
  'O ERP desta fábrica ainda não foi configurado. Um administrador o define em Configurações, Instalação.'
const rowLooks: Record<LightState, string> = {
  on: 'text-ok-ink',
  off: 'text-bad-ink',
  unknown: 'text-muted',
  unset: 'text-warn-ink',
}

/** The three lights in words, with what to do. */
export function StateDialog({
  state: { lights, hasNetwork, isSlowed, answeredAt },
  onClose,
}: {
  state: SystemState
  onClose: () => void
}) {
  const { timeZone } = useSettings()
  return (
    <Dialog title="Situação do sistema" onClose={onClose}>
      <ul className="flex flex-col gap-3">
        <StateRow
          Icon={hasNetwork ? Wifi : WifiOff}
          look={hasNetwork ? 'text-ok-ink' : 'text-bad-ink'}
          text={hasNetwork ? 'Rede deste tablet: conectada' : 'Rede deste tablet: sem rede'}
          meaning={
            hasNetwork ? null : 'Pode continuar apontando: fica salvo neste dispositivo e segue quando a rede voltar.'
          }
        />
        {isSlowed && (
          <StateRow
            Icon={Timer}
            look="text-warn-ink"
            text="Atualização ao vivo: parada"
            meaning="Algo no caminho (antivírus, proxy) segura os avisos do servidor. A tela se atualiza a cada 30 s, e tenta de novo sozinha. Se continuar, avise a TI."
          />
        )}
        {lights.map(({ key, name, state, text, trouble }) => (
          <StateRow
            key={key}
            Icon={state === 'on' ? lightIcons[key].On : lightIcons[key].Off}
            look={rowLooks[state]}
            text={state === 'unknown' ? `${name}: ${trouble}` : text}
            meaning={state === 'off' ? meanings[key] : state === 'unset' ? UNSET_MEANING : null}
          />
        ))}
        <StorageRow />
      </ul>
      {answeredAt > 0 && (
        <p className="text-sm text-muted">
          Última resposta do servidor: {formatInstant(toInstant(answeredAt), timeZone)}
        </p>
      )}
    </Dialog>
  )
}

/** What waits here could be lost: only where the browser did not promise to keep it. */
const StorageRow = () =>
  useIsStorageKept() === false && (
    <StateRow
      Icon={HardDrive}
      look="text-warn-ink"
      text="Dados deste dispositivo: o navegador pode apagá-los"
      meaning="Quando faltar espaço, apontamentos guardados aqui podem se perder antes do envio. Instale o aplicativo do painel neste dispositivo."
    />
  )

type RowProps = { Icon: LucideIcon; look: string; text: string; meaning: string | null }

const StateRow = ({ Icon, look, text, meaning }: RowProps) => (
  <li className="flex gap-3">
    <Icon {...icon.lg} className={`shrink-0 ${look}`} />
    <div>
      <p className={`font-semibold ${look}`}>{text}</p>
      {meaning && <p className="text-muted">{meaning}</p>}
    </div>
  </li>
)
