import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Clock, LogOut, Pause, Play, Timer, TriangleAlert, WifiOff } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { EquipmentList } from '../../../contract/equipment.ts'
import { usedPercent } from '../../../domain/tools/crimp-counters.ts'
import { attentionFirst, toolWear } from '../../../domain/tools/equipment.ts'
import { useUser } from '../../device/credentials.ts'
import { noteBoard } from '../../device/marks.ts'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { useNow } from '../../parts/useNow.ts'
import { usePlant } from '../../parts/usePlant.ts'
import { useServerStatus } from '../../parts/useServerStatus.ts'
import { useIsSlowed } from '../../server/live.ts'
import { logout } from '../../server/session.ts'
import { statusQuery } from '../../server/status.ts'
import { formatAgo, formatCount } from '../../text/format.ts'
import { links } from '../../text/links.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { EmptyState } from '../../ui/Page.tsx'
import { useWindowEvent } from '../../ui/useWindowEvent.ts'
import { CallStrip } from './CallStrip.tsx'
import { countStates, type ShownEquipment, shiftText, timeText, useEquipment, withStates } from './equipment.ts'
import { equipmentStates, meanText, stateLooks, stateText } from './facts.tsx'

const TURN_MS = 15_000

/** Pages turn by themselves until somebody pauses them. */
function usePages(count: number) {
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

/** Least size of a cell, to be read from afar, in em of the board: figures are three of them high. */
const CELL_EM = { width: 36, height: 12.5 }
const GAP_EM = 0.75

/** How many cells stand side by side and above each other in the element. */
function useCells() {
  const [grid, setGrid] = useState<HTMLElement | null>(null)
  const [cells, setCells] = useState({ columns: 1, rows: 1 })
  useEffect(() => {
    if (!grid) return
    const countIn = (lengthPx: number, leastEm: number) => {
      const emPx = Number.parseFloat(getComputedStyle(grid).fontSize)
      return Math.max(1, Math.floor((lengthPx / emPx + GAP_EM) / (leastEm + GAP_EM)))
    }
    const observer = new ResizeObserver(() => {
      const columns = countIn(grid.clientWidth, CELL_EM.width)
      const rows = countIn(grid.clientHeight, CELL_EM.height)
      setCells((before) => (before.columns === columns && before.rows === rows ? before : { columns, rows }))
    })
    observer.observe(grid)
    return () => observer.disconnect()
  }, [grid])
  return { ...cells, gridRef: setGrid }
}

type Keys = { onLeave: () => void; onTurn: (by: 1 | -1) => void }

const useBoardKeys = ({ onLeave, onTurn }: Keys): void =>
  useWindowEvent('keydown', ({ key }) => {
    if (key === 'Escape') onLeave()
    if (key === 'ArrowRight') onTurn(1)
    if (key === 'ArrowLeft') onTurn(-1)
  })

/** Keeps the screen on, where the browser lets us: it lets go whenever the page is hidden. */
function useScreenOn(): void {
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

const FADE_MS = 10_000

/** Whether somebody was at this screen in the last ten seconds. */
function useSomebodyHere(): boolean {
  const [signs, setSigns] = useState(1)
  const isHere = signs > 0
  useEffect(() => {
    if (signs === 0) return
    const timer = setTimeout(() => setSigns(0), FADE_MS)
    return () => clearTimeout(timer)
  }, [signs])
  const see = () => setSigns((before) => before + 1)
  useWindowEvent('pointermove', ({ movementX, movementY }) => {
    // a page that turns under a mouse at rest moves nothing
    if (movementX !== 0 || movementY !== 0) see()
  })
  useWindowEvent('pointerdown', see)
  useWindowEvent('keydown', see)
  return isHere
}

/** Since when the server has not answered, from the first poll on that it missed; null while it answers. */
function useMissedSince(): number | null {
  const { isError, dataUpdatedAt, errorUpdatedAt } = useQuery({ ...statusQuery, staleTime: Number.POSITIVE_INFINITY })
  return isError ? dataUpdatedAt || errorUpdatedAt : null
}

/** The session of a board has nothing else to show: its button ends it, and no key that something falls on. */
function useLeaving() {
  const { hrefOf } = usePlant()
  const navigate = useNavigate()
  if (useUser()?.isBoard) return { leave: () => logout({ comeBack: true }), leaveByKey: () => undefined }
  const leave = () => void navigate({ href: hrefOf(links.equipment) })
  return { leave, leaveByKey: leave }
}

/** For a screen on a wall: read from afar, touched by nobody, left on for days. */
export function EquipmentBoard() {
  useEffect(() => {
    noteBoard(true)
    return () => noteBoard(false)
  }, [])
  const { plant, plants } = usePlant()
  const reading = useEquipment(plant)
  const { data } = reading
  useServerStatus()
  const missedSince = useMissedSince()
  const { siteName } = useSettings()
  const leaving = useLeaving()
  useScreenOn()
  useEffect(() => {
    document.title = `Painel de equipamentos - ${siteName}`
  }, [siteName])
  const plantLabel = plants.find(({ code }) => code === plant)?.label ?? plant
  // One cause, one alarm.
  const isSaidAbove = data !== undefined && missedSince !== null
  return (
    <main className="relative flex h-[calc(100dvh-var(--banner-height))] flex-col gap-[0.75em] overflow-hidden p-[0.75em] text-[max(1rem,1.25vw)]/normal">
      {!isSaidAbove && <ReadingState reading={reading} loadingText="Carregando máquinas..." readAt={reading.readAt} />}
      {data ? (
        <Board list={data} plant={plant} plantLabel={plantLabel} missedSince={missedSince} leaving={leaving} />
      ) : (
        <>
          <h1 className="sr-only">Painel de equipamentos</h1>
          <div>
            <LeaveButton onPress={leaving.leave} />
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

type BoardProps = {
  list: EquipmentList
  plant: string
  plantLabel: string
  missedSince: number | null
  leaving: ReturnType<typeof useLeaving>
}

function Board({ list, plant, plantLabel, missedSince, leaving }: BoardProps) {
  const { timeZone, limitWarningPercent } = useSettings()
  const nowMs = useNow()
  const all = attentionFirst(withStates(list.equipamentos, nowMs, timeZone), limitWarningPercent)
  const { columns, rows, gridRef } = useCells()
  const size = columns * rows
  const pages = Math.max(1, Math.ceil(all.length / size))
  const { page, isPaused, turn, pause } = usePages(pages)
  useBoardKeys({ onLeave: leaving.leaveByKey, onTurn: turn })
  const counts = countStates(all)
  return (
    <>
      <header className="flex flex-wrap items-center justify-between gap-x-[1.5em] gap-y-1">
        <div className="min-w-0">
          <h1 className="text-[1.5em]/tight font-semibold tracking-tight">{plantLabel}</h1>
          <div className="flex gap-x-[0.8em] text-muted">
            {missedSince === null ? (
              <ShiftLine text={shiftText(list.turno, timeZone)} />
            ) : (
              <NoNetwork since={timeText(missedSince, timeZone)} />
            )}
            {pages > 1 && (
              <p>
                Página {page + 1} de {pages}
              </p>
            )}
            {isPaused && <p>em pausa</p>}
          </div>
        </div>
        <ul aria-label="Situação" className="flex flex-wrap gap-x-[1em]">
          {equipmentStates.map((state) => (
            <StateCount key={state} state={state} count={counts[state]} />
          ))}
        </ul>
        <p className="text-[2em]/none font-semibold">{timeText(nowMs, timeZone)}</p>
      </header>
      <CallStrip plant={plant} nowMs={nowMs} />
      <section aria-label="Máquinas" ref={gridRef} className="min-h-0 flex-1">
        {all.length === 0 && <EmptyState>Nenhuma máquina nesta filial</EmptyState>}
        <ul
          key={page}
          aria-label={`Página ${page + 1} de ${pages}`}
          className="animate-appear grid h-full gap-[0.75em]"
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
      <Controls>
        {pages > 1 && (
          <>
            <IconButton label="Página anterior" icon={<ChevronLeft {...icon.lg} />} onPress={() => turn(-1)} />
            <IconButton label="Próxima página" icon={<ChevronRight {...icon.lg} />} onPress={() => turn(1)} />
            <Button icon={isPaused ? <Play {...icon.md} /> : <Pause {...icon.md} />} onPress={pause}>
              {isPaused ? 'Continuar' : 'Pausar'}
            </Button>
          </>
        )}
        <LeaveButton onPress={leaving.leave} />
      </Controls>
    </>
  )
}

/** Over the cells: a wall is looked at far more than it is touched. */
function Controls({ children }: { children: ReactNode }) {
  const isHere = useSomebodyHere()
  return (
    <footer
      className={`absolute right-[0.75em] bottom-[0.75em] flex max-w-[calc(100%-1.5em)] flex-wrap items-center justify-end gap-2 rounded-lg border border-line bg-surface p-2 text-base shadow-card transition-[opacity,visibility] duration-500 ${isHere ? '' : 'invisible opacity-0'}`}
    >
      {children}
    </footer>
  )
}

/** In the place of the shift and as high as its text: the cells below must not move for it. */
const NoNetwork = ({ since }: { since: string }) => (
  <p
    role="alert"
    className="flex items-center gap-[0.4em] rounded-full bg-bad-fill px-[0.8em] font-semibold text-white"
  >
    <WifiOff {...inText} />
    sem rede desde {since}
  </p>
)

function ShiftLine({ text }: { text: string }) {
  if (!useIsSlowed()) return <p>{text}</p>
  return (
    <p
      role="status"
      className="flex items-center gap-[0.4em] rounded-full bg-warn-soft px-[0.8em] font-semibold text-warn-ink"
    >
      <Timer {...inText} />
      sem atualização ao vivo: a cada 30 s
    </p>
  )
}

/** As high as the text beside it. */
const inText = { ...icon.lg, size: '1.1em', className: 'shrink-0' }

const inks = { ok: 'text-ok-ink', warn: 'text-warn-ink', neutral: 'text-muted' }
const edges = {
  ok: 'border-l-ok-fill',
  warn: 'border-l-warn-fill',
  neutral: 'border-l-idle-fill',
  bad: 'border-l-bad-fill',
}

function StateCount({ state, count }: { state: ShownEquipment['state']; count: number }) {
  const { text, tone, Icon } = stateLooks[state]
  return (
    <li className={`flex items-center gap-[0.4em] ${inks[tone]}`}>
      <Icon {...inText} />
      <strong className="text-[1.25em]">{count}</strong> {text}
    </li>
  )
}

/** One machine. Words that do not fit are left out at the end: the state and the figures come first. */
function BoardCell({ of: one, nowMs }: { of: ShownEquipment; nowMs: number }) {
  const { ultimo, hoje, turno, aguardandoErp } = one
  const { limitWarningPercent } = useSettings()
  const { tone, Icon } = stateLooks[one.state]
  const wear = toolWear(one, limitWarningPercent)
  const lastText = ultimo ? `${ultimo.operador}, ${formatAgo(ultimo.quando, nowMs)}` : 'Nenhum apontamento em 90 dias'
  const maker = [one.fabricante, one.descricao].filter(Boolean).join(' · ')
  return (
    <li
      className={`flex flex-col justify-between overflow-hidden rounded-lg border border-l-[0.5em] border-line bg-surface px-[0.8em] py-[0.5em] shadow-card ${edges[wear === 'reached' ? 'bad' : tone]}`}
    >
      <div className="flex flex-wrap items-baseline gap-x-[0.8em]">
        <h2 className="code shrink-0 text-[1.75em]/tight font-semibold" title={one.id}>
          {one.id}
        </h2>
        <p className="min-w-0 flex-1 truncate text-muted" title={maker}>
          {maker}
        </p>
        <p className={`flex shrink-0 items-center gap-[0.4em] text-[1.25em] font-semibold ${inks[tone]}`}>
          <Icon {...inText} />
          {stateText(one, nowMs)}
        </p>
      </div>
      <dl className="grid grid-cols-3 gap-[0.8em]">
        <Figure name="Hoje" value={hoje.pecas} below={meanText(hoje)} />
        <Figure name="Neste turno" value={turno.pecas} below={meanText(turno)} />
        <Figure name="Restam" value={ultimo?.restam ?? null} below={ultimo ? `OP ${ultimo.ordem}` : ''} />
      </dl>
      <p className="flex items-center gap-[0.8em] text-muted">
        <span className="min-w-0 flex-1 truncate" title={lastText}>
          {lastText}
        </span>
        {one.miniaplicador && (wear === 'near' || wear === 'reached') && (
          <WornTool tool={one.miniaplicador} isDue={wear === 'reached'} />
        )}
        {aguardandoErp > 0 && (
          <span className="flex shrink-0 items-center gap-[0.3em] font-medium text-warn-ink">
            <Clock {...inText} />
            {formatCount(aguardandoErp)} aguardando ERP
          </span>
        )}
      </p>
    </li>
  )
}

/** Three em are 72 px on a wall 1920 wide; on what is narrower than three of them they shrink with it. */
const Figure = ({ name, value, below }: { name: string; value: number | null; below: string }) => (
  <div className="min-w-0">
    <dt className="text-muted">{name}</dt>
    <dd>
      <span className="block text-[min(3em,7.5vw)]/none font-semibold">
        {value === null ? '–' : formatCount(value)}
      </span>
      <span className="block truncate text-muted max-sm:whitespace-normal" title={below}>
        {below}
      </span>
    </dd>
  </div>
)

type WornToolProps = { tool: NonNullable<ShownEquipment['miniaplicador']>; isDue: boolean }

const WornTool = ({ tool: { nome, crimpagens, limite }, isDue }: WornToolProps) => (
  <span className={`flex shrink-0 items-center gap-[0.3em] font-semibold ${isDue ? 'text-bad-ink' : 'text-warn-ink'}`}>
    <TriangleAlert {...inText} />
    <span className="code">{nome}</span>{' '}
    {formatCount(usedPercent({ numberOfCrimps: crimpagens, limitOfCrimps: limite }))}%
  </span>
)
