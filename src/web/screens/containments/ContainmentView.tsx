import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { PackageCheck, Printer } from 'lucide-react'
import { useState } from 'react'
import {
  type Containment,
  type ContainmentRow,
  containmentFiles,
  containments,
  LABEL_COPIES_MAX,
} from '../../../contract/containments.ts'
import { undecidedText } from '../../../domain/containments/balances.ts'
import {
  endText,
  placeText,
  recordingsText,
  startText,
  writeOffText,
} from '../../../domain/containments/containment-texts.ts'
import { piecesText, readWhole } from '../../../domain/text/numbers.ts'
import { SituationBadge } from '../../parts/containments/SituationBadge.tsx'
import { useMay } from '../../parts/permissions.tsx'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { SheetActions, usePrinted } from '../../parts/traces/SheetActions.tsx'
import { call } from '../../server/api.ts'
import { query } from '../../server/query.ts'
import { formatCount, formatInstant } from '../../text/format.ts'
import { links, traceSearch } from '../../text/links.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Card, EmptyState, PageHeading } from '../../ui/Page.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { DecideDialog } from './decisions/DecideDialog.tsx'
import { EndActions, Widen } from './decisions/ends.tsx'
import { MoreRows } from './MoreRows.tsx'
import { decidedPiles, RowTable } from './RowTable.tsx'
import { labelsHref, useFailureOf, useWritten } from './shown.ts'

/** A containment with its rows, page after page; a change of anybody's reads them anew. */
function useContainment(id: string) {
  const { queryFn: _, ...reading } = query(containments.detail, { params: { id }, query: {} })
  return useInfiniteQuery({
    ...reading,
    queryFn: ({ signal, pageParam }) =>
      call(
        containments.detail,
        { params: { id }, query: pageParam === null ? {} : { depoisDe: pageParam } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ proxima }) => proxima,
  })
}

/** `id`: or its number, as a label has it. */
export function ContainmentView({ id }: { id: string }) {
  const reading = useContainment(id)
  const [deciding, setDeciding] = useState<readonly number[] | null>(null)
  const rows = reading.data?.pages.flatMap(({ linhas }) => linhas) ?? []
  const first = reading.data?.pages[0]
  const containment = first?.contencao
  return (
    <>
      <PageHeading
        title={containment ? `Contenção ${containment.numero}` : 'Contenção'}
        subtitle={containment && <Subject of={containment} />}
        action={containment && containment.linhas > 0 && <Labels of={containment} />}
      />
      <ReadingState
        reading={reading}
        loadingText="Carregando a contenção..."
        failureOf={useFailureOf(`Não há a contenção ${id}.`)}
      />
      {first && containment && (
        <>
          <Summary of={containment} measured={first} />
          <WriteOff of={containment} rows={reading.hasNextPage ? null : rows} />
          {containment.linhas === 0 ? (
            <>
              <EndActions of={containment} />
              <EmptyState icon={<PackageCheck {...icon.xl} />}>Sem peças.</EmptyState>
            </>
          ) : (
            <>
              <Files of={containment} />
              <RowTable {...{ containment, rows }} onDecide={setDeciding} ends={<EndActions of={containment} />} />
            </>
          )}
          <MoreRows reading={reading}>
            Mostrando {formatCount(rows.length)} de {recordingsText(containment.linhas)}.
          </MoreRows>
          {deciding && (
            <DecideDialog
              {...{ containment }}
              rows={rows.filter((row) => deciding.includes(row.id))}
              onClose={() => setDeciding(null)}
            />
          )}
        </>
      )}
    </>
  )
}

const Subject = ({ of }: { of: Containment }) => (
  <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
    <SituationBadge of={of.situacao} />
    <strong className="text-ink">{of.assunto}</strong>
  </span>
)

/** The one action at the press: labels of all rows. Each row has its own, for those that were torn. */
function Labels({ of: { id } }: { of: Containment }) {
  const { isLoading, print, outcome } = usePrinted('Etiquetas', 'Não foi possível preparar as etiquetas.')
  const [copies, setCopies] = useState('1')
  const count = readWhole(copies)
  const isCount = count >= 1 && count <= LABEL_COPIES_MAX
  return (
    <div className="flex flex-col items-end gap-2 max-md:w-full">
      <div className="flex flex-wrap items-end justify-end gap-2 max-md:*:grow">
        <div style={{ maxWidth: '6rem' }}>
          <TextField
            label="Cópias"
            code
            inputMode="numeric"
            maxLength={2}
            value={copies}
            onChange={setCopies}
            error={isCount ? undefined : 'De 1 a 99'}
          />
        </div>
        <Button
          variant="primary"
          size="xl"
          icon={<Printer {...icon.md} />}
          isDisabled={!isCount}
          busy={isLoading}
          busyText="Preparando..."
          onPress={() => print(labelsHref(id, count))}
        >
          Imprimir etiquetas
        </Button>
      </div>
      {outcome}
    </div>
  )
}

