import { useState } from 'react'
import { type PartKind, partKinds, type WearPart } from '../../../../contract/crimp-counters.ts'
import { type NewPart, wearParts } from '../../../../contract/wear-parts.ts'
import { wearText } from '../../../../domain/tools/crimp-counters.ts'
import { partName, partTexts } from '../../../../domain/tools/wear-parts.ts'
import { call } from '../../../server/api.ts'
import { useSave } from '../../../server/save.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { PartFields, ReasonChoice } from './PartFields.tsx'
import { partChange } from './plan.ts'
import { emptyPart, type PartForm, type PartProblems, readPart, replacementOf } from './replacements.ts'

function usePartForm(first: PartForm) {
  const [form, setForm] = useState(first)
  const [problems, setProblems] = useState<PartProblems>({})
  const onChange = (fields: Partial<PartForm>) => {
    setForm((before) => ({ ...before, ...fields }))
    setProblems({})
  }
  /** Null when something is wrong, which is then said. */
  const read = () => {
    const { part = null, problems: found = {} } = readPart(form)
    setProblems(found)
    return part
  }
  return { form, problems, onChange, read }
}

type MountProps = { unit: string; mounted: readonly WearPart[]; onClose: () => void }

const mount = ({ unit, parts }: { unit: string; parts: NewPart[] }) =>
  call(wearParts.mount, { params: { miniaplicador: unit }, body: { parts } })

/** Mounts parts in a tool, all of them or none. */
export const useMount = (onSaved: () => void) =>
  useSave({ ...partChange, send: mount, toast: 'Peças montadas.', onSaved })

export function MountDialog({ unit, mounted, onClose }: MountProps) {
  const free = partKinds.filter((kind) => kind === 'outra' || mounted.every((part) => part.kind !== kind))
  const [kind, setKind] = useState<PartKind>(free[0] ?? 'outra')
  const { read, ...fields } = usePartForm(emptyPart)
  const { save, isBusy, failure } = useMount(onClose)
  const act = () => {
    const part = read()
    if (part) save({ unit, parts: [{ kind, ...part }] })
  }
  return (
    <FormDialog
      title={`Montar peça em ${unit}`}
      saveText="Montar peça"
      isValid
      isBusy={isBusy}
      error={failure}
      onSave={act}
      onClose={onClose}
    >
      <SelectField
        label="Peça"
        options={free}
        textOf={(one) => partTexts[one]}
        value={kind}
        onChange={(chosen) => chosen !== '' && setKind(chosen)}
      />
      <PartFields {...fields} />
    </FormDialog>
  )
}

type PartProps = { part: WearPart; onClose: () => void }

const replace = ({ id, ...body }: { id: number } & Omit<NewPart, 'kind'> & Pick<PartForm, 'reason'>) =>
  call(wearParts.replace, { params: { id }, body })

export function ReplaceDialog({ part, onClose }: PartProps) {
  const { read, ...fields } = usePartForm(replacementOf(part))
  const { save, isBusy, failure } = useSave({ ...partChange, send: replace, toast: 'Peça trocada.', onSaved: onClose })
  const act = () => {
    const young = read()
    if (young) save({ id: part.id, ...young, reason: fields.form.reason })
  }
  return (
    <FormDialog
      title={`Trocar ${partName(part)}`}
      saveText="Trocar peça"
      isValid
      isBusy={isBusy}
      error={failure}
      onSave={act}
      onClose={onClose}
    >
      <p className="text-muted">{wearText(part)}. O contador do mini aplicador continua.</p>
      <PartFields {...fields} />
      <ReasonChoice value={fields.form.reason} onChange={(reason) => fields.onChange({ reason })} />
    </FormDialog>
  )
}

const remove = ({ id, reason }: { id: number } & Pick<PartForm, 'reason'>) =>
  call(wearParts.remove, { params: { id }, body: { reason } })

export function RemoveDialog({ part, onClose }: PartProps) {
  const [reason, setReason] = useState<PartForm['reason']>('gasta')
  const { save, isBusy, failure } = useSave({ ...partChange, send: remove, toast: 'Peça retirada.', onSaved: onClose })
  return (
    <FormDialog
      title={`Retirar ${partName(part)}`}
      saveText="Retirar"
      isValid
      isBusy={isBusy}
      error={failure}
      onSave={() => save({ id: part.id, reason })}
      onClose={onClose}
    >
      <p className="text-muted">{wearText(part)}. Sem outra no lugar.</p>
      <ReasonChoice value={reason} onChange={setReason} />
    </FormDialog>
  )
}
