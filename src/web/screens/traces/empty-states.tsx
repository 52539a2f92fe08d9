import { SearchX, Waypoints } from 'lucide-react'
import { kindLabels } from '../../../domain/traces.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { EmptyState } from '../../ui/Page.tsx'
import { recentTraces } from './recent-traces.ts'
import type { Asked } from './trace-address.ts'

export const Hint = ({ onOpen }: { onOpen: (asked: Asked) => void }) => {
  const recent = recentTraces()
  return (
    <EmptyState
      icon={<Waypoints {...icon.xl} />}
      action={
        recent.length > 0 && (
          <div className="flex flex-wrap items-center justify-center gap-2">
            <span className="text-sm">Últimos:</span>
            {recent.map((traced) => (
              <Button
                key={traced.term}
                title={`${kindLabels[traced.kind]} ${traced.term}`}
                onPress={() => onOpen(traced)}
              >
                <span className="code max-w-64 truncate">{traced.term}</span>
              </Button>
            ))}
          </div>
        )
      }
    >
      Leia ou digite um lote, código de barras, ordem, mini aplicador ou máquina para ver tudo o que foi feito com ele.
    </EmptyState>
  )
}

export const NothingFound = ({ term }: { term: string }) => (
  <EmptyState icon={<SearchX {...icon.xl} />}>
    <span className="wrap-anywhere text-ink">Nada foi feito com "{term}".</span>
    <span className="mt-2 block text-base">
      Confira o código inteiro, com zeros e traços. O que um tablet sem rede apontou aparece aqui quando ele voltar à
      rede.
    </span>
  </EmptyState>
)
