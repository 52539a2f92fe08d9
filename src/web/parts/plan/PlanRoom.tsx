import { type ReactNode, useEffect, useState } from 'react'

/** Its script and its question would else share the line, and the processor, with the form's own first drawing. */
const AFTER_FORM_MS = 600
let isFormOver = false

/** Once a page: whoever goes on to the next item has it at once. */
export function useAfterForm(): boolean {
  const [isOver, setOver] = useState(isFormOver)
  useEffect(() => {
    const timer = setTimeout(() => {
      isFormOver = true
      setOver(true)
    }, AFTER_FORM_MS)
    return () => clearTimeout(timer)
  }, [])
  return isOver
}

/** The plan comes after the form, and its room is there before it: nothing moves under a finger. */
export const PlanRoom = ({ span, children }: { span: string; children: ReactNode }) => {
  const isDue = useAfterForm()
  return <div className={`flex min-h-20 flex-col justify-center ${span}`}>{isDue && children}</div>
}
