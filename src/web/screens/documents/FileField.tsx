import { FileUp } from 'lucide-react'
import { documentMediaTypes } from '../../../contract/documents.ts'
import { sizeText } from '../../parts/documents/documents.ts'
import { icon } from '../../ui/icon-sizes.ts'

type Props = { file: File | null; isOver: boolean; error: string | undefined; onFile: (file: File) => void }

/** Chosen from the device, or dropped anywhere. */
export const FileField = ({ file, isOver, error, onFile }: Props) => (
  <div className="flex flex-col gap-1">
    <label
      className={`flex min-h-28 cursor-pointer flex-col items-center justify-center gap-1 rounded-lg border-2 border-dashed px-4 py-3 text-center has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus ${isOver ? 'border-brand bg-brand-soft' : error ? 'border-bad-fill bg-bad-soft' : 'border-edge bg-sunken hover:bg-hover'}`}
    >
      <FileUp {...icon.lg} className="text-brand-ink" />
      <span className="font-semibold wrap-anywhere">{file ? file.name : 'Escolher arquivo ou soltar aqui'}</span>
      <span className="text-sm text-muted">
        {file ? `${sizeText(file.size)} - toque para trocar` : 'PDF, PNG, JPEG ou WebP, até 25 MB'}
      </span>
      <input
        type="file"
        className="sr-only"
        accept={documentMediaTypes.join(',')}
        aria-invalid={error !== undefined}
        onChange={({ target }) => {
          const [chosen] = target.files ?? []
          if (chosen) onFile(chosen)
          // The same file may be chosen again after it was mended.
          target.value = ''
        }}
      />
    </label>
    {error && (
      <p role="alert" className="text-sm font-medium text-bad-ink">
        {error}
      </p>
    )}
  </div>
)
