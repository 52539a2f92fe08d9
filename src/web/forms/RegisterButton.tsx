import { CircleAlert, Save } from 'lucide-react'
import { type Pressed, useIsBusy } from '../acts/useRecorder.ts'
import { useUser } from '../device/credentials.ts'
import { useMay } from '../parts/permissions.tsx'
import { formatCount } from '../text/format.ts'
import { displayName } from '../text/labels.ts'
import { Button } from '../ui/Button.tsx'
import { icon } from '../ui/icon-sizes.ts'

type Props<Part extends string> = {
  part: Part
  /** 'cabo': tells the button from others of the screen. */
  name?: string
  isOpen: boolean
  work: {
    pressed: Pressed
    isOnWay: (part: Part) => boolean
    refusalAt: (part: Part, field: null) => string | undefined
    onPressStart: () => void
    register: (part: Part) => Promise<void>
    late: { [P in Part]?: { pieces: number } }
  }
}

/** Registers a part of a form. */
export function RegisterButton<Part extends string>({ part, name, isOpen, work }: Props<Part>) {
  // also while its form, of which a part not in hand is drawn later, does not know the outcome
  const isBusy = useIsBusy(work, part) || work.isOnWay(part)
  const mayRecord = useMay('record')
  const refused = work.refusalAt(part, null)
  const replaced = work.late[part]
  /** On a shared tablet it may be a colleague's name under which a press records. */
  const user = useUser()
  return (
    // The press takes the focus from a field, which may correct it: what came before that is another matter.
    <div onPointerDownCapture={work.onPressStart} onKeyDownCapture={work.onPressStart}>
      {refused && (
        <p className="flex items-center gap-2 pb-2 font-medium text-bad-ink">
          <CircleAlert {...icon.sm} className="shrink-0" />
          {refused}
        </p>
      )}
      <Button
        variant="primary"
        size="thumb"
        wide
        icon={<Save {...icon.md} />}
        busy={isBusy}
        busyText="Registrando..."
        isDisabled={!(isOpen && mayRecord) && !isBusy}
        onPress={() => void work.register(part)}
        {...(isBusy || !name ? {} : { 'aria-label': `Registrar ${name}` })}
      >
        Registrar{name && <span className="hidden pointer-coarse:inline"> {name}</span>}
      </Button>
      {user && (
        // of no width of its own where it came late: the button under a finger stays where it is
        <p
          style={replaced && { width: 0, minWidth: '100%' }}
          className={`mt-1 text-center text-sm text-muted ${replaced ? '' : 'truncate'}`}
        >
          por {displayName(user)}
          {replaced && `, no lugar do recusado (${formatCount(replaced.pieces)} peças)`}
        </p>
      )}
    </div>
  )
}
