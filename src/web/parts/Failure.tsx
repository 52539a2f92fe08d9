import { useState } from 'react'
import { ApiError, errorText, Unreachable } from '../server/api.ts'

/** The error's code, one press away: the person called for help needs it, nobody else. */
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

/** The error, in words. */
export const Failure = ({ error }: { error: unknown }) => (
  <>
    {errorText(error)}
    {error instanceof ApiError && <CodeDetails code={error.code} />}
  </>
)

/** The server's own words, or those of a silent network; else what the screen says of itself. */
export const failureText = (error: unknown, otherwise: string): string => {
  const isSaid = error instanceof Unreachable || (error instanceof ApiError && !error.code.startsWith('http_'))
  return (isSaid && error.message) || otherwise
}
