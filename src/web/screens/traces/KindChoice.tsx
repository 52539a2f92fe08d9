import type { Trace, TraceKind } from '../../../contract/traces.ts'
import { kindLabels } from '../../../domain/traces.ts'
import { formatCount } from '../../format.ts'

type Props = { found: Trace['encontrados']; kind: TraceKind | null; onChoose: (kind: TraceKind) => void }

/** Only where there is something to choose: the same text may be a lot and an order. */
export function KindChoice({ found, kind, onChoose }: Props) {
  if (!found.some(({ tipo }) => tipo !== kind)) return null
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="sr-only">O código é de</legend>
      <span aria-hidden className="text-sm text-muted">
        O código é de:
      </span>
      {found.map(({ tipo, apontamentos }) => (
        <button
          key={tipo}
          type="button"
          aria-pressed={tipo === kind}
          onClick={() => tipo !== kind && onChoose(tipo)}
          className="min-h-11 rounded-full border border-edge bg-surface px-4 font-semibold hover:bg-hover aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-ink"
        >
          {kindLabels[tipo]} ({formatCount(apontamentos)})
        </button>
      ))}
    </fieldset>
  )
}
