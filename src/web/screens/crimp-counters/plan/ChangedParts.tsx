import { useState } from 'react'
import type { WearPart } from '../../../../contract/crimp-counters.ts'
import { wearText } from '../../../../domain/tools/crimp-counters.ts'
import { partName, worstFirst } from '../../../../domain/tools/wear-parts.ts'
import { LimitBar } from '../../../parts/LimitBar.tsx'
import { useSettings } from '../../../parts/settings.ts'
import { SwitchField } from '../../../ui/SwitchField.tsx'
import { PartFields, ReasonChoice } from './PartFields.tsx'
import { type PartForm, type PartProblems, readPart, replacementOf } from './replacements.ts'

/** Which parts of a tool were changed while its counter is reset or a call is resolved: none, some or all. */
export function useChangedParts(parts: readonly WearPart[]) {
  const [forms, setForms] = useState<Readonly<Record<number, PartForm>>>({})
  const [problems, setProblems] = useState<Readonly<Record<number, PartProblems>>>({})
  const [proposed, setProposed] = useState<number>()
  const change = (id: number, form: PartForm | undefined) => {
    setForms(({ [id]: _, ...rest }) => (form ? { ...rest, [id]: form } : rest))
    setProblems(({ [id]: _, ...rest }) => rest)
  }
  /** As they are sent; null when something is wrong, which is then said. */
  const read = () => {
    const chosen = parts.flatMap(({ id }) => (forms[id] ? [{ id, form: forms[id], ...readPart(forms[id]) }] : []))
    setProblems(Object.fromEntries(chosen.map((one) => [one.id, one.problems ?? {}])))
    const good = chosen.flatMap(({ id, form, part }) => (part ? [{ id, ...part, reason: form.reason }] : []))
    if (good.length < chosen.length) return null
    return good.length === 0 ? {} : { replacedParts: good }
  }
  /** Turns on the part that a cause says is worn, in place of the one that another cause turned on. */
  const propose = (part: WearPart | undefined) => {
    if (part?.id === proposed) return
    if (proposed !== undefined) change(proposed, undefined)
    if (part && !forms[part.id]) change(part.id, replacementOf(part))
    setProposed(part && !forms[part.id] ? part.id : undefined)
  }
  return { parts: worstFirst(parts), forms, problems, change, propose, read }
}

/** Asks nothing of a tool without parts. */
export function ChangedParts({ parts, forms, problems, change }: Omit<ReturnType<typeof useChangedParts>, 'propose'>) {
  const { limitWarningPercent } = useSettings()
  if (parts.length === 0) return null
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-md border border-line p-3">
      <legend className="px-1 font-semibold">Que peças foram trocadas?</legend>
      {parts.map((part) => {
        const form = forms[part.id]
        return (
          <div key={part.id} className="flex flex-col gap-3">
            <SwitchField
              label={partName(part)}
              description={wearText(part)}
              isOn={form !== undefined}
              onChange={(isOn) => change(part.id, isOn ? replacementOf(part) : undefined)}
            />
            <LimitBar unit={{ ...part, miniaplicator: partName(part) }} warningPercent={limitWarningPercent} />
            {form && (
              <div className="flex flex-col gap-3 border-l-2 border-line pl-3">
                <PartFields
                  isNew
                  form={form}
                  problems={problems[part.id] ?? {}}
                  onChange={(fields) => change(part.id, { ...form, ...fields })}
                />
                <ReasonChoice value={form.reason} onChange={(reason) => change(part.id, { ...form, reason })} />
              </div>
            )}
          </div>
        )
      })}
    </fieldset>
  )
}
