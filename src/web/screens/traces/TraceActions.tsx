import { Download, ExternalLink, Printer } from 'lucide-react'
import { useState } from 'react'
import { traces } from '../../../contract/traces.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import type { Traced } from './trace-address.ts'

/** Read by the browser itself, as the server streams them: a sheet may have more lines than fit into a page's memory. */
const fileHref = (path: string, { term, kind }: Traced) => `${path}?${new URLSearchParams({ termo: term, tipo: kind })}`

export function TraceActions({ current }: { current: Traced }) {
  const sheet = fileHref(traces.sheet.path, current)
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
          Folha de contenção
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
        <ButtonLink href={fileHref(traces.csv.path, current)} download icon={<Download {...icon.md} />}>
          Exportar CSV
        </ButtonLink>
      </div>
      {state === 'failed' && (
        <div className="w-full">
          <Alert onDismiss={() => setState('idle')} action={<Button onPress={prepare}>Tentar novamente</Button>}>
            Não foi possível preparar a folha de contenção.
          </Alert>
        </div>
      )}
      {(state === 'loading' || state === 'printing') && (
        // Another frame each time: one that has its sheet already would not load again.
        <SheetFrame
          key={attempt}
          src={sheet}
          onPrint={() => setState('printing')}
          onFailure={() => setState('failed')}
        />
      )}
    </>
  )
}

type FrameProps = { src: string; onPrint: () => void; onFailure: () => void }

/** Not shown, but laid out: what is not displayed some browsers print as an empty page. */
function SheetFrame({ src, onPrint, onFailure }: FrameProps) {
  return (
    <iframe
      title="Folha de contenção"
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
