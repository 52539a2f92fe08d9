import { useState } from 'react'
import { ApiError, errorText } from '../server/api.ts'

/** What whoever is called for help wants to know, and nobody else: one press away. */
export function CodeDetails({ code }: { code: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="-my-2 ml-2 inline-flex min-h-11 items-center rounded-md text-sm font-medium underline underline-offset-4 hover:bg-hover"
      >
        Detalhes
      </button>
      {isOpen && <span className="block text-sm">Código: {code}</span>}
    </>
  )
}

/** What went wrong, in words. */
export const Failure = ({ error }: { error: unknown }) => (
  <>
    {errorText(error)}
    {error instanceof ApiError && <CodeDetails code={error.code} />}
  </>
)