const fileHref = (path: string, id: string) => path.replace(':id', id)

/** The lot, tool, machine or instrument that it is about, for its whole trace; of a junction its machine. */
function traceOf({ tipo, lote, miniaplicador, maquina, instrumento }: Containment) {
  if (tipo === 'lote') return traceSearch({ term: lote, kind: 'lote' })
  if (tipo === 'instrumento') return traceSearch({ term: instrumento, kind: 'instrumento' })
  if (tipo === 'maquina' || miniaplicador === '') return traceSearch({ term: maquina, kind: 'maquina' })
  return traceSearch({ term: miniaplicador, kind: 'miniaplicador' })
}

const Files = ({ of }: { of: Containment }) => (
  <div className="flex flex-wrap items-center gap-2">
    <SheetActions
      title="Imprimir folha"
      sheet={fileHref(containmentFiles.sheet.path, of.id)}
      csv={fileHref(containmentFiles.csv.path, of.id)}
      failureText="Não foi possível preparar a folha."
    />
    <Link
      to={links.reports}
      search={traceOf(of)}
      className="inline-flex min-h-12 items-center px-2 font-medium text-brand-ink underline underline-offset-4"
    >
      Ver onde foi usado
    </Link>
  </div>
)

const figures = [['suspeitas', 'Suspeitas'], ...decidedPiles] as const

/** Its window, its four figures, and what is still to be done. */
function Summary({ of, measured }: { of: Containment; measured: Parameters<typeof startText>[1] }) {
  const { timeZone, plants } = useSettings()
  const plant = plants.find(({ code }) => code === of.filial)?.label ?? of.filial
  const written = useWritten(of.caracteristica)
  const mayRecord = useMay('record')
  const isOpen = of.situacao === 'aberta'
  const undecided = undecidedText({ suspect: of.suspeitas, rework: of.retrabalho, divergent: of.divergentes })
  return (
    <Card>
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <ul className="flex flex-wrap gap-x-12 gap-y-3">
          {figures.map(([key, name]) => (
            <li key={key} className="flex min-w-24 flex-col">
              <strong className={`text-3xl ${key === 'suspeitas' && of.suspeitas > 0 ? 'text-bad-ink' : ''}`}>
                {formatCount(of[key])}
              </strong>
              <span className="text-sm text-muted">{name}</span>
            </li>
          ))}
        </ul>
        {isOpen && mayRecord && <Widen of={of} />}
      </div>
      <div className="mt-2 flex flex-col gap-1 border-t border-line pt-3">
        {isOpen && <p className="text-lg font-semibold">{undecided ?? 'Tudo decidido: pode ser encerrada.'}</p>}
        <p className="text-muted">{[placeText(of), plant].filter(Boolean).join(' · ')}</p>
        <p>
          {recordingsText(of.linhas)}, {piecesText(of.pecas)}. {startText(of.janela, measured, written)};{' '}
          {endText(of.janela, measured, written)}.
        </p>
        {of.janela.motivo !== '' && <p className="text-sm text-muted">Janela alterada: {of.janela.motivo}</p>}
        {of.motivo !== '' && <p className="text-sm text-muted">Motivo: {of.motivo}</p>}
        <p className="text-sm text-muted">
          Aberta por {of.abertaPor} em {formatInstant(of.abertaEm, timeZone)}
          {of.encerradaEm && `; encerrada por ${of.encerradaPor} em ${formatInstant(of.encerradaEm, timeZone)}`}
          {of.motivoEncerramento !== '' && `: ${of.motivoEncerramento}`}
        </p>
      </div>
    </Card>
  )
}

/** Pieces that the ERP still counts as good: it hears nothing of a containment. `rows` null: not all of them are here. */
function WriteOff({ of, rows }: { of: Containment; rows: readonly ContainmentRow[] | null }) {
  const scrapped = rows?.filter(({ sucateadas }) => sucateadas > 0)
  const items = scrapped && new Set(scrapped.map(({ codigoBarras, ordem, posicao }) => codigoBarras || ordem + posicao))
  const text = of.situacao === 'encerrada' ? writeOffText(of, items?.size ?? null) : ''
  return text !== '' && <Alert kind="warning">{text}</Alert>
}
