import { ChevronDown, ChevronUp, Maximize, Minimize, MoveHorizontal, RotateCw, X, ZoomIn, ZoomOut } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { Dialog, Heading, Modal } from 'react-aria-components'
import { deferred } from '../../device/deferred.ts'
import { logFailure } from '../../device/log.ts'
import { errorText } from '../../server/api.ts'
import { formatInstant } from '../../text/format.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Overlay } from '../../ui/Dialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Spinner } from '../../ui/Spinner.tsx'
import { useSettings } from '../settings.ts'
import { DocumentPages, scrollToPage } from './DocumentPages.tsx'
import { type DocumentEntry, loadFile } from './documents.ts'
import { nextTurn, type OpenedDocument, openImage, type PageSize, type Turn, Unshowable } from './opened-document.ts'
import { largerScale, smallerScale, type Zoom } from './zooms.ts'

const situations = { vigente: '', obsoleto: ' - Obsoleto', retirado: ' - Retirado' } as const

/** One revision of a document over the whole screen. Escape leads back to where it was opened. */
export function DocumentViewer({ entry, onClose }: { entry: DocumentEntry; onClose: () => void }) {
  const { timeZone } = useSettings()
  const { document, revision } = entry
  // A list that is read again meanwhile must not open the same file anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same file under the same SHA-256
  const load = useCallback((signal: AbortSignal) => loadFile(entry, signal), [revision.arquivo.sha256])
  const sent = formatInstant(revision.enviadoEm, timeZone)
  const note = `Revisão ${revision.revisao}${situations[revision.situacao]} - enviada em ${sent}`
  return (
    <Overlay onOpenChange={(isOpen) => !isOpen && onClose()} className="fixed inset-0 z-50 flex bg-page">
      <Modal className="flex min-w-0 flex-1">
        <Dialog className="flex min-h-0 min-w-0 flex-1 flex-col bg-page outline-none">
          <Viewer title={document.titulo} note={note} load={load} onClose={onClose} />
        </Dialog>
      </Modal>
    </Overlay>
  )
}

type Props = {
  title: string
  /** Such as the revision, and that it is obsolete. */
  note: string
  /** The file, from this device or from the server. Keep the function: another one opens the file anew. */
  load: (signal: AbortSignal) => Promise<Blob>
  onClose: () => void
}

const scrollKeys = ['PageDown', 'PageUp', 'ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Home', 'End']

const openPdf = deferred(async () => (await import('./pdf.ts')).openPdf)

async function openDocument(file: Blob): Promise<OpenedDocument> {
  return file.type === 'application/pdf' ? await (await openPdf.open())(file) : await openImage(file)
}

type Shown = { opened: OpenedDocument; firstSize: PageSize }

function useShown(load: Props['load']) {
  const [shown, setShown] = useState<Shown | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens it anew
  useEffect(() => {
    const left = new AbortController()
    let opened: OpenedDocument | null = null
    const open = async () => {
      const file = await load(left.signal)
      opened = await openDocument(file)
      const firstSize = await opened.sizeOf(1)
      if (left.signal.aborted) opened.close()
      else setShown({ opened, firstSize })
    }
    open().catch((error: unknown) => {
      if (left.signal.aborted) return opened?.close()
      setFailure(error)
      logFailure('Abrir um documento', error)
    })
    return () => {
      left.abort()
      opened?.close()
      setShown(null)
      setFailure(null)
    }
  }, [load, attempt])
  return { shown, failure, retry: () => setAttempt((before) => before + 1) }
}

