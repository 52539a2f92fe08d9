import { useNavigate } from '@tanstack/react-router'
import type { TraceKind } from '../../../contract/traces.ts'
import { links, traceSearch } from '../../text/links.ts'
import { Button } from '../../ui/Button.tsx'
import type { Meaning } from './what-it-is.ts'

const sentences: Record<TraceKind, string> = {
  lote: 'é um lote.',
  barras: 'é o código de um item.',
  ordem: 'é uma ordem de produção.',
  miniaplicador: 'é um mini aplicador.',
  maquina: 'é uma máquina.',
  instrumento: 'é um instrumento.',
}

/** What was read, and where to go with it. */
export function MeaningLine({ kind, name }: Meaning) {
  const navigate = useNavigate()
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="wrap-anywhere">
        <span className="code font-semibold">{name}</span> {sentences[kind]}
      </span>
      <span className="flex flex-wrap gap-2">
        <Button onPress={() => void navigate({ to: links.reports, search: traceSearch({ term: name, kind }) })}>
          Rastrear
        </Button>
        {kind === 'miniaplicador' && (
          <Button onPress={() => void navigate({ to: links.crimpCounters, search: { aba: 'plano', mini: name } })}>
            Ver peças
          </Button>
        )}
      </span>
    </span>
  )
}
