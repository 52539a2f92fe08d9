import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ChartLine } from 'lucide-react'
import { type MouseEventHandler, useState } from 'react'
import { type PlanFinding, planFindings } from '../../../../contract/releases.ts'
import {
  findingsFileName,
  findingTitle,
  noted,
  notedTexts,
  passedTexts,
  releaseNotes,
  sideTexts,
} from '../../../../domain/quality/plan-gate.ts'
import { characteristicTexts } from '../../../../domain/reports/spc-names.ts'
import { Barcode } from '../../../parts/lookups/ItemCells.tsx'
import { ReadingState } from '../../../parts/ReadingState.tsx'
import { useSettings } from '../../../parts/settings.ts'
import { HistoryLink } from '../../../parts/traces/HistoryLink.tsx'
import { call, callForFile } from '../../../server/api.ts'
import { query } from '../../../server/query.ts'
import { formatCount, formatInstant } from '../../../text/format.ts'
import { links, traceSearch } from '../../../text/links.ts'
import { icon } from '../../../ui/icon-sizes.ts'
import { SelectField } from '../../../ui/SelectField.tsx'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../../ui/Table.tsx'
import { Days, Filters, Nothing, type OccurrenceFilter, Pages, TreatDialog, Treated, useFilter } from './parts.tsx'

type Filter = OccurrenceFilter & { achado?: (typeof noted)[number]; proprio?: 'sim' }

/** Recordings outside their plan, who released them, and what quality did about them. */
export function FindingsList({ isOlder }: { isOlder: boolean }) {
  const { filter, page, setPage, choose, isWrong } = useFilter<Filter>()
  const reading = useQuery({
    // a server of the version before knows no pages
    ...query(planFindings.list, { query: isOlder ? filter : { ...filter, pagina: page } }),
    placeholderData: keepPreviousData,
    enabled: !isWrong,
  })
  const { data } = reading
  // a page past the last has none, and its total
  const isNothing = data?.ocorrencias.length === 0 && !data.total
  const kinds = (
    <SelectField
      label="Ocorrência"
      placeholder="Todas"
      options={noted}
      textOf={(one) => notedTexts[one]}
      value={filter.achado ?? ''}
      onChange={(one) => choose('achado', one)}
    />
  )
  return (
    <div className="flex flex-col gap-4">
      {isOlder ? (
        kinds
      ) : (
        <Filters
          filter={filter}
          answered={data}
          onChoose={choose}
          file={{ ask: () => callForFile(planFindings.csv, { query: filter }), nameOf: findingsFileName }}
        >
          {kinds}
          <SelectField
            label="Liberação"
            placeholder="Todas"
            options={['sim'] as const}
            textOf={() => 'Liberado por quem apontou'}
            value={filter.proprio ?? ''}
            onChange={(one) => choose('proprio', one)}
          />
        </Filters>
      )}
      <ReadingState reading={reading} loadingText="Carregando ocorrências..." />
      {isNothing && (
        <Nothing filter={filter} one="ocorrência">
          Nada foi apontado fora do plano.
        </Nothing>
      )}
      {data && !isNothing && (
        <>
          {!isOlder && <Pages page={page} total={data.total} one="ocorrência" more="ocorrências" onTurn={setPage} />}
          {!isOlder && (
            <Days
              {...{ title: 'Ocorrências por dia', unit: 'ocorrências', ...data }}
              nameOf={(kind) => (kind in notedTexts ? notedTexts[kind as PlanFinding['achado']] : undefined) ?? kind}
            />
          )}
          <FindingTable list={data.ocorrencias} isOlder={isOlder} />
        </>
      )}
    </div>
  )
}

/** 'liberado por Rita Melo'; without a release what the plant's mode made of it. */
const passedOf = (one: PlanFinding) => (one.liberadoPor ? `liberado por ${one.liberadoPor}` : passedTexts[one.modo])

type Coded = Pick<PlanFinding, 'codigoBarras' | 'posicao' | 'ordem'>

const traceOf = ({ codigoBarras, ordem }: Coded) =>
  traceSearch(codigoBarras ? { term: codigoBarras, kind: 'barras' } : { term: ordem, kind: 'ordem' })

/** A press beside the links and buttons of a row, which do what they say. */
export function useTraceOfRow(one: Coded): MouseEventHandler {
  const navigate = useNavigate()
  return ({ target }) => {
    if (!(target as Element).closest('a, button')) void navigate({ to: links.reports, search: traceOf(one) })
  }
}

