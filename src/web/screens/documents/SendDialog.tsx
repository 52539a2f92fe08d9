import { FileUp } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import {
  DOCUMENT_BYTES_MAX,
  DOCUMENT_REVISION_LENGTH_MAX,
  DOCUMENT_TITLE_LENGTH_MAX,
  documentMediaTypes,
  documentUploads,
  type PlantDocument,
} from '../../../contract/documents.ts'
import { refusalText } from '../../../contract/errors.ts'
import { sizeText } from '../../parts/documents/documents.ts'
import { upload } from '../../server/api.ts'
import { useSave } from '../../server/save.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { changeFailure, changes } from './acts.ts'
import { cleanTarget, noTarget, TargetFields } from './TargetFields.tsx'
import { useFileDrop } from './useFileDrop.ts'

type FileFieldProps = {
  file: File | null
  isOver: boolean
  isDisabled: boolean
  error: string | undefined
  onFile: (file: File) => void
}

/** Chosen from the device, or dropped anywhere. */
const FileField = ({ file, isOver, isDisabled, error, onFile }: FileFieldProps) => (
  <div className="flex flex-col gap-1">
    <label
      className={`flex min-h-28 flex-col items-center justify-center gap-1 rounded-lg border-2 border-dashed px-4 py-3 text-center has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus ${isOver ? 'border-brand bg-brand-soft' : error ? 'border-bad-fill bg-bad-soft' : `border-edge bg-sunken ${isDisabled ? '' : 'cursor-pointer hover:bg-hover'}`}`}
    >
      <FileUp {...icon.lg} className="text-brand-ink" />
      <span className="font-semibold wrap-anywhere">{file ? file.name : 'Escolher arquivo ou soltar aqui'}</span>
      <span className="text-sm text-muted">
        {file
          ? `${sizeText(file.size)}${isDisabled ? '' : ' - toque para trocar'}`
          : 'PDF, PNG, JPEG ou WebP, até 25 MB'}
      </span>
      <input
        type="file"
        className="sr-only"
        disabled={isDisabled}
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

type Props = {
  /** The one that gets a new revision; null for a new document. */
  document: PlantDocument | null
  file: File | null
  onFile: (file: File) => void
  onClose: () => void
}

const titleFrom = (file: File) => file.name.replace(/\.[^.]+$/, '').slice(0, DOCUMENT_TITLE_LENGTH_MAX)

/** Why the server would not take it: said before 25 MB have travelled. */
function fileProblem(file: File | null): string | undefined {
  if (!file) return undefined
  if (file.size === 0) return refusalText('upload_empty')
  if (file.size > DOCUMENT_BYTES_MAX) return refusalText('upload_too_large', { max: DOCUMENT_BYTES_MAX / 2 ** 20 })
  return undefined
}

function useSending({ document, file, onClose }: Props) {
  const [title, setTitle] = useState<string | null>(null)
  const [revision, setRevision] = useState('')
  const [target, setTarget] = useState(noTarget)
  const [share, setShare] = useState(0)
  const stop = useRef<AbortController | null>(null)
  const titulo = (title ?? (file ? titleFrom(file) : '')).trim()
  const revisao = revision.trim()
  const sent = cleanTarget(target)
  const { save, isBusy, error } = useSave({
    changes,
    toast: document ? 'Revisão enviada com sucesso!' : 'Documento enviado com sucesso!',
    onSaved: onClose,
    send: async () => {
      if (!file) throw new Error('There is nothing to send')
      stop.current = new AbortController()
      setShare(0)
      const options = { onProgress: setShare, signal: stop.current.signal }
      if (document) {
        const query = { nome: file.name, revisao }
        return await upload(documentUploads.addRevision, { params: { id: document.id }, query }, file, options)
      }
      const about = { vinculo: sent.tipo, codigo: sent.codigo, revisaoProduto: sent.revisao }
      return await upload(documentUploads.add, { query: { nome: file.name, titulo, revisao, ...about } }, file, options)
    },
  })
  useEffect(() => () => stop.current?.abort(), [])
  const isStopped = error instanceof DOMException
  return {
    title: title ?? titulo,
    setTitle,
    revision,
    setRevision,
    target,
    setTarget,
    share,
    isBusy,
    isStopped,
    failure: error && (isStopped ? 'Envio cancelado. Nada foi guardado.' : changeFailure(error)),
    isComplete:
      file !== null &&
      !fileProblem(file) &&
      revisao !== '' &&
      (document !== null || (titulo !== '' && sent.codigo !== '')),
    send: () => save(),
    cancel: () => stop.current?.abort(),
  }
}

/** Sends a document, or a new revision of one. Mounted while it is open. */
export function SendDialog(props: Props) {
  const { document, file, onFile, onClose } = props
  const formId = useId()
  const sending = useSending(props)
  const { isBusy, failure, isStopped, share } = sending
  const isOver = useFileDrop(isBusy ? null : onFile)
  return (
    <Dialog
      title={document ? `Nova revisão de ${document.titulo}` : 'Enviar documento'}
      width="md"
      onClose={onClose}
      isBusy={isBusy}
      error={failure && <Alert kind={isStopped ? 'warning' : 'error'}>{failure}</Alert>}
      actions={
        <>
          <Button size="lg" onPress={isBusy ? sending.cancel : onClose}>
            {isBusy ? 'Cancelar envio' : 'Cancelar'}
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            isDisabled={!sending.isComplete}
            busy={isBusy}
            busyText="Enviando..."
          >
            Enviar
          </Button>
        </>
      }
    >
      <Form
        id={formId}
        noValidate
        onSubmit={() => sending.isComplete && sending.send()}
        className="flex flex-col gap-4"
      >
        <FileField file={file} isOver={isOver} isDisabled={isBusy} error={fileProblem(file)} onFile={onFile} />
        {isBusy && <Progress share={share} />}
        {!document && (
          <TextField
            label="Título"
            isRequired
            maxLength={DOCUMENT_TITLE_LENGTH_MAX}
            value={sending.title}
            onChange={sending.setTitle}
          />
        )}
        <TextField
          label="Revisão do documento"
          isRequired
          code
          maxLength={DOCUMENT_REVISION_LENGTH_MAX}
          value={sending.revision}
          onChange={sending.setRevision}
        />
        {!document && <TargetFields target={sending.target} onChange={sending.setTarget} isRequired />}
        {document && (
          <p className="text-sm text-muted">A revisão atual ficará marcada como obsoleta e continua disponível.</p>
        )}
      </Form>
    </Dialog>
  )
}

function Progress({ share }: { share: number }) {
  const percent = Math.floor(share * 100)
  const text = share >= 1 ? 'Conferindo o arquivo...' : `${percent}% enviado`
  return <ProgressBar label="Envio do arquivo" percent={percent} text={text} />
}
