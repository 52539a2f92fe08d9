import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Cable } from 'lucide-react'
import type { Circuit, Junction, JunctionDetails } from '../../../contract/junctions.ts'
import { type JoinedWire, wiresBySide } from '../../../domain/forms/junction-wires.ts'
import { recordedAt } from '../../acts/queue.ts'
import { useJunctionHere, useRecordedHere } from '../../acts/queue-db.ts'
import { useUser } from '../../device/credentials.ts'
import { type FormDialogs, useFormDialogs } from '../../forms/useFormDialogs.ts'
import { DocumentsButton, DocumentsPlace } from '../../parts/documents/DocumentsButton.tsx'
import type { WorkInHand } from '../../parts/documents/documents.ts'
import { failureText } from '../../parts/Failure.tsx'
import { useFormKeys } from '../../parts/fields/useFormKeys.ts'
import { rereadStale } from '../../parts/lookups/copy-first.ts'
import { cachedJunctionSearch } from '../../parts/lookups/junctions.ts'
import { StaleNote } from '../../parts/lookups/StaleNote.tsx'
import { junctionReading } from '../../parts/lookups/settled-readings.ts'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { WireDrawing } from '../../parts/wires/WireDrawing.tsx'
import type { WireEnd } from '../../parts/wires/WireEndDrawing.tsx'
import { ApiError, Unreachable } from '../../server/api.ts'
import { orDash } from '../../text/format.ts'
import { links } from '../../text/links.ts'
import { Alert } from '../../ui/Alert.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Section } from '../../ui/Page.tsx'
import { JunctionForm } from './JunctionForm.tsx'
import { JunctionHead } from './JunctionHead.tsx'

type Props = { circuits: readonly Circuit[]; position: string }

function JunctionWires({ circuits, position }: Props) {
  const { left, right } = wiresBySide(circuits, position)
  return (
    <div className="grid grid-cols-1 items-start gap-4 @4xl:grid-cols-2">
      <WireList title="Cabos do Lado Esquerdo" wires={left} position={position} />
      <WireList title="Cabos do Lado Direito" wires={right} position={position} isRight />
    </div>
  )
}

type ListProps = { title: string; wires: readonly JoinedWire[]; position: string; isRight?: boolean }

const WireList = ({ title, wires, position, isRight = false }: ListProps) => (
  <Section title={`${title} [Qtd: ${String(wires.length).padStart(2, '0')}]`} icon={<Cable {...icon.md} />}>
    {wires.length === 0 ? (
      <p className="text-muted">Nenhum cabo deste lado.</p>
    ) : (
      <ul className="flex flex-col gap-4">
        {wires.map(({ circuit, farEnd }) => (
          <li key={`${circuit.Z1_CODBAR}|${farEnd}`} className="flex min-w-0 flex-col gap-1">
            <p className="flex flex-wrap items-baseline gap-x-4 text-sm text-muted">
              <span>
                Item <strong className="code text-base text-ink">{orDash(circuit.Z1_ITEMEST)}</strong>
              </span>
              <span>
                Gravação <strong className="code text-base text-ink">{orDash(circuit.Z1_GRAVA)}</strong>
              </span>
              <span>
                Cabo <span className="code text-ink">{orDash(circuit.Z1_CODCABO)}</span>
              </span>
            </p>
            <WireDrawing wire={{ ...wireOf(circuit), ...endsOf(farEnd, position, isRight) }} />
          </li>
        ))}
      </ul>
    )}
  </Section>
)

const wireOf = (circuit: Circuit) => ({
  colour: circuit.Z1_COR,
  gauge: circuit.Z1_BITOLA,
  marking: circuit.Z1_GRAVA,
  barcode: circuit.Z1_CODBAR,
})

/** Wires of the left side come from the left and end in the joint; those of the right leave it. */
function endsOf(farEnd: string, position: string, isRight: boolean): { left: WireEnd; right: WireEnd } {
  const joint: WireEnd = { kind: 'joint', name: position }
  // An end at another junction reads `POSITION|E`.
  const elsewhere: WireEnd = { kind: 'elsewhere', name: farEnd.replace('|', ' | ') }
  return isRight ? { left: joint, right: elsewhere } : { left: elsewhere, right: joint }
}

type JunctionPlace = { plant: string; order: string; position: string }