/** Item or junction, in a link to its trace. */
export const CodeOf = (one: Coded) => (
  <Link to={links.reports} search={traceOf(one)} className={`code ${linkStyle}`}>
    {one.codigoBarras ? (
      <Barcode of={{ Z1_CODBAR: one.codigoBarras, Z1_OP: one.ordem, Z1_ITEMEST: '' }} />
    ) : (
      one.posicao || `OP ${one.ordem}`
    )}
  </Link>
)

export const linkStyle =
  'inline-flex min-h-11 items-center gap-1 font-medium text-brand-ink underline decoration-current/40 underline-offset-4 hover:decoration-current'

/** To the control chart of each characteristic that has one. */
export function ChartLinks({ of: { filial, miniaplicador, terminal, bitola, cartas = [] }, label }: ChartLinksProps) {
  if (!miniaplicador || !bitola) return null
  return cartas.map((caracteristica) => (
    <Link
      key={caracteristica}
      to={links.charts}
      search={{ aba: 'cep', filial, miniaplicador, terminal, bitola: String(bitola), caracteristica }}
      aria-label={`Carta de controle: ${characteristicTexts[caracteristica]}, ${label}`}
      className={linkStyle}
    >
      <ChartLine {...icon.sm} className="shrink-0" />
      {cartas.length === 1 ? 'Carta de controle' : `Carta: ${characteristicTexts[caracteristica]}`}
    </Link>
  ))
}
type ChartLinksProps = {
  of: Pick<PlanFinding, 'filial' | 'miniaplicador' | 'terminal' | 'bitola' | 'cartas'>
  label: string
}

function FindingTable({ list, isOlder }: { list: readonly PlanFinding[]; isOlder: boolean }) {
  const [treatedId, setTreatedId] = useState<number | null>(null)
  const finding = list.find(({ id }) => id === treatedId)
  return (
    <>
      <Table label="Ocorrências" heightMax="max-h-none">
        <TableHead>
          <Th>Data e hora</Th>
          <Th>Ocorrência</Th>
          <Th>Onde</Th>
          <Th align="right">Peças</Th>
          <Th>Máquina e operador</Th>
          {!isOlder && <Th>Situação</Th>}
        </TableHead>
        <TableBody>
          {list.map((one) => (
            <FindingRow key={one.id} finding={one} onTreat={isOlder ? null : () => setTreatedId(one.id)} />
          ))}
        </TableBody>
      </Table>
      {finding && (
        <TreatDialog
          title={`Tratar ocorrência: OP ${finding.ordem}`}
          treatments={finding.tratamentos}
          send={(texto) => call(planFindings.treat, { params: { id: finding.id }, body: { texto } })}
          changes={[planFindings.list]}
          onClose={() => setTreatedId(null)}
        />
      )}
    </>
  )
}

function FindingRow({ finding: one, onTreat }: { finding: PlanFinding; onTreat: (() => void) | null }) {
  const { timeZone } = useSettings()
  const openTrace = useTraceOfRow(one)
  const label = `OP ${one.ordem}, ${formatInstant(one.em, timeZone)}`
  return (
    <Row onPress={openTrace}>
      <Td label="Data e hora">{formatInstant(one.em, timeZone)}</Td>
      <Td label="Ocorrência">
        <span className="flex flex-col max-md:items-end">
          <strong>{findingTitle(one)}</strong>
          <span className="text-sm text-muted">{[passedOf(one), releaseNotes(one)].filter(Boolean).join(' · ')}</span>
          <span className="wrap-anywhere max-md:text-right md:min-w-40">{one.motivo}</span>
          <ChartLinks of={one} label={label} />
        </span>
      </Td>
      <Td label="Onde">
        <span className="flex flex-col max-md:items-end">
          <span className="code">OP {one.ordem}</span>
          <CodeOf {...one} />
          <span className="text-sm text-muted">{[sideTexts[one.parte], one.terminal].filter(Boolean).join(' · ')}</span>
          <HistoryLink place={one} act={one.apontamento} label={label} />
        </span>
      </Td>
      <Td label="Peças" align="right">
        {formatCount(one.pecas)}
      </Td>
      <Td label="Máquina e operador">
        <span className="flex flex-col max-md:items-end">
          <span>{one.maquina}</span>
          <span className="text-sm text-muted">{one.operador}</span>
        </span>
      </Td>
      {onTreat && (
        <Td label="Situação">
          <Treated
            situation={one.situacao}
            treatments={one.tratamentos}
            label={`ocorrência: ${label}`}
            onTreat={onTreat}
          />
        </Td>
      )}
    </Row>
  )
}
