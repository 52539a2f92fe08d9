import { useQuery } from '@tanstack/react-query'
import { type LucideIcon, Timer, WifiOff } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { deferred } from '../../device/deferred.ts'
import { lateDialog } from '../../parts/Late.tsx'
import { useIsSlowed } from '../../server/live.ts'
import { knownDatabase, statusQuery } from '../../server/status.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { type Light, type LightState, lightIcons, lightsOf, type SystemState, UNKNOWN_TEXT } from './system-state.ts'

/** Whether this device believes to have a network; it may be wrong where it says yes. */
const useOnline = () =>
  useSyncExternalStore(
    (onChange) => {
      for (const event of ['online', 'offline']) window.addEventListener(event, onChange)
      return () => {
        for (const event of ['online', 'offline']) window.removeEventListener(event, onChange)
      }
    },
    () => navigator.onLine,
  )

/** Null before the first answer. The server is asked by `useServerStatus`. */
export function useSystemState(): SystemState | null {
  const { data, isError, isPending, dataUpdatedAt, refetch } = useQuery(statusQuery)
  const isOnline = useOnline()
  const isSlowed = useIsSlowed()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a network that came or went is the reason to ask
  useEffect(() => {
    if (!isPending) void refetch()
  }, [isOnline])
  if (isPending) return null
  // No answer means that nothing behind the server is known either.
  const now = isError ? null : data
  const lights = lightsOf(now, { knownDatabase: knownDatabase(), isOnline })
  // A server that does not answer says so itself, by its light.
  return {
    now,
    lights,
    hasNetwork: now !== null || isOnline,
    isSlowed: now !== null && isSlowed,
    answeredAt: dataUpdatedAt,
  }
}

/** Not among what a tablet loads first, but here before its network goes. */
const StateDialog = lateDialog(
  deferred(async () => (await import('./StateDialog.tsx')).StateDialog, { warm: ['soon'] }),
)

/** Normal is quiet; a light that is down is red, one that nobody knows of is grey: `LightWords` says which. */
export function SystemLights({ state }: { state: SystemState }) {
  const [isOpen, setOpen] = useState(false)
  const { lights } = state
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        // what is seen is part of the name, for who speaks to the tablet (WCAG 2.5.3)
        aria-label={['Situação do sistema:', ...wordsOf(lights), ...lights.map(({ text }) => text)].join(' ')}
        onClick={() => setOpen(true)}
        className="flex min-h-11 items-center gap-1 rounded-md hover:bg-header-raised focus-visible:outline-header-focus md:gap-2"
      >
        {lights.map((light) => (
          <Indicator key={light.key} of={light} />
        ))}
      </button>
      {isOpen && <StateDialog state={state} onClose={() => setOpen(false)} />}
    </>
  )
}

function wordsOf(lights: SystemState['lights']): string[] {
  const down = lights.filter((light) => light.state === 'off').map(({ name, trouble }) => `${name} ${trouble}`)
  return lights.some((light) => light.state === 'unknown') ? [...down, UNKNOWN_TEXT] : down
}

/** Which light is down, on the lower edge of the header. A phone has no room for it. */
export function LightWords({ state }: { state: SystemState }) {
  const words = wordsOf(state.lights)
  if (words.length === 0) return null
  const isDown = state.lights.some((light) => light.state === 'off')
  // the chip in the middle says more, and needs the room
  const narrow = hasLineChip(state) || !isDown ? 'max-xl:hidden' : 'max-md:hidden'
  return (
    <span
      aria-hidden
      className={`rounded-full px-2 text-xs font-semibold whitespace-nowrap ${isDown ? 'bg-bad-fill text-white' : 'bg-header-raised text-header-ink'} ${narrow}`}
    >
      {words.join(' · ')}
    </span>
  )
}

const hasLineChip = ({ hasNetwork, isSlowed }: SystemState): boolean => !hasNetwork || isSlowed

/** On the lower edge of the header: it covers nothing that a finger aims at, and nothing moves when it comes. */
const EdgeChip = ({ Icon, children }: { Icon: LucideIcon; children: string }) => (
  <p className="absolute top-full left-1/2 flex w-max max-w-[calc(100vw-1rem)] -translate-1/2 items-center gap-1.5 rounded-full border border-warn-line bg-warn-soft px-3 py-0.5 text-xs font-semibold text-warn-ink shadow-card md:text-sm">
    <Icon {...icon.sm} className="shrink-0" />
    {children}
  </p>
)

/** How this page hears of the server, where that is not as always. */
export function LineChip({ state: { hasNetwork, isSlowed } }: { state: SystemState }) {
  if (!hasNetwork) return <EdgeChip Icon={WifiOff}>Sem rede neste tablet — pode continuar apontando</EdgeChip>
  if (!isSlowed) return null
  return <EdgeChip Icon={Timer}>Sem atualização ao vivo — a tela se atualiza a cada 30 s</EdgeChip>
}

const lightLooks: Record<LightState, string> = {
  on: 'text-header-ok',
  off: 'bg-bad-fill text-white',
  unknown: 'text-header-muted',
  unset: 'text-header-muted',
}

function Indicator({ of: { key, state, text } }: { of: Light }) {
  const Icon = state === 'on' ? lightIcons[key].On : lightIcons[key].Off
  return (
    <span
      role="img"
      title={text}
      aria-label={text}
      className={`flex h-8 items-center rounded-full px-1 md:px-2 ${lightLooks[state]}`}
    >
      <Icon {...icon.md} />
    </span>
  )
}
