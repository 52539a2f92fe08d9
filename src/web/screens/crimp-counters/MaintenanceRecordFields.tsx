import { ChevronDown, ClipboardCheck } from 'lucide-react'
import { useId, useState } from 'react'
import { NAME_LENGTH_MAX } from '../../../contract/applicators.ts'
import { PARTS_LENGTH_MAX, SERVICE_LENGTH_MAX, safetyConditions } from '../../../contract/crimp-counters.ts'
import { safetyTexts } from '../../../domain/maintenance-records-csv.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { isBegun, type RecordForm, type RecordProblems, recordFields } from './maintenance-records.ts'

type Props = {
  form: RecordForm
  problems: RecordProblems
  onChange: (fields: Partial<RecordForm>) => void
  isDisabled?: boolean
}

const withoutTabs = (text: string) => text.replaceAll('\t', ' ')

/** What NR-12 wants written down, out of the way of those who keep it elsewhere. Opens by itself where it is not in order. */
export function MaintenanceRecordFields({ form, problems, onChange, isDisabled = false }: Props) {
  const id = useId()
  const [isAsked, setAsked] = useState(isBegun(form))
  const isOpen = isAsked || recordFields.some((field) => problems[field])
  return (
    <div className="rounded-md border border-line bg-sunken">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setAsked(!isOpen)}
        className="flex min-h-12 w-full cursor-pointer items-center gap-2 rounded-md px-3 py-2 text-left font-semibold focus-visible:outline-3 focus-visible:outline-offset-2 focus-visible:outline-focus"
      >
        <ClipboardCheck {...icon.md} className="shrink-0" />
        <span className="flex-1">
          Registro de manutenção NR-12 <span className="font-normal text-muted">(opcional)</span>
        </span>
        <ChevronDown {...icon.md} className={isOpen ? 'shrink-0 rotate-180' : 'shrink-0'} />
      </button>
      <div id={id} hidden={!isOpen} className={isOpen ? 'flex flex-col gap-4 border-t border-line p-3' : undefined}>
        <TextArea
          label="Serviço realizado"
          maxLength={SERVICE_LENGTH_MAX}
          value={form.serviceDone}
          onChange={(serviceDone) => onChange({ serviceDone: withoutTabs(serviceDone) })}
          isDisabled={isDisabled}
          error={problems.serviceDone}
        />
        <TextArea
          label="Peças reparadas ou trocadas"
          maxLength={PARTS_LENGTH_MAX}
          value={form.parts}
          onChange={(parts) => onChange({ parts: withoutTabs(parts) })}
          isDisabled={isDisabled}
          description="Deixe em branco se nenhuma."
        />
        <SelectField
          label="Condição de segurança"
          placeholder="Selecione"
          options={safetyConditions}
          textOf={(condition) => safetyTexts[condition]}
          value={form.safetyCondition}
          onChange={(safetyCondition) => onChange({ safetyCondition })}
          isDisabled={isDisabled}
          error={problems.safetyCondition}
        />
        <TextField
          label="Responsável"
          maxLength={NAME_LENGTH_MAX}
          value={form.responsible}
          onChange={(responsible) => onChange({ responsible })}
          isDisabled={isDisabled}
          error={problems.responsible}
        />
      </div>
    </div>
  )
}

/** Not before the fields have been drawn again with what is wrong with them. */
export const focusFirstWrong = (within: ParentNode) =>
  requestAnimationFrame(() => within.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
