import { CircleAlert, CircleCheck, CloudUpload, TriangleAlert, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { closeToast, type Toast, useToasts } from '../../device/toasts.ts'
import { IconButton } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'

const TOAST_MS = 5000

const kinds = {
  success: { edge: 'border-l-ok-fill', ink: 'text-ok-ink', Icon: CircleCheck },
  saved: { edge: 'border-l-full-fill', ink: 'text-full-ink', Icon: CloudUpload },
  error: { edge: 'border-l-bad-fill', ink: 'text-bad-ink', Icon: CircleAlert },
  warning: { edge: 'border-l-warn-fill', ink: 'text-warn-ink', Icon: TriangleAlert },
}

/** Rendered once, at the root. */
export const ToastRegion = () => (
  <section
    aria-label="Avisos"
    // React Aria hides everything beside an open dialog from screen readers; what is announced must stay audible.
    data-react-aria-top-layer
    className="pointer-events-none fixed top-[calc(5rem+var(--banner-height))] left-1/2 z-60 flex w-96 max-w-[calc(100vw-2rem)] -translate-x-1/2 flex-col gap-3 phone-dialog:top-2 phone-dialog:*:not-last:hidden"
  >
    {useToasts().map((toast) => (
      <ToastCard key={toast.id} toast={toast} />
    ))}
  </section>
)

function ToastCard({ toast }: { toast: Toast }) {
  const [isPaused, setPaused] = useState(false)
  useEffect(() => {
    if (toast.stays || isPaused) return
    const timer = setTimeout(() => closeToast(toast.id), TOAST_MS)
    return () => clearTimeout(timer)
  }, [toast, isPaused])
  const { edge, ink, Icon } = kinds[toast.kind]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits for whoever has come to its button by keyboard
    <div
      role={toast.kind === 'success' || toast.kind === 'saved' ? 'status' : 'alert'}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
      className={`animate-rise pointer-events-auto flex items-start gap-3 rounded-lg border border-l-4 border-line bg-surface py-2 pr-2 pl-4 shadow-float ${edge}`}
    >
      <Icon {...icon.lg} className={`mt-2 shrink-0 ${ink}`} />
      <div className="min-w-0 flex-1 py-2 break-words">
        <p className={`font-semibold ${ink}`}>{toast.title}</p>
        <p>{toast.text}</p>
        {toast.code && <p className="text-sm text-muted">Código: {toast.code}</p>}
      </div>
      <IconButton label="Fechar" icon={<X {...icon.md} />} onPress={() => closeToast(toast.id)} />
    </div>
  )
}
