import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { showToast } from '../device/toasts.ts'

type Props<Shown> = Shown & { load: () => Promise<ComponentType<Shown>> }

/**
 * A dialog whose script is fetched soon after the form that opens it (`Shell.tsx`), and else when it is opened: it would be
 * a tenth of what the form waits for. Where it cannot be had this is said, and the next press asks for it again.
 */
export function LateDialog<Shown extends { onClose: () => void }>({ load, ...shown }: Props<Shown>) {
  const [Fetched, setFetched] = useState<ComponentType<Shown> | null>(null)
  const fetchScript = useEffectEvent(async () => {
    const component = await load().catch(() => null)
    if (component) return setFetched(() => component)
    showToast({ kind: 'error', text: 'Sem conexão com o servidor. Tente novamente.' })
    shown.onClose()
  })
  useEffect(() => void fetchScript(), [])
  // without `load` it is what its dialog shows, which the compiler cannot see of a generic
  return Fetched && <Fetched {...(shown as unknown as Shown)} />
}
