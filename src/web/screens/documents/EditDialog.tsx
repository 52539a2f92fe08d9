import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  DOCUMENT_REVISION_LENGTH_MAX,
  DOCUMENT_TITLE_LENGTH_MAX,
  type DocumentTarget,
  documentChanges,
} from '../../../contract/documents.ts'
import { saysSomething } from '../../../contract/values.ts'
import { type DocumentEntry, targetText } from '../../parts/documents/documents.ts'
import { call } from '../../server/api.ts'
import { useSave } from '../../server/save.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { TextField } from '../../ui/TextField.tsx'
import { changeFailure, changes } from './acts.ts'
import { cleanTarget, noTarget, TargetFields } from './TargetFields.tsx'

type Props = { entry: DocumentEntry; onClose: () => void }

/** Changes what a document is called and what it is about. Mounted while it is open. */
export function EditDialog({ entry: { document, revision }, onClose }: Props) {
  const [title, setTitle] = useState(document.titulo)
  const [name, setName] = useState(revision.revisao)
  const [targets, setTargets] = useState<readonly DocumentTarget[]>(document.vinculos)
  /** As of the last answer: a second try goes on from there. */
  const [seen, setSeen] = useState({ version: document.version, revisao: revision.revisao })
  const { save, isBusy, error } = useSave({
    changes,
    toast: 'Documento alterado com sucesso!',
    onSaved: onClose,
    send: async () => {
      let { version } = seen
      const revisao = name.trim()
      if (revisao !== seen.revisao) {
        const renamed = await call(documentChanges.updateRevision, { params: { id: revision.id }, body: { revisao } })
        // raised by more: somebody else has changed it too, which is then refused and not overwritten
        if (renamed.version === version + 1) version = renamed.version
        setSeen({ version, revisao })
      }
      const body = { titulo: title.trim(), vinculos: [...targets] }
      return await call(documentChanges.update, { params: { id: document.id }, body }, { versionSeen: version })
    },
  })
  return (
    <FormDialog
      title="Editar documento"
      width="md"
      isValid={saysSomething(title) && name.trim() !== '' && targets.length > 0}
      isBusy={isBusy}
      error={error && changeFailure(error)}
      onSave={() => save()}
      onClose={onClose}
      after={<TargetList targets={targets} onChange={setTargets} />}
    >
      <TextField
        label="Título"
        isRequired
        autoFocus
        maxLength={DOCUMENT_TITLE_LENGTH_MAX}
        value={title}
        onChange={setTitle}
      />
      <TextField
        label="Revisão do documento"
        isRequired
        code
        maxLength={DOCUMENT_REVISION_LENGTH_MAX}
        value={name}
        onChange={setName}
      />
    </FormDialog>
  )
}

type TargetListProps = {
  targets: readonly DocumentTarget[]
  onChange: (targets: readonly DocumentTarget[]) => void
}

function TargetList({ targets, onChange }: TargetListProps) {
  const [more, setMore] = useState(noTarget)
  const added = cleanTarget(more)
  const isKnown = targets.some((one) => targetText(one) === targetText(added))
  return (
    <section aria-label="Referente a" className="flex flex-col gap-3 rounded-lg border border-line p-3">
      <ul className="flex flex-col gap-1">
        {targets.map((target) => (
          <li key={targetText(target)} className="flex items-center justify-between gap-2 rounded-md bg-sunken pl-3">
            <span className="code min-w-0 wrap-anywhere">{targetText(target)}</span>
            <IconButton
              label={`Remover ${targetText(target)}`}
              tone="bad"
              icon={<Trash2 {...icon.md} />}
              isDisabled={targets.length === 1}
              onPress={() => onChange(targets.filter((one) => one !== target))}
            />
          </li>
        ))}
      </ul>
      <TargetFields target={more} onChange={setMore} />
      <Button
        icon={<Plus {...icon.md} />}
        isDisabled={added.codigo === '' || isKnown}
        onPress={() => {
          onChange([...targets, added])
          setMore({ ...noTarget, tipo: more.tipo })
        }}
      >
        Adicionar
      </Button>
    </section>
  )
}
