import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, LogOut, Pause, Play, Timer, WifiOff } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import type { EquipmentList } from '../../../contract/equipment.ts'
import type { MaintenanceCall } from '../../../contract/maintenance-calls.ts'
import { useUser } from '../../device/credentials.ts'
import { noteBoard } from '../../device/marks.ts'
import { useCallBell } from '../../parts/calls/bell.ts'
import { useCalls } from '../../parts/calls/calls.ts'
import { HourBars } from '../../parts/charts/HourBars.tsx'
import { sumHours } from '../../parts/charts/hour-bars.ts'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { useNow } from '../../parts/useNow.ts'
import { usePlant } from '../../parts/usePlant.ts'
import { useServerStatus } from '../../parts/useServerStatus.ts'
import { useIsSlowed } from '../../server/live.ts'
import { logout } from '../../server/session.ts'
import { statusQuery } from '../../server/status.ts'
import { formatCount } from '../../text/format.ts'
import { links } from '../../text/links.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { EmptyState } from '../../ui/Page.tsx'
import { useWindowEvent } from '../../ui/useWindowEvent.ts'
import { BoardCell, IdleLine, inText, isIdle } from './BoardCell.tsx'
import { boardGrid, GAP_EM } from './board-grid.ts'
import { CallStrip } from './CallStrip.tsx'
import { openCallsOf, shiftText, timeText, useEquipment, useShown } from './equipment.ts'

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

