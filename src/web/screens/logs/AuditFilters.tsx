import { Filter } from 'lucide-react'
import { useRef, useState } from 'react'
import { auditGroupTexts } from '../../../domain/audit-entries.ts'
import { useFilterKey } from '../../parts/useFilterKey.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { type AuditFilter, groups } from './audit.ts'
import { DayBox } from './DayBox.tsx'

type Props = { filter: AuditFilter; onChange: (changed: Partial<AuditFilter>) => void }

export function AuditFilters({ filter, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null)
  useFilterKey(box)
  const [text, setText] = useState(filter.text)
  return (
    <form
      className="grid grid-cols-2 items-start gap-x-4 gap-y-2 md:grid-cols-3 2xl:grid-cols-[14rem_11rem_11rem_minmax(0,1fr)]"
      onSubmit={(event) => {
        event.preventDefault()
        onChange({ text: text.trim() })
      }}
    >
      <div className="max-md:col-span-full">
        <SelectField
          label="Tipo"
          placeholder="Todos"
          options={groups}
          textOf={(group) => auditGroupTexts[group]}
          value={filter.group}
          onChange={(group) => onChange({ group })}
        />
      </div>
      <DayBox label="De" onChange={(from) => onChange({ from })} />
      <DayBox label="Até" onChange={(to) => onChange({ to })} />
      <div className="max-2xl:col-span-full">
        <TextField
          label="Filtrar por texto"
          placeholder="Usuário, nome ou código, e Enter"
          value={text}
          onChange={(typed) => {
            setText(typed)
            if (typed === '') onChange({ text: '' })
          }}
          onBlur={() => onChange({ text: text.trim() })}
          maxLength={100}
          autoComplete="off"
          leading={<Filter {...icon.md} />}
          inputRef={box}
        />
      </div>
    </form>
  )
}
