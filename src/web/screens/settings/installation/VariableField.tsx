import {
  type InstallationSettings,
  PAGE_TEXT_LENGTH_MAX,
  type PageSecret,
  type PageVariable,
  pageSecrets,
} from '../../../../contract/installation-settings.ts'
import { plantMoment } from '../../../../domain/plant/plant-time.ts'
import { serverNow } from '../../../device/clock.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { PasswordField } from '../../../ui/PasswordField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextArea, TextField } from '../../../ui/TextField.tsx'
import { absentTexts, fieldTexts, lookupTexts, newAddressTexts } from './parts.ts'

export const isSecret = (name: PageVariable): name is PageSecret => Object.hasOwn(pageSecrets, name)

export type Variable = InstallationSettings['variables'][number] & { name: PageVariable }

/** The hour there: it shows at once whether the zone is the right one. */
function hourIn(timeZone: string): string {
  try {
    return `Agora são ${plantMoment(serverNow(), timeZone).time.slice(0, 5)} em ${timeZone}.`
  } catch {
    return 'Um nome de lugar, por exemplo America/Sao_Paulo'
  }
}

const FIXED = <Badge>definido por variável</Badge>

type Props = {
  variable: Variable
  /** Null: as it is. */
  typed: string | null
  onChange: (text: string) => void
  error: string | undefined
  /** Another address is typed, and the stored secret is not for that one. */
  isForNewAddress: boolean
}

/** One setting. What the environment has set is shown and stays. */
export function VariableField({
  variable: { name, value, source, isSet },
  typed,
  onChange,
  error,
  isForNewAddress,
}: Props) {
  const { label, description } = fieldTexts[name]
  const isFixed = source === 'environment'
  const text = typed ?? value ?? ''
  if (isSecret(name)) {
    const isKept = isSet && !isForNewAddress
    return (
      <PasswordField
        label={label}
        shownName={label}
        name={name}
        value={text}
        onChange={onChange}
        error={error}
        isReadOnly={isFixed}
        placeholder={isFixed ? '' : isKept ? 'Guardada; escreva para trocar' : absentTexts[name]}
        tag={isFixed ? FIXED : isKept && <Badge tone="ok">guardada</Badge>}
        description={isSet && isForNewAddress ? newAddressTexts[name] : undefined}
        maxLength={PAGE_TEXT_LENGTH_MAX}
        autoComplete="new-password"
      />
    )
  }
  const own = name === 'TIME_ZONE' ? hourIn(text) : description
  if (isFixed) {
    const line = text.replaceAll('\n', ', ')
    return <TextField label={label} name={name} value={line} onChange={onChange} isReadOnly tag={FIXED} />
  }
  if (name === 'ERP_LOOKUP') {
    return (
      <SelectField
        label={label}
        options={Object.keys(lookupTexts)}
        textOf={(one) => lookupTexts[one] ?? one}
        value={text}
        onChange={onChange}
        error={error}
      />
    )
  }
  const field = { label, name, value: text, onChange, error, description: own, maxLength: PAGE_TEXT_LENGTH_MAX }
  return name === 'PLANTS' ? <TextArea {...field} /> : <TextField {...field} />
}