function Viewer({ title, note, load, onClose }: Props) {
  const { shown, failure, retry } = useShown(load)
  const [zoom, setZoom] = useState<Zoom>('fit')
  const [scale, setScale] = useState(1)
  const [turn, setTurn] = useState<Turn>(0)
  const [page, setPage] = useState(1)
  const frame = useRef<HTMLElement>(null)
  const whole = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Arrows and Page Down scroll at once.
    if (shown) frame.current?.focus()
  }, [shown])
  /** From what was asked for last: two quick steps are two, also on a device that draws slowly. */
  const step = (to: (scale: number) => number) => setZoom((before) => to(before === 'fit' ? scale : before))
  const hear = (event: KeyboardEvent) => {
    if (event.altKey) return
    if (event.key === '+' || event.key === '=') step(largerScale)
    if (event.key === '-') step(smallerScale)
    if (event.key === '0') setZoom('fit')
    // A button that was just pressed has the focus, and does not scroll.
    if (scrollKeys.includes(event.key)) frame.current?.focus({ preventScroll: true })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys for what the buttons do
    <div ref={whole} onKeyDown={hear} className="flex min-h-0 flex-1 flex-col bg-page">
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface py-1 pr-2 pl-4">
        <div className="min-w-0 flex-1 basis-56">
          <Heading slot="title" className="truncate text-lg font-semibold" title={title}>
            {title}
          </Heading>
          <p className="truncate text-sm text-muted" title={note}>
            {note}
          </p>
        </div>
        {shown && (
          <fieldset aria-label="Exibição" className="flex flex-wrap items-center gap-2 max-lg:order-last max-lg:w-full">
            <PageButtons frame={frame} page={page} pageCount={shown.opened.pageCount} />
            <ZoomButtons scale={scale} onStep={step} onFit={() => setZoom('fit')} />
            <IconButton label="Girar" icon={<RotateCw {...icon.lg} />} onPress={() => setTurn(nextTurn(turn))} />
            <FullScreenButton whole={whole} />
          </fieldset>
        )}
        <IconButton label="Fechar" icon={<X {...icon.lg} />} onPress={onClose} />
      </header>
      {shown && (
        <DocumentPages
          {...shown}
          title={title}
          zoom={zoom}
          onZoom={step}
          turn={turn}
          frame={frame}
          page={page}
          onPage={setPage}
          onScale={setScale}
        />
      )}
      {!shown && !failure && <Spinner>Abrindo o documento...</Spinner>}
      {failure !== null && <Failure failure={failure} onRetry={retry} />}
    </div>
  )
}

const Failure = ({ failure, onRetry }: { failure: unknown; onRetry: () => void }) => (
  <div className="mx-auto w-full max-w-2xl p-4">
    <Alert action={!(failure instanceof Unshowable) && <Button onPress={onRetry}>Tentar novamente</Button>}>
      {failure instanceof Unshowable ? failure.message : errorText(failure)}
    </Alert>
  </div>
)

type PageButtonsProps = { frame: RefObject<HTMLElement | null>; page: number; pageCount: number }

const PageButtons = ({ frame, page, pageCount }: PageButtonsProps) => (
  <div className="flex items-center gap-2">
    <IconButton
      label="Página anterior"
      icon={<ChevronUp {...icon.lg} />}
      isDisabled={page <= 1}
      onPress={() => scrollToPage(frame.current, page - 1)}
    />
    <span role="status" className="font-medium whitespace-nowrap">
      Página {page} de {pageCount}
    </span>
    <IconButton
      label="Próxima página"
      icon={<ChevronDown {...icon.lg} />}
      isDisabled={page >= pageCount}
      onPress={() => scrollToPage(frame.current, page + 1)}
    />
  </div>
)

type ZoomButtonsProps = { scale: number; onStep: (to: (scale: number) => number) => void; onFit: () => void }

const ZoomButtons = ({ scale, onStep, onFit }: ZoomButtonsProps) => (
  <div className="flex items-center gap-2">
    <IconButton label="Diminuir" icon={<ZoomOut {...icon.lg} />} onPress={() => onStep(smallerScale)} />
    <span className="min-w-14 text-center font-medium">{Math.round(scale * 100)}%</span>
    <IconButton label="Aumentar" icon={<ZoomIn {...icon.lg} />} onPress={() => onStep(largerScale)} />
    <IconButton label="Ajustar à largura" icon={<MoveHorizontal {...icon.lg} />} onPress={onFit} />
  </div>
)

/** Not on every device; Escape leaves it first, then the document. */
function FullScreenButton({ whole }: { whole: RefObject<HTMLElement | null> }) {
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    const hear = () => setFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', hear)
    return () => {
      document.removeEventListener('fullscreenchange', hear)
      if (document.fullscreenElement) void document.exitFullscreen()
    }
  }, [])
  if (!document.fullscreenEnabled) return null
  const toggle = () => {
    const done = isFull ? document.exitFullscreen() : whole.current?.requestFullscreen()
    done?.catch((error: unknown) => logFailure('Tela cheia', error))
  }
  const Mark = isFull ? Minimize : Maximize
  return (
    <IconButton label={isFull ? 'Sair da tela cheia' : 'Tela cheia'} icon={<Mark {...icon.lg} />} onPress={toggle} />
  )
}
