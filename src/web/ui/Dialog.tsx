import { X } from 'lucide-react'
import { type ReactNode, useLayoutEffect } from 'react'
import {
  Dialog as AriaDialog,
  Heading,
  I18nProvider,
  Modal,
  ModalOverlay,
  type ModalOverlayProps,
} from 'react-aria-components'
import { IconButton } from './Button.tsx'
import { icon } from './icon-sizes.ts'

const widths = { sm: 'max-w-md', md: 'max-w-xl', lg: 'max-w-3xl', xl: 'max-w-5xl' }

/** A finger that bounces is back sooner, within this side of a square. */
const BOUNCE_MS = 500
const BOUNCE_PX = 48

/** Takes what falls on one place of the screen, and lets the cursor stand where it stood. */
function shield({ clientX, clientY }: PointerEvent): void {
  const square = document.createElement('div')
  Object.assign(square.style, {
    ...{ position: 'fixed', zIndex: '50', width: `${BOUNCE_PX}px`, height: `${BOUNCE_PX}px` },
    ...{ left: `${clientX - BOUNCE_PX / 2}px`, top: `${clientY - BOUNCE_PX / 2}px` },
  })
  square.addEventListener('mousedown', (event) => event.preventDefault())
  document.body.append(square)
  setTimeout(() => square.remove(), BOUNCE_MS)
}

/** The second tap of a finger that has closed what lay over the screen presses nothing that lay under it. */
function useBounceShield(): void {
  useLayoutEffect(() => {
    let last: PointerEvent | undefined
    const note = (event: PointerEvent) => {
      last = event
    }
    addEventListener('pointerdown', note, { capture: true })
    return () => {
      removeEventListener('pointerdown', note, { capture: true })
      if (last) shield(last)
    }
  }, [])
}

/** Lies over a screen, open while it is mounted. The library's own words, for screen readers, are Portuguese. */
export function Overlay(props: ModalOverlayProps) {
  useBounceShield()
  return (
    <I18nProvider locale="pt-BR">
      <ModalOverlay isOpen {...props} />
    </I18nProvider>
  )
}

type Props = {
  title: string
  /** Escape, the close button and a press beside the dialog. The focus goes back to where it was. */
  onClose: () => void
  /** The outcome of its action is still to come, and would go unsaid: it cannot be closed. */
  isBusy?: boolean
  /** What it shows is shown once: a press beside it is no way out. */
  isShownOnce?: boolean
  width?: keyof typeof widths
  role?: 'dialog' | 'alertdialog'
  children: ReactNode
  /** Buttons at the foot: cancel first, the action last. */
  actions?: ReactNode
  /** Why the action did not work: in sight above the buttons, however long the dialog is. */
  error?: ReactNode
}

/** Mounted while it is open. */
export function Dialog({ title, onClose, isBusy = false, width = 'sm', role = 'dialog', ...parts }: Props) {
  const { children, actions, error, isShownOnce = false } = parts
  return (
    <Overlay
      onOpenChange={(open) => !open && onClose()}
      isDismissable={!isBusy && !isShownOnce}
      isKeyboardDismissDisabled={isBusy}
      className="animate-appear fixed inset-0 z-50 flex items-center justify-center bg-shade p-4 max-md:items-end max-md:p-0"
    >
      {/* A phone keeps room above it for the newest toast, which would cover its title and its way out. */}
      <Modal className={`animate-rise flex max-h-full w-full ${widths[width]} max-md:max-h-[calc(100dvh-8.5rem)]`}>
        <AriaDialog
          role={role}
          className="flex max-h-full min-h-0 w-full flex-col rounded-lg bg-surface shadow-float outline-none max-md:rounded-b-none"
        >
          <header className="flex items-center justify-between gap-4 border-b border-line py-3 pr-3 pl-6">
            <Heading slot="title" className="text-xl font-semibold">
              {title}
            </Heading>
            <IconButton label="Fechar" icon={<X {...icon.lg} />} isDisabled={isBusy} onPress={onClose} />
          </header>
          <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-6 py-4">{children}</div>
          {actions && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-6 py-4 max-sm:*:grow">
              {error && <div className="w-full">{error}</div>}
              {actions}
            </footer>
          )}
        </AriaDialog>
      </Modal>
    </Overlay>
  )
}
