import { useQuery } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { health } from '../../../../contract/health.ts'
import type { InstallationSettings } from '../../../../contract/installation-settings.ts'
import { ReadingState } from '../../../parts/ReadingState.tsx'
import { useAddress } from '../../../parts/useAddress.ts'
import { query } from '../../../server/query.ts'
import { Button } from '../../../ui/Button.tsx'
import { icon } from '../../../ui/icon-sizes.ts'
import { Spinner } from '../../../ui/Spinner.tsx'
import { DirectorySection } from '../system/DirectorySection.tsx'
import { CheckForm } from '../system/ErpSection.tsx'
import { ChannelList } from '../system/SystemTab.tsx'
import { installationQuery, PartSection } from './PartSection.tsx'
import { type Part, parts } from './parts.ts'

const APPLIED_EVERY_MS = 500

const isApplying = (now: InstallationSettings | undefined) => now !== undefined && now.version !== now.runningVersion

/** Parts of the installation, and the way through them after the first access (`passo`). */
export function InstallationTab() {
  const reading = useQuery({
    ...installationQuery,
    refetchInterval: ({ state }) => (isApplying(state.data) ? APPLIED_EVERY_MS : false),
  })
  const { params, replace } = useAddress()
  const { data: now } = reading
  const goTo = (passo: number | null) => replace({ passo: passo === null ? null : String(passo) })
  const step = Number(params.get('passo') ?? 0)
  const only = parts[step - 1]
  return (
    <div className="flex flex-col gap-4">
      {only === undefined ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 flex-1 basis-64 text-muted">
            O que se define aqui vale para todos; uma variável do servidor vence e aparece como definida. Ao salvar, o
            painel se refaz em instantes, e o que está sendo apontado espera.
          </p>
          <Button icon={<ListChecks {...icon.sm} />} onPress={() => goTo(1)}>
            Primeiros passos
          </Button>
        </div>
      ) : (
        <Guide step={step} title={only.title} onGo={goTo} />
      )}
      {isApplying(now) ? (
        <Spinner>Reiniciando com a nova configuração...</Spinner>
      ) : (
        <ReadingState reading={reading} loadingText="Lendo a instalação..." />
      )}
      {now && (
        <div className={only ? '' : 'grid grid-cols-1 items-start gap-4 xl:grid-cols-2'}>
          {parts.map((part) => (
            // one that has its turn later has what was typed into it still
            <div key={part.key} className={layoutOf(part, only)}>
              <PartSection part={part} now={now}>
                {!isApplying(now) && <Trial part={part} now={now} />}
              </PartSection>
            </div>
          ))}
          {only === undefined && <Directory round={now.runningVersion} />}
        </div>
      )}
    </div>
  )
}

const layoutOf = (part: Part, only: Part | undefined) => {
  if (only === undefined) return part.key === 'erp' ? 'xl:row-span-2' : ''
  return part.key === only.key ? '' : 'hidden'
}

/** One part at a time; each may be left for later. */
function Guide({ step, title, onGo }: { step: number; title: string; onGo: (step: number | null) => void }) {
  const isLast = step === parts.length
  return (
    <section aria-label="Primeiros passos" className="flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0">
        <h2 className="text-lg font-semibold">
          Passo {step} de {parts.length}: {title}
        </h2>
        <p className="text-muted">Salve e siga; o que faltar se define depois, em Configurações, Instalação.</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="quiet" onPress={() => onGo(null)}>
          Ver tudo
        </Button>
        {step > 1 && <Button onPress={() => onGo(step - 1)}>Voltar</Button>}
        <Button onPress={() => onGo(isLast ? null : step + 1)}>{isLast ? 'Concluir' : 'Próximo'}</Button>
      </div>
    </section>
  )
}

/** Tries a part out as it is set now. */
function Trial({ part, now }: { part: Part; now: InstallationSettings }) {
  if (part.key === 'avisos') return <Channels round={now.runningVersion} />
  const isWhole = ['ERP_URL', 'ERP_USER', 'ERP_PASSWORD'].every((name) =>
    now.variables.some((one) => one.name === name && one.isSet),
  )
  if (part.key !== 'erp' || !isWhole) return null
  return (
    <div className="mt-4 border-t border-line pt-4">
      <CheckForm />
    </div>
  )
}

function Directory({ round }: { round: number }) {
  const { data } = useQuery(query(health.get, {}, { round }))
  return data && <DirectorySection servers={data.servers} withFacts={false} />
}

function Channels({ round }: { round: number }) {
  const { data } = useQuery(query(health.get, {}, { round }))
  const channels = data?.channels.filter(({ target }) => target !== null) ?? []
  return (
    channels.length > 0 && (
      <div className="mt-4 border-t border-line pt-4">
        <ChannelList channels={channels} />
      </div>
    )
  )
}
