import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ApplicatorPair, applicators, UNREGISTERED } from '../../../contract/applicators.ts'
import { type CrimpCounter, UNLIMITED } from '../../../contract/crimp-counters.ts'
import { isMaintenanceDue, leastWornFirst, wearText } from '../../../domain/tools/crimp-counters.ts'
import { query } from '../../server/query.ts'
import { LimitBar } from '../LimitBar.tsx'
import { applicatorsAtHand, useWear } from '../lookups/known.ts'
import { useSettings } from '../settings.ts'
import { SelectorDialog } from './SelectorDialog.tsx'

type Choice = Pick<ApplicatorPair, 'terminal' | 'miniaplicator'>
type Props = { terminal?: string | null; onSelect: (choice: Choice) => void; onClose: () => void }

function Wear({ unit }: { unit: CrimpCounter | undefined }) {
  const { limitWarningPercent } = useSettings()
  if (!unit) return '-'
  return (
    <span className="flex min-w-40 flex-col gap-1 max-md:min-w-32">
      <LimitBar unit={unit} warningPercent={limitWarningPercent} />
      <span className="text-sm text-muted">{wearText(unit)}</span>
      {unit.unsafeSince && <span className="text-sm font-semibold text-bad-ink">Insegura: fora de uso</span>}
      {isMaintenanceDue(unit) && <span className="text-sm font-semibold text-bad-ink">Manutenção vencida</span>}
    </span>
  )
}

export function ApplicatorSelector({ terminal, onSelect, onClose }: Props) {
  const list = useQuery(
    terminal ? query(applicators.listByTerminal, { params: { terminal } }) : query(applicators.list, {}),
  )
  const client = useQueryClient()
  const found = list.data ?? (terminal ? applicatorsAtHand(client, terminal) : undefined)
  const wearOf = useWear()
  const unused = { numberOfCrimps: 0, limitOfCrimps: UNLIMITED }
  const rows = found?.toSorted((one, other) =>
    leastWornFirst(wearOf(one.miniaplicator) ?? unused, wearOf(other.miniaplicator) ?? unused),
  )
  return (
    <SelectorDialog<Choice>
      reading={list}
      title={`Selecionar Mini Aplicador${terminal ? ` - Terminal ${terminal}` : ''}`}
      filterLabel="Filtrar mini aplicadores:"
      filterPlaceholder="Digite o terminal ou o mini aplicador"
      columns={[
        { label: 'Terminal', of: (row) => row.terminal },
        { label: 'Mini Aplicador', of: ({ miniaplicator }) => miniaplicator },
      ]}
      detail={{ label: 'Uso', show: ({ miniaplicator }) => <Wear unit={wearOf(miniaplicator)} /> }}
      rows={rows}
      loadingText="Carregando mini aplicadores..."
      noMatchText="Nenhum mini aplicador encontrado com os critérios de filtro aplicados."
      emptyText={
        terminal
          ? `Nenhum mini aplicador cadastrado para o terminal ${terminal}.`
          : 'Nenhum mini aplicador disponível no sistema.'
      }
      fallback={{ terminal: terminal || 'N/A', miniaplicator: UNREGISTERED }}
      errorText={list.isError && !rows ? 'Erro ao carregar a lista de mini aplicadores. Tente novamente.' : null}
      onSelect={onSelect}
      onClose={onClose}
    />
  )
}
