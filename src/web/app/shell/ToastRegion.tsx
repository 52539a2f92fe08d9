import { CircleAlert, CircleCheck, CloudUpload, TriangleAlert, X } from 'lucide-react'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { closeToast, isSuccess, type Toast, useToasts } from '../../device/toasts.ts'
import { CodeDetails } from '../../parts/Failure.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { toastsAbove } from './toast-place.ts'

const TOAST_MS = 5000

const kinds = {
  success: { edge: 'border-l-ok-fill', ink: 'text-ok-ink', Icon: CircleCheck },
  saved: { edge: 'border-l-brand', ink: 'text-brand-ink', Icon: CloudUpload },
  error: { edge: 'border-l-bad-fill', ink: 'text-bad-ink', Icon: CircleAlert },
  warning: { edge: 'border-l-warn-fill', ink: 'text-warn-ink', Icon: TriangleAlert },
}

/** Elements that no toast may cover: the one action of a part or screen, the answers to a dialog, the box one types in. */
const UNCOVERED = '[data-primary], [role=dialog] footer, [role=alertdialog] footer, input:focus, textarea:focus'

/** A press that begins on a button ends on it, though a toast arrives or moves over it meanwhile. */
function usePressesBelow(region: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const listening = new AbortController()
    const begin = ({ target }: PointerEvent) => {
      const isOwn = target instanceof Node && region.current?.contains(target) === true
      region.current?.toggleAttribute('data-transparent', !isOwn)
    }
    const end = () => region.current?.removeAttribute('data-transparent')
    const options = { capture: true, signal: listening.signal }
    window.addEventListener('pointerdown', begin, options)
    for (const event of ['pointerup', 'pointercancel']) window.addEventListener(event, end, options)
    return () => listening.abort()
  }, [region])
}

/** Moves the toasts as the page scrolls and grows below them, dialogs come and go, and other boxes are typed in. */
function usePlace(toasts: readonly Toast[]) {
  const region = useRef<HTMLElement>(null)
  const place = useCallback(() => {
    // what is being pressed stays where it is
    if (!region.current || region.current.contains(document.activeElement)) return
    const { left, right, height } = region.current.getBoundingClientRect()
    const buttons = [...document.querySelectorAll(UNCOVERED)].map((button) => button.getBoundingClientRect())
    region.current.style.bottom = `${toastsAbove(buttons, { left, right, height }, window.innerHeight)}px`
  }, [])
  const frame = useRef(0)
  // Before its frame is painted: at once, each press and each focus would have the page laid out within its turn.
  const placeSoon = useCallback(() => {
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(place)
  }, [place])
  const isShown = toasts.length > 0
  useLayoutEffect(() => {
    if (isShown) placeSoon()
  })
  useEffect(() => {
    if (!isShown || !region.current) return
    const sizes = new ResizeObserver(place)
    for (const one of [region.current, document.body]) sizes.observe(one)
    const dialogs = new MutationObserver(placeSoon)
    dialogs.observe(document.body, { childList: true })
    const listening = new AbortController()
    const whenever = { capture: true, passive: true, signal: listening.signal }
    for (const event of ['scroll', 'resize', 'focusin']) window.addEventListener(event, placeSoon, whenever)
    return () => {
      sizes.disconnect()
      dialogs.disconnect()
      listening.abort()
    }
  }, [isShown, place, placeSoon])
  return region
}

/** Rendered once, at the root. */
export function ToastRegion() {
  const toasts = useToasts()
  const region = usePlace(toasts)
  usePressesBelow(region)
  return (
    <section
      ref={region}
      aria-label="Avisos"
      // React Aria hides everything beside an open dialog from screen readers; what is announced must stay audible.
      data-react-aria-top-layer
      className="pointer-events-none fixed right-4 bottom-4 z-60 flex w-80 max-w-[calc(100vw-2rem)] flex-col gap-3 phone-dialog:top-2 phone-dialog:bottom-auto! phone-dialog:*:not-last:hidden"
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  const [isPaused, setPaused] = useState(false)
  useEffect(() => {
    if (toast.stays || isPaused) return
    const timer = setTimeout(() => closeToast(toast.id), TOAST_MS)
    return () => clearTimeout(timer)
  }, [toast, isPaused])
  const { action } = toast
  const { edge, ink, Icon } = kinds[toast.kind]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits for whoever has come to its button by keyboard
    <div
      role={isSuccess(toast) ? 'status' : 'alert'}
      // a mouse that rests where a success appears reads nothing; whatever else is said waits for it all the same
      onPointerEnter={() => setPaused(!isSuccess(toast))}
      // a pointer that comes enters and moves; over one that rests, what appears is only entered
      onPointerMove={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
      className={`animate-rise pointer-events-auto in-data-transparent:pointer-events-none flex items-start gap-3 rounded-lg border border-l-4 border-line bg-surface py-2 pr-2 pl-4 shadow-float ${edge}`}
    >
      <Icon {...icon.lg} className={`mt-2 shrink-0 ${ink}`} />
      <div className="min-w-0 flex-1 py-2 break-words">
        <p className={`font-semibold ${ink}`}>{toast.title}</p>
        <p>
          {toast.text}
          {toast.code && <CodeDetails code={toast.code} />}
        </p>
        {toast.subject && <p className="text-sm text-muted">{toast.subject}</p>}
        {action && (
          <div className="mt-2">
            <Button
              size="thumb"
              onPress={() => {
                closeToast(toast.id)
                action.go()
              }}
            >
              {action.text}
            </Button>
          </div>
        )}
      </div>
      <IconButton label="Fechar" icon={<X {...icon.md} />} onPress={() => closeToast(toast.id)} />
    </div>
  )
}
