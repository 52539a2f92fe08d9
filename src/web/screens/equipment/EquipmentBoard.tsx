import { useNavigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Clock, LogOut, Pause, Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { EquipmentList } from '../../../contract/equipment.ts'
import { formatAgo, formatCount } from '../../app/format.ts'
import { links } from '../../app/links.ts'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { useServerStatus } from '../../parts/useServerStatus.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { EmptyState } from '../../ui/Page.tsx'
import { useWindowEvent } from '../../ui/useWindowEvent.ts'
import {
  countStates,
  type ShownEquipment,
  shiftText,
  timeText,
  useEquipment,
  useNow,
  usePlant,
  withStates,
} from './equipment.ts'
import { equipmentStates, meanText, stateLooks } from './facts.tsx'

const TURN_MS = 15_000

/** Pages turn by themselves until somebody pauses them. */
export function usePages(count: number) {
  const [turned, setTurned] = useState(0)
  const [isPaused, setPaused] = useState(false)
  const isTurning = count > 1 && !isPaused
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that somebody turned to stays as long as any other
  useEffect(() => {
    if (!isTurning) return
    const timer = setTimeout(() => setTurned((before) => (before + 1) % count), TURN_MS)
    return () => clearTimeout(timer)
  }, [isTurning, count, turned])
  return {
    page: Math.min(turned, count - 1),
    isPaused,
    turn: (by: 1 | -1) => setTurned((before) => (Math.min(before, count - 1) + by + count) % count),
    pause: () => setPaused((before) => !before),
  }
}

/** Of a cell, that it may be read from afar, in rem. */
const CELL_REM = { width: 23, height: 16 }
const GAP_REM = 1

/** How many cells stand side by side and above each other in the element. */
export function useCells() {
  const [grid, setGrid] = useState<HTMLElement | null>(null)
  const [cells, setCells] = useState({ columns: 1, rows: 1 })
  useEffect(() => {
    if (!grid) return
    const countIn = (lengthPx: number, leastRem: number) => {
      const remPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      return Math.max(1, Math.floor((lengthPx / remPx + GAP_REM) / (leastRem + GAP_REM)))
    }
    const observer = new ResizeObserver(() => {
      const columns = countIn(grid.clientWidth, CELL_REM.width)
      const rows = countIn(grid.clientHeight, CELL_REM.height)
      setCells((before) => (before.columns === columns && before.rows === rows ? before : { columns, rows }))
    })
    observer.observe(grid)
    return () => observer.disconnect()
  }, [grid])
  return { ...cells, gridRef: setGrid }
}

type Keys = { onLeave: () => void; onTurn: (by: 1 | -1) => void }

export const useBoardKeys = ({ onLeave, onTurn }: Keys): void =>
  useWindowEvent('keydown', ({ key }) => {
    if (key === 'Escape') onLeave()
    if (key === 'ArrowRight') onTurn(1)
    if (key === 'ArrowLeft') onTurn(-1)
  })

/** Keeps the screen on, where the browser lets us: it lets go whenever the page is hidden. */
export function useScreenOn(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    let isLeft = false
    const keep = async () => {
      if (document.hidden) return
      // A refusal is the system's to make: a battery is low, or the address is plain HTTP.
      lock = await navigator.wakeLock?.request('screen').catch(() => undefined)
      if (isLeft) await lock?.release()
    }
    const keepOn = () => void keep()
    keepOn()
    document.addEventListener('visibilitychange', keepOn)
    return () => {
      isLeft = true
      document.removeEventListener('visibilitychange', keepOn)
      void lock?.release()
    }
  }, [])
}

/** For a screen on a wall: read from afar, touched by nobody, left on for days. */
export function EquipmentBoard() {
  const { plant, plants, hrefOf } = usePlant()
  const reading = useEquipment(plant)
  const { data } = reading
  useServerStatus()
  const { siteName } = useSettings()
  const navigate = useNavigate()
  const leave = () => void navigate({ href: hrefOf(links.equipment) })
  useScreenOn()
  useEffect(() => {
    document.title = `Painel de equipamentos - ${siteName}`
  }, [siteName])
  const plantLabel = plants.find(({ code }) => code === plant)?.label ?? plant
  return (
    <main className="flex h-[calc(100dvh-var(--banner-height))] flex-col gap-4 overflow-hidden p-4">
      <ReadingState reading={reading} loadingText="Carregando máquinas..." readAt={reading.readAt} />
      {data ? (
        <Board list={data} plantLabel={plantLabel} onLeave={leave} />
      ) : (
        <>
          <h1 className="sr-only">Painel de equipamentos</h1>
          <div>
            <LeaveButton onPress={leave} />
          </div>
        </>
      )}
    </main>
  )
}

const LeaveButton = ({ onPress }: { onPress: () => void }) => (
  <Button icon={<LogOut {...icon.md} />} onPress={onPress}>
    Sair do painel
  </Button>
)

type BoardProps = { list: EquipmentList; plantLabel: string; onLeave: () => void }

