import { typedDecimal } from './decimal.ts'
import { TextField, type TextFieldProps } from './TextField.tsx'

type Props = Omit<TextFieldProps, 'inputMode' | 'type' | 'align' | 'code'> & {
  /** How many digits after the comma may be typed; 0 for whole numbers. */
  decimals: number
}

/** A number as text, with a comma: the value stays what was typed. */
export function DecimalField({ decimals, onChange, ...rest }: Props) {
  return (
    <TextField
      {...rest}
      code
      inputMode={decimals === 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      onChange={(typed) => onChange(typedDecimal(typed, decimals))}
    />
  )
}
