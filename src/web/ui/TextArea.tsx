import { TextArea as AriaTextArea, TextField as AriaTextField, FieldError, Label, Text } from 'react-aria-components'
import { given } from './given.ts'
import { fieldBox } from './TextField.tsx'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  maxLength?: number
  isDisabled?: boolean
  /** A quiet line under the box. */
  description?: string | undefined
  error?: string | undefined
}

/** Several lines of text. */
export const TextArea = ({ label, description, error, ...field }: Props) => (
  <AriaTextField
    {...given(field)}
    validationBehavior="aria"
    isInvalid={Boolean(error)}
    className="group flex min-w-0 flex-col gap-1"
  >
    <Label className="text-sm font-semibold">{label}</Label>
    <div className={fieldBox}>
      <AriaTextArea rows={4} className="min-h-28 min-w-0 flex-1 resize-y bg-transparent px-3 py-2 outline-none" />
    </div>
    {/* As in TextField. */}
    <Text slot="description" className="text-sm whitespace-pre-line text-muted wrap-anywhere empty:hidden">
      {!error && description}
    </Text>
    <FieldError className="text-sm font-medium text-bad-ink">{error}</FieldError>
  </AriaTextField>
)