function Board({ list, plantLabel, onLeave }: BoardProps) {
  const { timeZone } = useSettings()
  const nowMs = useNow()
  const all = withStates(list.equipamentos, nowMs, timeZone)
  const { columns, rows, gridRef } = useCells()
  const size = columns * rows
  const pages = Math.max(1, Math.ceil(all.length / size))
  const { page, isPaused, turn, pause } = usePages(pages)
  useBoardKeys({ onLeave, onTurn: turn })
  const counts = countStates(all)
  return (
    <>
      <header className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2">
        <div className="min-w-0">
          <h1 className="text-2xl font-semibold tracking-tight sm:text-3xl">{plantLabel}</h1>
          <p className="text-lg text-muted">{shiftText(list.turno, timeZone)}</p>
        </div>
        <ul aria-label="Situação" className="flex flex-wrap gap-x-6 gap-y-1 text-lg sm:text-xl">
          {equipmentStates.map((state) => (
            <StateCount key={state} state={state} count={counts[state]} />
          ))}
        </ul>
        <p className="text-3xl font-semibold">{timeText(nowMs, timeZone)}</p>
      </header>
      <section aria-label="Máquinas" ref={gridRef} className="min-h-0 flex-1">
        {all.length === 0 && <EmptyState>Nenhuma máquina nesta filial</EmptyState>}
        <ul
          key={page}
          aria-label={`Página ${page + 1} de ${pages}`}
          className="animate-appear grid h-full gap-4"
          style={{
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            gridTemplateRows: `repeat(${rows}, minmax(0, 1fr))`,
          }}
        >
          {all.slice(page * size, (page + 1) * size).map((one) => (
            <BoardCell key={one.id} of={one} nowMs={nowMs} />
          ))}
        </ul>
      </section>
      <footer className="flex flex-wrap items-center justify-between gap-2">
        <div className="flex items-center gap-2">
          {pages > 1 && (
            <>
              <IconButton label="Página anterior" icon={<ChevronLeft {...icon.lg} />} onPress={() => turn(-1)} />
              <p className="text-muted">
                Página {page + 1} de {pages}
              </p>
              <IconButton label="Próxima página" icon={<ChevronRight {...icon.lg} />} onPress={() => turn(1)} />
              <Button icon={isPaused ? <Play {...icon.md} /> : <Pause {...icon.md} />} onPress={pause}>
                {isPaused ? 'Continuar' : 'Pausar'}
              </Button>
            </>
          )}
        </div>
        <LeaveButton onPress={onLeave} />
      </footer>
    </>
  )
}

const inks = { ok: 'text-ok-ink', warn: 'text-warn-ink', neutral: 'text-muted' }
const edges = { ok: 'border-l-ok-fill', warn: 'border-l-warn-fill', neutral: 'border-l-idle-fill' }

function StateCount({ state, count }: { state: ShownEquipment['state']; count: number }) {
  const { text, tone, Icon } = stateLooks[state]
  return (
    <li className={`flex items-center gap-2 ${inks[tone]}`}>
      <Icon {...icon.lg} />
      <strong className="text-2xl">{count}</strong> {text}
    </li>
  )
}

/** What does not fit is left out at the end: the state and the figures come first. */
function BoardCell({ of: one, nowMs }: { of: ShownEquipment; nowMs: number }) {
  const { ultimo, hoje, turno, aguardandoErp } = one
  const { text, tone, Icon } = stateLooks[one.state]
  const lastText = ultimo ? `${ultimo.operador}, ${formatAgo(ultimo.quando, nowMs)}` : 'Nenhum apontamento em 90 dias'
  const maker = [one.fabricante, one.descricao].filter(Boolean).join(' · ')
  return (
    <li
      className={`flex flex-col justify-between gap-2 overflow-hidden rounded-lg border border-l-8 border-line bg-surface px-5 py-4 shadow-card ${edges[tone]}`}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-3">
        <h2 className="code min-w-0 truncate text-3xl font-semibold" title={one.id}>
          {one.id}
        </h2>
        <p className={`flex shrink-0 items-center gap-2 text-xl font-semibold ${inks[tone]}`}>
          <Icon {...icon.lg} />
          {text}
        </p>
      </div>
      <p className="truncate text-muted" title={maker}>
        {maker}
      </p>
      <dl className="grid grid-cols-2 gap-3">
        {(
          [
            ['Hoje', hoje],
            ['Neste turno', turno],
          ] as const
        ).map(([name, produced]) => (
          <div key={name} className="min-w-0">
            <dt className="font-medium text-muted">{name}</dt>
            <dd>
              <span className="block text-[2.75rem] leading-none font-semibold">{formatCount(produced.pecas)}</span>
              <span className="mt-1 block truncate text-muted" title={meanText(produced)}>
                {meanText(produced)}
              </span>
            </dd>
          </div>
        ))}
      </dl>
      <p className="flex items-center gap-2 text-muted">
        <span className="min-w-0 truncate" title={lastText}>
          {lastText}
        </span>
        {aguardandoErp > 0 && (
          <span className="ml-auto inline-flex shrink-0 items-center gap-1 font-medium text-warn-ink">
            <Clock {...icon.sm} />
            {formatCount(aguardandoErp)} aguardando ERP
          </span>
        )}
      </p>
    </li>
  )
}
