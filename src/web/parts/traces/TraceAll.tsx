import { Link } from '@tanstack/react-router'
import type { TraceKind } from '../../../contract/traces.ts'
import { kindLabels } from '../../../domain/reports/traces.ts'
import { links, traceSearch } from '../../text/links.ts'

/** To all that was made and measured with a thing, from where it is listed. */
export const TraceAll = ({ term, kind }: { term: string; kind: TraceKind }) => (
  <Link
    to={links.reports}
    search={traceSearch({ term, kind })}
    aria-label={`Rastrear ${kindLabels[kind].toLowerCase()} ${term}`}
    className="inline-flex min-h-11 items-center font-medium text-brand-ink underline decoration-current/40 underline-offset-4 hover:decoration-current"
  >
    Rastrear
  </Link>
)
