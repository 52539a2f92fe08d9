import { ScanBarcode, Waypoints } from 'lucide-react'
import type { FormEvent, Ref } from 'react'
import { TRACE_TERM_LENGTH_MAX } from '../../../contract/traces.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Card } from '../../ui/Page.tsx'
import { TextField } from '../../ui/TextField.tsx'

type Props = {
  term: string
  onTermChange: (term: string) => void
  error: string | undefined
  onTrace: () => void
  isBusy: boolean
  boxRef: Ref<HTMLInputElement>
}

export function TraceForm({ term, onTermChange, error, onTrace, isBusy, boxRef }: Props) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onTrace()
  }
  return (
    <Card>
      <form onSubmit={submit} className="flex flex-wrap items-start gap-4">
        <div className="min-w-72 flex-1 max-md:min-w-full">
          <TextField
            label="Lote, código de barras, ordem, mini aplicador ou máquina"
            placeholder="Leia a etiqueta ou digite"
            value={term}
            onChange={onTermChange}
            error={error}
            maxLength={TRACE_TERM_LENGTH_MAX}
            leading={<ScanBarcode {...icon.md} />}
            code
            autoComplete="off"
            inputRef={boxRef}
          />
        </div>
        <div className="max-md:w-full md:pt-6">
          <Button
            type="submit"
            variant="primary"
            wide
            icon={<Waypoints {...icon.md} />}
            busy={isBusy}
            busyText="Rastreando..."
          >
            Rastrear
          </Button>
        </div>
      </form>
    </Card>
  )
}
