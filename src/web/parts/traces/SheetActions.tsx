import { Download, ExternalLink, Printer } from 'lucide-react'
import { useState } from 'react'
import { Alert } from '../../ui/Alert.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'

type Props = {
  /** As its button and its frame name it. */
  title: string
  /** Addresses: read by the browser itself, as the server writes them. */
  sheet: string
  csv: string
  failureText: string
}

/** A sheet that the server writes, printed from here or opened beside; and the same for a spreadsheet. */
export function SheetActions({ title, sheet, csv, failureText }: Props) {
  const { isLoading, print, cancel, outcome } = usePrinted(title, failureText)
  return (
    <>
      <div className="flex flex-wrap gap-2 max-md:w-full max-md:*:grow">
        <Button
          size="lg"
          icon={<Printer {...icon.md} />}
          busy={isLoading}
          busyText="Preparando a folha..."
          onPress={() => print(sheet)}
        >
          {title}
        </Button>
        {isLoading ? (
          <Button size="lg" variant="quiet" onPress={cancel}>
            Cancelar
          </Button>
        ) : (
          <ButtonLink href={sheet} target="_blank" variant="quiet" icon={<ExternalLink {...icon.md} />}>
            Abrir em nova aba
          </ButtonLink>
        )}
        <ButtonLink href={csv} download icon={<Download {...icon.md} />}>
          Exportar CSV
        </ButtonLink>
      </div>
      {outcome}
    </>
  )
}

/** Prints what the server writes. `outcome` has the frame that it is printed from, or says that it could not be had. */
export function usePrinted(title: string, failureText: string) {
  const [state, setState] = useState<'idle' | 'loading' | 'printing' | 'failed'>('idle')
  const [{ src, attempt }, setSheet] = useState({ src: '', attempt: 0 })
  const print = (next: string) => {
    setSheet({ src: next, attempt: attempt + 1 })
    setState('loading')
  }
  const cancel = () => setState('idle')
  const failed = (
    <div className="w-full">
      <Alert onDismiss={cancel} action={<Button onPress={() => print(src)}>Tentar novamente</Button>}>
        {failureText}
      </Alert>
    </div>
  )
  const frame = (
    // Another frame each time: one that has its sheet already would not load again.
    <SheetFrame
      key={attempt}
      title={title}
      src={src}
      onPrint={() => setState('printing')}
      onFailure={() => setState('failed')}
    />
  )
  return {
    isLoading: state === 'loading',
    print,
    cancel,
    outcome: state === 'failed' ? failed : state !== 'idle' && frame,
  }
}

type FrameProps = { title: string; src: string; onPrint: () => void; onFailure: () => void }

/** Not shown, but laid out: what is not displayed some browsers print as an empty page. */
function SheetFrame({ title, src, onPrint, onFailure }: FrameProps) {
  return (
    <iframe
      title={title}
      aria-hidden
      tabIndex={-1}
      src={src}
      onLoad={({ currentTarget: { contentDocument, contentWindow } }) => {
        if (!contentWindow || !isWhole(contentDocument)) return onFailure()
        onPrint()
        contentWindow.focus()
        contentWindow.print()
      }}
      className="invisible fixed size-px border-0"
    />
  )
}

/** A refusal is no sheet; one whose end is missing was cut off on the way, and would call safe what it leaves out. */
const isWhole = (sheet: Document | null) => sheet?.contentType === 'text/html' && sheet.getElementById('fim') !== null
