import { LoaderCircle } from 'lucide-react'

export const SpinnerMark = () => <LoaderCircle aria-hidden className="size-5 shrink-0 animate-spin" />

/** Waiting, in words. It shows after 150 ms, so an answer that comes at once does not flicker. */
export function Spinner({ children = 'Carregando...' }: { children?: string }) {
  return (
    <p role="status" className="animate-late flex items-center justify-center gap-3 py-8 text-muted">
      <SpinnerMark />
      {children}
    </p>
  )
}
