import { NAME_LENGTH_MAX } from '../../../contract/applicators.ts'
import { DOCUMENT_REVISION_LENGTH_MAX, type DocumentTarget, targetKinds } from '../../../contract/documents.ts'
import { targetKindTexts } from '../../parts/documents/documents.ts'
import { RadioChoice } from '../../ui/RadioChoice.tsx'
import { TextField } from '../../ui/TextField.tsx'

const options = targetKinds.map((value) => ({ value, label: targetKindTexts[value] }))

/** As it is sent: without the blanks around it, and only products have revisions. */
export const cleanTarget = ({ tipo, codigo, revisao }: DocumentTarget): DocumentTarget => ({
  tipo,
  codigo: codigo.trim(),
  revisao: tipo === 'produto' ? revisao.trim() : '',
})

export const noTarget: DocumentTarget = { tipo: 'produto', codigo: '', revisao: '' }

type Props = { target: DocumentTarget; onChange: (target: DocumentTarget) => void; isRequired?: boolean }

/** Fields for the thing a document is about. */
export const TargetFields = ({ target, onChange, isRequired }: Props) => (
  <div className="flex flex-col gap-4">
    <RadioChoice
      label="Referente a"
      options={options}
      value={target.tipo}
      onChange={(tipo) => onChange({ ...target, tipo })}
    />
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label={`Código do ${targetKindTexts[target.tipo].toLowerCase()}`}
        code
        isRequired={isRequired}
        autoCapitalize="characters"
        maxLength={NAME_LENGTH_MAX}
        value={target.codigo}
        onChange={(codigo) => onChange({ ...target, codigo })}
      />
      {target.tipo === 'produto' && (
        <TextField
          label="Revisão do produto"
          description="Em branco: todas as revisões"
          code
          maxLength={DOCUMENT_REVISION_LENGTH_MAX}
          value={target.revisao}
          onChange={(revisao) => onChange({ ...target, revisao })}
        />
      )}
    </div>
  </div>
)
