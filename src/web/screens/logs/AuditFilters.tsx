import { auditGroupTexts } from '../../../domain/audit-entries.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { type AuditFilter, groups } from './audit.ts'
import { DayBox } from './DayBox.tsx'
import { useTextFilter } from './useTextFilter.tsx'

type Props = { filter: AuditFilter; onChange: (changed: Partial<AuditFilter>) => void }

export function AuditFilters({ filter, onChange }: Props) {
  const { field, ask } = useTextFilter({
    placeholder: 'Usuário, nome ou código, e Enter',
    text: filter.text,
    onChange: (text) => onChange({ text }),
  })
  return (
    <form
      className="grid grid-cols-2 items-start gap-x-4 gap-y-2 md:grid-cols-3 2xl:grid-cols-[14rem_11rem_11rem_minmax(0,1fr)]"
      onSubmit={(event) => {
        event.preventDefault()
        ask()
      }}
    >
      <div className="max-md:col-span-full">
        <SelectField
          label="Tipo"
          placeholder="Todos, sem as da tela"
          options={groups}
          textOf={(group) => auditGroupTexts[group]}
          value={filter.group}
          onChange={(group) => onChange({ group })}
        />
      </div>
      <DayBox label="De" onChange={(from) => onChange({ from })} />
      <DayBox label="Até" onChange={(to) => onChange({ to })} />
      <div className="max-2xl:col-span-full">{field}</div>
    </form>
  )
}
