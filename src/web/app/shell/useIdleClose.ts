import { useEffect } from 'react'
import { deviceNow } from '../../device/clock.ts'
import { currentUser, useUser } from '../../device/credentials.ts'
import { showToast } from '../../device/toasts.ts'
import { useSettings } from '../../parts/settings.ts'
import { isServerSilent } from '../../server/api.ts'
import { logout } from '../../server/session.ts'
import { links } from '../links.ts'

const ADMIN_MINUTES = 15
const MINUTE_MS = 60_000
const CHECK_MS = 5000
const TOLD_EVERY_MS = 1000

const touches = ['keydown', 'pointerdown', 'wheel'] as const

/** Both clocks: the steady one may stand still while a tablet sleeps, the other one may be put back. */
const now = () => ({ wallMs: deviceNow(), steadyMs: performance.now() })
let touchedAt = now()
const untouchedMs = () => Math.max(deviceNow() - touchedAt.wallMs, performance.now() - touchedAt.steadyMs)

/**
 * Asks for log-in again where nobody has touched any tab of this device for long: screens that show more to an
 * administrator after 15 minutes, the others after what the plant has chosen. Not while the server is silent: nobody could log in,
 * and work goes on without it. The board on a wall is nobody's to touch, and stands outside of the shell.
 */
export function useIdleClose(path: string): void {
  const isAdmin = useUser()?.role === 'admin' && (path === links.settings || path === links.logs)
  const { idleMinutes } = useSettings()
  const minutes = Math.min(idleMinutes || Number.POSITIVE_INFINITY, isAdmin ? ADMIN_MINUTES : Number.POSITIVE_INFINITY)
  useEffect(() => {
    // Whoever logs in or goes to another screen is there.
    touchedAt = now()
    const tabs = new BroadcastChannel('touches')
    tabs.onmessage = () => {
      touchedAt = now()
    }
    const closeWhenIdle = () => {
      if (untouchedMs() < minutes * MINUTE_MS || isServerSilent() || !currentUser()) return
      logout({ comeBack: true })
      const text = 'Sessão encerrada por falta de uso. Entre de novo para continuar de onde parou.'
      showToast({ kind: 'warning', text, stays: true })
    }
    const touch = () => {
      // The touch that wakes a tablet comes before any timer.
      closeWhenIdle()
      if (untouchedMs() >= TOLD_EVERY_MS) tabs.postMessage(null)
      touchedAt = now()
    }
    const timer = setInterval(closeWhenIdle, CHECK_MS)
    for (const event of touches) window.addEventListener(event, touch, { capture: true, passive: true })
    return () => {
      clearInterval(timer)
      tabs.close()
      for (const event of touches) window.removeEventListener(event, touch, { capture: true })
    }
  }, [minutes])
}
