import { type ComponentType, createElement, type ReactNode, useState } from 'react'
import { type Deferred, useDeferred } from '../device/deferred.ts'
import { logFailure } from '../device/log.ts'
import { showToast } from '../device/toasts.ts'
import { RetryAlert } from '../ui/Alert.tsx'
import { Spinner } from '../ui/Spinner.tsx'

type Of<Part> = { script: Deferred<Part>; draw: (part: Part) => ReactNode }

const note = (error: unknown) => logFailure('Parte da tela', error)

type NotOpenedProps = { isAsking: boolean; isAway: boolean; onRetry: () => void }

/** Shown where a late part could not be loaded. Nothing is lost: typed forms are in drafts, recorded acts in the queue. */
export const NotOpened = ({ isAsking, isAway, onRetry }: NotOpenedProps) => (
  <RetryAlert isRetrying={isAsking} onRetry={onRetry}>
    Não foi possível abrir esta tela. O que estava salvo continua salvo.
    {isAway && ' Ainda sem conexão com o servidor.'}
  </RetryAlert>
)

function InPlace<Part>({ script, draw }: Of<Part>) {
  const [failures, setFailures] = useState(0)
  const { part, isAsking, ask } = useDeferred(script, (error) => {
    note(error)
    setFailures(failures + 1)
  })
  if (part) return draw(part)
  return failures === 0 ? <Spinner /> : <NotOpened isAsking={isAsking} isAway={failures > 1} onRetry={ask} />
}

/**
 * A screen of the router, whose file exports its component alone. The router waits for its script, and goes there without it
 * as well: a page that must be reloaded for it has the address of the screen by then.
 */
export const lateScreen = (script: Deferred<object>) =>
  Object.assign(() => <InPlace script={script} draw={(file) => createElement(Object.values(file)[0])} />, {
    preload: async () => void (await script.load().catch(() => undefined)),
  })

/** The part of a screen that somebody went to: waiting and failure are said in its place. */
export const latePart =
  <Props extends object>(script: Deferred<ComponentType<Props>>) =>
  (props: Props) => <InPlace script={script} draw={(part) => createElement(part, props)} />

function Over<Part>({ script, draw, onClose }: Of<Part> & { onClose?: () => void }) {
  const { part } = useDeferred(script, (error) => {
    if (!onClose) return
    note(error)
    showToast({ kind: 'error', text: 'Sem conexão com o servidor. Tente novamente.' })
    onClose()
  })
  return part && draw(part)
}

/** A dialog with a script of its own. Where it cannot be had this is said, and the next press asks for it again. */
export const lateDialog =
  <Props extends { onClose: () => void }>(script: Deferred<ComponentType<Props>>) =>
  (props: Props) => <Over script={script} draw={(part) => createElement(part, props)} onClose={props.onClose} />

/** More than a screen needs: it comes when it is there, and where it cannot be had there is nothing. */
export const lateExtra =
  <Props extends object>(script: Deferred<ComponentType<Props>>) =>
  (props: Props) => <Over script={script} draw={(part) => createElement(part, props)} />
