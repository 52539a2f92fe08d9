import { useQuery } from '@tanstack/react-query'
import { ClipboardCheck } from 'lucide-react'
import { useState } from 'react'
import {
  PLAN_FINDINGS_DAYS,
  PLAN_FINDINGS_LISTED_MAX,
  type PlanFinding,
  planFindings,
} from '../../../contract/releases.ts'
import { BARCODE_LENGTH } from '../../../contract/values.ts'
import { noted, notedTexts, planModeTexts } from '../../../domain/plan-gate.ts'
import { formatCount, formatInstant } from '../../app/format.ts'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { query } from '../../server/query.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { EmptyState } from '../../ui/Page.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../ui/Table.tsx'

const countText = (total: number) => {
  const count = total === 1 ? '1 ocorrência' : `${formatCount(total)} ocorrências`
  const isCut = total > PLAN_FINDINGS_LISTED_MAX ? `, as ${PLAN_FINDINGS_LISTED_MAX} mais novas abaixo` : ''
  return `${count} nos últimos ${PLAN_FINDINGS_DAYS} dias${isCut}`
}

/** What was recorded outside its plan, and who let it through. */
export function FindingsTab() {
  const [finding, setFinding] = useState<(typeof noted)[number] | ''>('')
  const reading = useQuery(query(planFindings.list, { query: finding === '' ? {} : { achado: finding } }))
  const { data } = reading
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-64">
          <SelectField
            label="Ocorrência"
            placeholder="Todas"
            options={noted}
            textOf={(one) => notedTexts[one]}
            value={finding}
            onChange={setFinding}
          />
        </div>
        {data && <p className="text-muted">{countText(data.total)}</p>}
      </div>
      <ReadingState reading={reading} loadingText="Carregando ocorrências..." />
      {data?.ocorrencias.length === 0 && (
        <EmptyState icon={<ClipboardCheck {...icon.xl} />}>Nada foi apontado fora do plano.</EmptyState>
      )}
      {data && data.ocorrencias.length > 0 && <FindingTable list={data.ocorrencias} />}
    </div>
  )
}

const partLabels: Partial<Record<PlanFinding['parte'], string>> = { l1: 'Lado 1', l2: 'Lado 2', juncao: 'Junção' }

const whyOf = ({ motivo, liberadoPor }: PlanFinding) =>
  [motivo, liberadoPor && `liberado por ${liberadoPor}`].filter(Boolean).join(' · ')

/** A narrow table breaks a barcode after its order. */
const CodeOf = ({ codigoBarras, posicao }: Pick<PlanFinding, 'codigoBarras' | 'posicao'>) => (
  <span className="code">
    {codigoBarras.slice(0, BARCODE_LENGTH / 2)}
    <wbr />
    {codigoBarras.slice(BARCODE_LENGTH / 2) || posicao}
  </span>
)

function FindingTable({ list }: { list: readonly PlanFinding[] }) {
  const { timeZone } = useSettings()
  return (
    <Table label="Ocorrências" heightMax="max-h-none">
      <TableHead>
        <Th>Data e hora</Th>
        <Th>Ocorrência</Th>
        <Th>Onde</Th>
        <Th align="right">Peças</Th>
        <Th>Máquina e operador</Th>
      </TableHead>
      <TableBody>
        {list.map((one) => (
          <Row key={one.id}>
            <Td label="Data e hora">{formatInstant(one.em, timeZone)}</Td>
            <Td label="Ocorrência">
              <span className="flex flex-col max-md:items-end">
                <strong>{notedTexts[one.achado] ?? one.achado}</strong>
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
          </Row>
        ))}
      </TableBody>
    </Table>
  )
}
