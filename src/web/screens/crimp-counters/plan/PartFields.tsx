import { Infinity as InfinityIcon } from 'lucide-react'
import { PART_CODE_LENGTH_MAX, removalReasons, UNLIMITED } from '../../../../contract/crimp-counters.ts'
import { reasonTexts } from '../../../../domain/tools/wear-parts.ts'
import { DecimalField } from '../../../parts/fields/DecimalField.tsx'
import { IconButton } from '../../../ui/Button.tsx'
import { icon } from '../../../ui/icon-sizes.ts'
import { RadioChoice } from '../../../ui/RadioChoice.tsx'
import { TextField, type TextFieldProps } from '../../../ui/TextField.tsx'
import { limitText } from '../counters.ts'
import { readLimit } from '../limit-edits.ts'
import type { PartForm, PartProblems } from './replacements.ts'

type ReasonProps = { value: PartForm['reason']; onChange: (reason: PartForm['reason']) => void }

/** Why a part goes. */
export const ReasonChoice = ({ value, onChange }: ReasonProps) => (
  <RadioChoice
    label="Por quê"
    options={removalReasons.map((reason) => ({ value: reason, label: reasonTexts[reason] }))}
    value={value}
    onChange={onChange}
  />
)

type LimitProps = Pick<TextFieldProps, 'label' | 'value' | 'onChange' | 'error' | 'description'>

/** A limit of crimps, or none at a tap. */
export const LimitField = (props: LimitProps) => (
  <TextField
    {...props}
    inputMode="numeric"
    maxLength={20}
    code
    trailing={
      <IconButton
        label="Ilimitado"
        icon={<InfinityIcon {...icon.md} />}
        onPress={() => props.onChange(String(UNLIMITED))}
      />
    }
  />
)

type Props = {
  form: PartForm
  problems: PartProblems
  onChange: (fields: Partial<PartForm>) => void
  /** They have just come at somebody's tap, who types the code next. */
  isNew?: boolean
}

/** Code, limit and earlier use of a part that is to be mounted. */
export function PartFields({ form, problems, onChange, isNew = false }: Props) {
  const limit = readLimit(form.limit)
  return (
    <>
      <TextField
        label="Código da peça"
        autoFocus={isNew}
        value={form.code}
        onChange={(code) => onChange({ code })}
        maxLength={PART_CODE_LENGTH_MAX}
        code
        isRequired
        error={problems.code}
      />
      <LimitField
        label="Limite de crimpagens"
        value={form.limit}
        onChange={(typed) => onChange({ limit: typed })}
        error={problems.limit}
        description={limit.kind === 'limit' ? limitText(limit.limit) : undefined}
      />
      <DecimalField
        label="Crimpagens que já tinha"
        decimals={0}
        maxLength={13}
        value={form.usedBefore}
        onChange={(usedBefore) => onChange({ usedBefore })}
        error={problems.usedBefore}
        description="0 para uma peça nova."
      />
    </>
  )
}
