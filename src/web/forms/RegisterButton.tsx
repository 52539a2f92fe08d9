import { Save } from 'lucide-react'
import { useMay } from '../parts/permissions.tsx'
import { RecordedBy } from '../parts/RecordedBy.tsx'
import { Refused } from '../parts/Refused.tsx'
import { Button } from '../ui/Button.tsx'
import { icon } from '../ui/icon-sizes.ts'

type Props<Part extends string> = {
  part: Part
  /** 'cabo': tells the button from others of the screen. */
  name?: string
  isOpen: boolean
  work: {
    isBusy: (part: Part) => boolean
    refusalAt: (part: Part, field: null) => string | undefined
    onPressStart: () => void
    register: (part: Part) => Promise<void>
  }
}

/** Registers a part of a form. */
export function RegisterButton<Part extends string>({ part, name, isOpen, work }: Props<Part>) {
  const isBusy = work.isBusy(part)
  const mayRecord = useMay('record')
  return (
    // The press takes the focus from a field, which may correct it: what came before that is another matter.
    <div onPointerDownCapture={work.onPressStart} onKeyDownCapture={work.onPressStart}>
      <Refused text={work.refusalAt(part, null)} />
      <Button
        variant="primary"
        wide
        icon={<Save {...icon.md} />}
        busy={isBusy}
        busyText="Registrando..."
        isDisabled={!(isOpen && mayRecord) && !isBusy}
        onPress={() => void work.register(part)}
        {...(isBusy || !name ? {} : { 'aria-label': `Registrar ${name}` })}
      >
        Registrar
      </Button>
      <RecordedBy />
    </div>
  )
}