/** Room for cells in em of the board, and how many pixels such an em has. */
function useRoom() {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [room, setRoom] = useState({ width: 0, height: 0, emPx: 16 })
  useLayoutEffect(() => {
    if (!element) return
    const measure = () => {
      const emPx = Number.parseFloat(getComputedStyle(element).fontSize)
      setRoom({ width: element.clientWidth / emPx, height: element.clientHeight / emPx, emPx })
    }
    // before the cells are drawn for the first time: an observer's word comes a frame later, and would move them
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return { ...room, roomRef: setElement }
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
  const { isError, dataUpdatedAt, errorUpdatedAt } = useQuery(statusQuery)
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
  const calls = useCalls(plant)
  // calls take their room from the cells, which would move for them
  const data = calls.isPending && calls.failureCount === 0 ? undefined : reading.data
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
  const isSaidAbove = missedSince !== null
  const readingState = (
    <ReadingState
      reading={{ ...reading, isPending: !data }}
      loadingText="Carregando máquinas..."
      readAt={reading.readAt}
    />
  )
  return (
    <main className="relative flex h-[calc(100dvh-var(--banner-height))] flex-col gap-[0.75em] overflow-hidden p-[0.75em] text-[max(1rem,1.25vw)]/normal">
      {data ? (
        <Board
          list={data}
          chamados={calls.data?.chamados}
          plantLabel={plantLabel}
          missedSince={missedSince}
          leaving={leaving}
          notice={!isSaidAbove && readingState}
        />
      ) : (
        <>
          {readingState}
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
  chamados: readonly MaintenanceCall[] | undefined
  plantLabel: string
  missedSince: number | null
  leaving: ReturnType<typeof useLeaving>
  notice: ReactNode
}

function Board({ list, chamados, plantLabel, missedSince, leaving, notice }: BoardProps) {
  const { timeZone } = useSettings()
  const nowMs = useNow()
  useCallBell(chamados)
  const openCalls = openCallsOf(chamados)
  const all = useShown(list.equipamentos, { nowMs, openCalls })
  const needed = all.filter((one) => !isIdle(one))
  const { roomRef, ...room } = useRoom()
  const grid = boardGrid(needed.length, room)
  const size = grid.columns * grid.rows
  const pages = Math.max(1, Math.ceil(needed.length / size))
  const { page, isPaused, turn, pause } = usePages(pages)
  useBoardKeys({ onLeave: leaving.leaveByKey, onTurn: turn })
  return (
    <>
      <header className="flex flex-wrap items-center gap-x-[0.8em] gap-y-1">
        <h1 className="min-w-0 text-[1.5em]/tight font-semibold tracking-tight">{plantLabel}</h1>
        <ShiftTotal of={list.equipamentos} height={2 * room.emPx} />
        {pages > 1 && (
          <p className="text-muted">
            Página {page + 1} de {pages}
          </p>
        )}
        {isPaused && <p className="text-muted">em pausa</p>}
        {missedSince === null ? (
          <ShiftLine list={list} nowMs={nowMs} />
        ) : (
          <NoNetwork since={timeText(missedSince, timeZone)} />
        )}
        <p className="text-[2em]/none font-semibold">{timeText(nowMs, timeZone)}</p>
      </header>
      <CallStrip calls={openCalls} nowMs={nowMs} />
      <section aria-label="Máquinas" ref={roomRef} className="min-h-0 flex-1">
        {needed.length === 0 && (
          <EmptyState>{all.length === 0 ? 'Nenhuma máquina nesta filial' : 'Nenhum apontamento hoje'}</EmptyState>
        )}
        <ul
          key={page}
          aria-label={`Página ${page + 1} de ${pages}`}
          className="animate-appear grid"
          style={{
            gap: `${GAP_EM}em`,
            gridTemplateColumns: `repeat(${grid.columns}, minmax(0, 1fr))`,
            gridAutoRows: `${grid.rowEm}em`,
          }}
        >
          {needed.slice(page * size, (page + 1) * size).map((one) => (
            <BoardCell key={one.id} of={one} nowMs={nowMs} room={{ rowEm: grid.rowEm, emPx: room.emPx }} />
          ))}
        </ul>
      </section>
      <IdleLine machines={all.filter(isIdle)} />
      <Controls notice={notice}>
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

/** Over the cells, which move neither for the buttons nor for a notice: a wall is looked at far more than it is touched. */
function Controls({ notice, children }: { notice: ReactNode; children: ReactNode }) {
  const isHere = useSomebodyHere()
  return (
    <div
      className="absolute flex items-end gap-2"
      style={{ insetInline: '0.75em', bottom: '0.75em', flexFlow: 'row-reverse wrap-reverse' }}
    >
      <footer
        className={`flex flex-wrap items-center justify-end gap-2 rounded-lg border border-line bg-surface p-2 text-base shadow-card transition-[opacity,visibility] duration-500 ${isHere ? '' : 'invisible opacity-0'}`}
      >
        {children}
      </footer>
      {notice}
    </div>
  )
}

/** In the place of the shift and as high as its text: the cells below must not move for it. */
const NoNetwork = ({ since }: { since: string }) => (
  <p
    role="alert"
    className="ml-auto flex items-center gap-[0.4em] rounded-full bg-bad-fill px-[0.8em] font-semibold text-white"
  >
    <WifiOff {...inText} />
    sem rede desde {since}
  </p>
)

function ShiftLine({ list: { turno }, nowMs }: { list: EquipmentList; nowMs: number }) {
  const { timeZone } = useSettings()
  const [startMs, endMs] = [Date.parse(turno.inicio), Date.parse(turno.fim)]
  const elapsed = Math.round((100 * Math.min(endMs - startMs, Math.max(0, nowMs - startMs))) / (endMs - startMs))
  if (useIsSlowed())
    return (
      <p
        role="status"
        className="ml-auto flex items-center gap-[0.4em] rounded-full bg-warn-soft px-[0.8em] font-semibold text-warn-ink"
      >
        <Timer {...inText} />
        sem atualização ao vivo: a cada 30 s
      </p>
    )
  return (
    <div className="ml-auto text-muted">
      <p>
        {shiftText(turno, timeZone)} · {elapsed}% do tempo
      </p>
      <div aria-hidden className="h-2 overflow-hidden rounded-full bg-track">
        <div className="h-full bg-muted" style={{ width: `${elapsed}%` }} />
      </div>
    </div>
  )
}

/** Pieces of all machines in this shift, and of each of its hours. */
const ShiftTotal = ({ of: machines, height }: { of: EquipmentList['equipamentos']; height: number }) => (
  <div className="flex min-w-0 items-end gap-[0.8em]">
    <p>
      <strong className="text-[2em]/none">
        {formatCount(machines.reduce((sum, { turno }) => sum + turno.pecas, 0))}
      </strong>{' '}
      peças
    </p>
    {machines.some(({ porHora }) => porHora) && (
      <div className="flex" style={{ width: '10em' }}>
        <HourBars hours={sumHours(machines.map(({ porHora }) => porHora))} height={height} />
      </div>
    )}
    <span className="text-muted max-md:hidden">por hora (ontem ┈)</span>
  </div>
)
