import { type ComponentType, useEffect, useState } from 'react'
import type { CallProps } from './CallMaintenance.tsx'

const fetchCall = () => import('./CallMaintenance.tsx')
let Fetched: ComponentType<CallProps> | null = null

/** Without network, and not fetched before, there is no button: a form works without it, and whoever works there can walk. */
export async function warmCall(): Promise<void> {
  const fetched = await fetchCall().catch(() => null)
  if (fetched) Fetched = fetched.CallMaintenance
}

/** `CallMaintenance` in the head of a section of a form, once the form is drawn. */
export function CallAtWork(props: CallProps) {
  const [isFetched, setFetched] = useState(Fetched !== null)
  useEffect(() => {
    if (!isFetched) void warmCall().then(() => setFetched(Fetched !== null))
  }, [isFetched])
  return isFetched && Fetched && <Fetched {...props} isInHead />
}
