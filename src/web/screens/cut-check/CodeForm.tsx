import { ScanBarcode } from 'lucide-react'
import type { FormEvent, RefObject } from 'react'
import { BARCODE_LENGTH } from '../../../contract/values.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { Card } from '../../ui/Page.tsx'
import { SpinnerMark } from '../../ui/Spinner.tsx'
import { TextField } from '../../ui/TextField.tsx'

type Props = {
  code: string
  type: (text: string) => void
  enter: () => void
  box: RefObject<HTMLInputElement | null>
  isBusy: boolean
}

/** Where the scanner types. The 22nd character is enough; Enter is for who types by hand. */
export function CodeForm({ code, type, enter, box, isBusy }: Props) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    enter()
  }
  return (
    <Card>
      <form onSubmit={submit}>
        <TextField
          label="Código de barras"
          value={code}
          onChange={type}
          placeholder="Leia ou digite o código de barras (22 caracteres)"
          maxLength={BARCODE_LENGTH}
          leading={<ScanBarcode {...icon.md} />}
          code
          autoComplete="off"
          inputRef={box}
          tag={
            isBusy && (
              <span role="status" className="animate-late flex items-center gap-2 text-sm text-muted">
                <SpinnerMark />
                Confirmando recebimento...
              </span>
            )
          }
        />
      </form>
    </Card>
  )
}
