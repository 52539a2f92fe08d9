import { useEffect, useRef, useState } from 'react'
import { readNumber, readWhole } from '../../../domain/text/numbers.ts'
import { TextField, type TextFieldProps } from '../../ui/TextField.tsx'
import { typedDecimal } from './decimal.ts'

type Props = Omit<TextFieldProps, 'type' | 'code'> & {
  /** How many digits after the comma may be typed; 0 for whole numbers. */
  decimals: number
  /** The box began with it. */
  start?: string
}

const CORRECTED = 'Corrigido. Confira.'

/** The value that leaving the box made of what was typed, where it is another number; null once the box is touched again. */
function useCorrected(value: string, decimals: number, start: string | undefined) {
  const [corrected, setCorrected] = useState<string | null>(null)
  const left = useRef<string | null>(null)
  useEffect(() => {
    if (left.current === null) return
    const read = decimals === 0 ? readWhole : readNumber
    // a reading that was scanned into an empty box corrects nobody, nor does a start that goes
    const isFilled = (left.current === '' && decimals > 0) || left.current === start
    setCorrected(isFilled || Object.is(read(left.current), read(value)) ? null : value)
    left.current = null
  }, [value, decimals, start])
  return {
    isShown: corrected === value,
    leave: () => {
      left.current = value
      // what changes it later is no correction
      setTimeout(() => {
        left.current = null
      })
    },
    touch: () => setCorrected(null),
  }
}

/**
 * A number as text, with a comma: the value stays what was typed. A whole number keeps whatever is typed, so that '70,7' is
 * seen, and corrected on leaving, instead of becoming 707 under the fingers.
 */
export function DecimalField({ decimals, start, value, onChange, onFocus, onBlur, error, inputMode, ...rest }: Props) {
  const corrected = useCorrected(value, decimals, start)
  return (
    <TextField
      {...rest}
      value={value}
      code
      inputMode={inputMode ?? (decimals === 0 ? 'numeric' : 'decimal')}
      error={[corrected.isShown && CORRECTED, error].filter(Boolean).join(' ') || undefined}
      onChange={(typed) => {
        corrected.touch()
        onChange(decimals === 0 ? typed : typedDecimal(typed, decimals, start))
      }}
      onFocus={(event) => {
        corrected.touch()
        onFocus?.(event)
      }}
      onBlur={() => {
        corrected.leave()
        onBlur?.()
      }}
    />
  )
}
