import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ClipboardCheck } from 'lucide-react'
import { useState } from 'react'
import { type PlanFinding, planFindings } from '../../../../contract/releases.ts'
import { BARCODE_LENGTH } from '../../../../contract/values.ts'
import { isReversed } from '../../../../domain/plant/periods.ts'
import {
  findingsFileName,
  findingTitle,
  noted,
  notedTexts,
  planModeTexts,
  releaseNotes,
} from '../../../../domain/quality/plan-gate.ts'
import { ReadingState } from '../../../parts/ReadingState.tsx'
import { useSettings } from '../../../parts/settings.ts'
import { HistoryLink } from '../../../parts/traces/HistoryLink.tsx'
import { call, callForFile } from '../../../server/api.ts'
import { query } from '../../../server/query.ts'
import { formatCount, formatInstant } from '../../../text/format.ts'
import { icon } from '../../../ui/icon-sizes.ts'
import { EmptyState } from '../../../ui/Page.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../../ui/Table.tsx'
import { Days, Filters, type OccurrenceFilter, Pages, periodOf, TreatDialog, Treated, withChoice } from './parts.tsx'

type Filter = OccurrenceFilter & { achado?: (typeof noted)[number]; proprio?: 'sim' }

/** Recordings outside their plan, who released them, and what quality did about them. */
export function FindingsList({ isOlder }: { isOlder: boolean }) {
  const [filter, setFilter] = useState<Filter>({})
  const [page, setPage] = useState(1)
  const choose = (name: keyof Filter, chosen: string) => {
    setFilter(withChoice(filter, name, chosen))
    setPage(1)
  }
  const reading = useQuery({
    // a server of the version before knows no pages
    ...query(planFindings.list, { query: isOlder ? filter : { ...filter, pagina: page } }),
    placeholderData: keepPreviousData,
    enabled: !isReversed(periodOf(filter, undefined)),
  })
  const { data } = reading
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
      {data?.ocorrencias.length === 0 && (
        <EmptyState icon={<ClipboardCheck {...icon.xl} />}>Nada foi apontado fora do plano.</EmptyState>
      )}
      {data && data.ocorrencias.length > 0 && (
        <>
          {!isOlder && <Pages page={page} total={data.total} one="ocorrência" more="ocorrências" onTurn={setPage} />}
          <FindingTable list={data.ocorrencias} isOlder={isOlder} />
          {!isOlder && <Days title="Ocorrências por dia" unit="ocorrências" {...data} />}
        </>
      )}
    </div>
  )
}

export const partLabels: Partial<Record<PlanFinding['parte'], string>> = {
  l1: 'Lado 1',
  l2: 'Lado 2',
  juncao: 'Junção',
}

const whyOf = (one: PlanFinding) =>
  [one.motivo, one.liberadoPor && `liberado por ${one.liberadoPor}`, releaseNotes(one)].filter(Boolean).join(' · ')

/** A narrow table breaks a barcode after its order. */
export const CodeOf = ({ codigoBarras, posicao }: Pick<PlanFinding, 'codigoBarras' | 'posicao'>) => (
  <span className="code">
    {codigoBarras.slice(0, BARCODE_LENGTH / 2)}
    <wbr />
    {codigoBarras.slice(BARCODE_LENGTH / 2) || posicao}
  </span>
)

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
  const label = `OP ${one.ordem}, ${formatInstant(one.em, timeZone)}`
  return (
    <Row>
      <Td label="Data e hora">{formatInstant(one.em, timeZone)}</Td>
      <Td label="Ocorrência">
        <span className="flex flex-col max-md:items-end">
          <strong>{findingTitle(one)}</strong>
          <span className="text-sm text-muted">{planModeTexts[one.modo]}</span>
          <span className="wrap-anywhere max-md:text-right md:min-w-40">{whyOf(one)}</span>
        </span>
      </Td>
      <Td label="Onde">
        <span className="flex flex-col max-md:items-end">
          <span className="code">OP {one.ordem}</span>
          <CodeOf {...one} />
          <span className="text-sm text-muted">
            {[partLabels[one.parte], one.terminal].filter(Boolean).join(' · ')}
          </span>
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
