import { useEffect, useRef, useState } from 'react'
import { BARCODE_LENGTH } from '../../../contract/values.ts'
import { KEY_GAP_MS_MAX } from '../../parts/scanner/scanner.ts'
import { useScanner } from '../../parts/scanner/useScanner.ts'

/** Longer than a scanner pauses: what it is still typing must not be cut off at the 22nd character. */
const TYPED_MS = KEY_GAP_MS_MAX + 30
export const REFOCUS_MS = 100

type Listeners = { onCode: (code: string) => void; onWrongLength: () => void }

/** The box that barcodes are scanned or typed into. A scan is heard wherever the focus is, other text boxes aside. */
export function useCodeBox({ onCode, onWrongLength }: Listeners) {
  const [code, setCode] = useState('')
  const box = useRef<HTMLInputElement>(null)
  const typed = useRef<ReturnType<typeof setTimeout>>(undefined)
  const refocus = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      clearTimeout(typed.current)
      clearTimeout(refocus.current)
    },
    [],
  )

  const read = (whole: string) => {
    clearTimeout(typed.current)
    // A box that is emptied late would take away what is scanned next.
    clearTimeout(refocus.current)
    setCode(whole)
    onCode(whole)
  }
  useScanner(read, box)

  const clear = () => {
    clearTimeout(typed.current)
    setCode('')
    clearTimeout(refocus.current)
    refocus.current = setTimeout(() => box.current?.focus({ preventScroll: true }), REFOCUS_MS)
  }
  return {
    code,
    box,
    clear,
    type: (text: string) => {
      setCode(text)
      clearTimeout(typed.current)
      if (text.length === BARCODE_LENGTH) typed.current = setTimeout(() => read(text), TYPED_MS)
    },
    enter: () => {
      if (code.length === BARCODE_LENGTH) return read(code)
      if (code !== '') onWrongLength()
    },
  }
}
