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
  const [state, setState] = useState<'idle' | 'loading' | 'printing' | 'failed'>('idle')
  const [attempt, setAttempt] = useState(0)
  const prepare = () => {
    setAttempt(attempt + 1)
    setState('loading')
  }
  return (
    <>
      <div className="flex flex-wrap gap-2 max-md:w-full max-md:*:grow">
        <Button
          size="lg"
          icon={<Printer {...icon.md} />}
          busy={state === 'loading'}
          busyText="Preparando a folha..."
          onPress={prepare}
        >
          {title}
        </Button>
        {state === 'loading' ? (
          <Button size="lg" variant="quiet" onPress={() => setState('idle')}>
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
      {state === 'failed' && (
        <div className="w-full">
          <Alert onDismiss={() => setState('idle')} action={<Button onPress={prepare}>Tentar novamente</Button>}>
            {failureText}
          </Alert>
        </div>
      )}
      {(state === 'loading' || state === 'printing') && (
        // Another frame each time: one that has its sheet already would not load again.
        <SheetFrame
          key={attempt}
          title={title}
          src={sheet}
          onPrint={() => setState('printing')}
          onFailure={() => setState('failed')}
        />
      )}
    </>
  )
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
