import { FileUp } from 'lucide-react'
import { icon } from '../ui/icon-sizes.ts'

type Props = { text?: string | undefined; isBusy: boolean; onFile: (file: File) => void }

/** Chooses a table of text. */
export const FileChoice = ({ text = 'Escolher arquivo', isBusy, onFile }: Props) => (
  <label className="flex min-h-12 w-fit cursor-pointer items-center gap-2 rounded-md border border-edge bg-surface px-4 font-semibold wrap-anywhere hover:bg-hover has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
    <FileUp {...icon.md} className="shrink-0" />
    {text}
    <input
      type="file"
      className="sr-only"
      accept=".csv,.txt,text/csv,text/plain"
      disabled={isBusy}
      onChange={({ target }) => {
        const [chosen] = target.files ?? []
        if (chosen) onFile(chosen)
        // the same file may be chosen again after it was mended
        target.value = ''
      }}
    />
  </label>
)
