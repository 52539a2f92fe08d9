import { Wrench } from 'lucide-react'
import { type ComponentType, useEffect, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LateDialog } from '../LateDialog.tsx'
import { useMay } from '../permissions.tsx'
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

const loadCallNow = async () => (await fetchCall()).CallNow

type LoudProps = Pick<CallProps, 'branch' | 'place' | 'item' | 'name'> & { onOpenChange: (isOpen: boolean) => void }

/** Offered where something at this place asks for it. */
export function CallLoudly({ name, onOpenChange, ...call }: LoudProps) {
  const [isOpen, setOpen] = useState(false)
  const show = (isShown: boolean) => {
    setOpen(isShown)
    onOpenChange(isShown)
  }
  if (!useMay('record')) return null
  return (
    <div className="pt-2">
      <Button icon={<Wrench {...icon.md} />} aria-label={`Chamar manutenção: ${name}`} onPress={() => show(true)}>
        Chamar manutenção
      </Button>
      {isOpen && <LateDialog load={loadCallNow} {...call} onClose={() => show(false)} />}
    </div>
  )
}
