import { Wrench } from 'lucide-react'
import { useState } from 'react'
import { deferred } from '../../device/deferred.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { lateDialog, lateExtra } from '../Late.tsx'
import { useMay } from '../permissions.tsx'
import type { CallProps } from './CallMaintenance.tsx'

const CallMaintenance = lateExtra(
  deferred(async () => (await import('./CallMaintenance.tsx')).CallMaintenance, { warm: ['soon'] }),
)
const CallNow = lateDialog(deferred(async () => (await import('./CallMaintenance.tsx')).CallNow))

/**
 * `CallMaintenance` in the head of a section of a form, once the form is drawn. Without network, and not fetched before,
 * there is no button: a form works without it, and whoever works there can walk.
 */
export const CallAtWork = (props: CallProps) => <CallMaintenance {...props} isInHead />

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
      {isOpen && <CallNow {...call} onClose={() => show(false)} />}
    </div>
  )
}
