import { TRACE_TERM_LENGTH_MAX, type TraceKind, traceKinds } from '../../../contract/traces.ts'
import { useAddress } from '../../parts/useAddress.ts'

/** Without a kind the server takes the term for what has most recordings. */
export type Asked = { term: string; kind: TraceKind | null }

/** A term of which it is known what it is. */
export type Traced = { term: string; kind: TraceKind }

export const traceSearch = ({ term, kind }: Asked) => ({ aba: 'rastreabilidade', termo: term, tipo: kind })

/** In the address, so that a copied link opens the same and 'back' leads to the trace before. */
export function useTraceAddress() {
  const { params, push } = useAddress()
  const term = (params.get('termo') ?? '').trim().slice(0, TRACE_TERM_LENGTH_MAX)
  const kind = traceKinds.find((one) => one === params.get('tipo')) ?? null
  return { term, kind, open: (asked: Asked) => push(traceSearch(asked)) }
}