/** The address as the router has decoded it: decoding once more would break a position with a '%'. */
function usePlace(): JunctionPlace | null {
  const { filial, numeroOp, posicao }: { filial?: string; numeroOp?: string; posicao?: string } = useParams({
    strict: false,
  })
  return filial && numeroOp && posicao ? { plant: filial, order: numeroOp, position: posicao } : null
}

export function JunctionDetailsScreen() {
  const navigate = useNavigate()
  const place = usePlace()
  const dialogs = useFormDialogs<'form'>()
  const leave = () => void navigate({ to: links.junctions })
  useFormKeys({ isDialogOpen: dialogs.isDialogOpen, onLeave: leave })
  if (place) return <Details key={Object.values(place).join('|')} {...{ place, dialogs }} onLeave={leave} />
  return (
    <>
      <JunctionHead title="Junção" subtitle="" junction={null} onLeave={leave} />
      <Alert>Parâmetros inválidos para carregamento dos detalhes</Alert>
    </>
  )
}

function detailsFailure(error: unknown): string {
  const status = error instanceof ApiError ? error.status : 0
  if (status === 404) return 'Junção não encontrada para os parâmetros informados'
  if (status === 401) return 'Erro de autenticação com o servidor'
  return failureText(error, 'Erro ao buscar detalhes da junção')
}

const workOf = ({ Z8_PRODUTO, Z8_REVCLI, Z8_TERMINA }: Junction): WorkInHand => ({
  product: Z8_PRODUTO.trim(),
  revision: Z8_REVCLI.trim(),
  terminals: [Z8_TERMINA.trim(), ''],
})

/** The row that the list has left on this device, for an answer that came without one. */
function navigatedJunction({ plant, order, position }: JunctionPlace): Junction | null {
  const cached = cachedJunctionSearch()
  if (cached?.search.plant !== plant || cached.search.order !== order) return null
  return cached.items.find((junction) => junction.Z8_POSICAO.trim() === position.trim()) ?? null
}

type DetailsProps = {
  place: JunctionPlace
  onLeave: () => void
  dialogs: FormDialogs<'form'>
}

function Details({ place, onLeave, dialogs }: DetailsProps) {
  const { plants } = useSettings()
  const reading = useQuery({ ...junctionReading(place), refetchInterval: rereadStale })
  const { data, error } = reading
  const junction = data ? (data.juncao ?? navigatedJunction(place)) : null
  const plant = plants.find(({ code }) => code === place.plant)?.label ?? place.plant
  return (
    <div className="@container flex flex-col gap-4">
      <JunctionHead
        title={`Junção ${place.position}`}
        subtitle={`Ordem de produção ${place.order} - Filial: ${plant}`}
        {...{ junction, onLeave }}
        documents={junction ? <DocumentsButton work={workOf(junction)} {...dialogs.documents} /> : <DocumentsPlace />}
      />
      {!(data && error instanceof Unreachable) && (
        <ReadingState
          reading={reading}
          loadingText="Carregando detalhes da junção..."
          busyText="Consultando..."
          failureOf={detailsFailure}
        />
      )}
      <StaleNote readAt={data?.dadosDe ?? null} reading={data && reading} />
      {data && !junction && <Alert>dados de navegação não disponíveis</Alert>}
      {data && junction && <Loaded {...{ place, junction, dialogs }} details={data.data} />}
    </div>
  )
}

type LoadedProps = Pick<DetailsProps, 'place' | 'dialogs'> & { junction: Junction; details: JunctionDetails }

function Loaded({ place, junction, details, dialogs }: LoadedProps) {
  // what is in the form is its author's: somebody else begins with their own
  const username = useUser()?.username
  const ofOrder = { branch: place.plant, order: place.order }
  const shown = useJunctionHere(place, junction)
  const recorded = useRecordedHere()
  // The device answers at once: nothing is shown that would have to be taken back, or would move away.
  if (!recorded) return null
  return (
    <>
      <JunctionForm
        key={username}
        {...shown}
        place={{ ...ofOrder, junction: place.position }}
        recordedAt={recordedAt(recorded, { kind: 'junction', ...ofOrder, junction: junction.Z8_POSICAO })}
        {...{ details, dialogs }}
      />
      <JunctionWires circuits={details.circuitos} position={place.position} />
    </>
  )
}
