import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { UNREGISTERED } from '../../../contract/applicators.ts'
import { nameKey } from '../../../domain/acts/recordings.ts'
import { kindLabels } from '../../../domain/reports/traces.ts'
import { links, traceSearch } from '../../text/links.ts'
import type { Traced } from './traces.ts'

type TraceLinkProps = Traced & {
  /** The trace on screen: a link to it would lead nowhere. */
  current: Traced
}

/** A code that traces itself. */
export function TraceLink({ term, kind, current }: TraceLinkProps) {
  if (term === '') return '-'
  if (kind === 'miniaplicador' && nameKey(term) === nameKey(UNREGISTERED)) {
    // 'Sem Cadastro' is no tool: a trace of it would find nothing.
    return <span className={look}>{term}</span>
  }
  const isCurrent = term === current.term && kind === current.kind
  if (isCurrent) return <strong className={`${look} ${breaks(term)}`}>{term}</strong>
  return (
    <Link
      to={links.reports}
      search={(before: object) => ({ ...before, ...traceSearch({ term, kind }), filtro: undefined })}
      title={`Rastrear ${kindLabels[kind].toLowerCase()} ${term}`}
      className={`${look} ${breaks(term)} -mx-1 rounded-sm px-1 font-medium text-brand-ink underline decoration-current/40 underline-offset-4 hover:bg-brand-soft hover:decoration-current`}
    >
      {term}
    </Link>
  )
}

const look = 'code inline-flex min-h-11 max-w-60 items-center'
/** A short code stands in one line; a name breaks at its blanks, and only what is too long for a line anywhere. */
const breaks = (term: string) => (term.length <= 16 && !term.includes(' ') ? 'whitespace-nowrap' : 'wrap-break-word')

/** Main text, and quietly under it the lines that go with it. */
export const Lines = ({ children, under }: { children: ReactNode; under: ReactNode }) => (
  <span className="flex min-w-0 flex-col max-md:items-end">
    <span>{children}</span>
    <span className="text-sm text-muted empty:hidden">{under}</span>
  </span>
)
