import { useQuery } from '@tanstack/react-query'
import { Calculator, ChartLine, ChartNoAxesColumn, SearchX, TriangleAlert } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { SERIES_LISTED_MAX, type SeriesKey, type SeriesRow, spc } from '../../../../contract/spc.ts'
import { milliText } from '../../../../domain/quality/control-plans.ts'
import { characteristicTexts, seriesText } from '../../../../domain/reports/spc-names.ts'
import { capabilityLevel, indexText } from '../../../../domain/reports/spc-texts.ts'
import { FilterField } from '../../../parts/FilterField.tsx'
import { PlantChoice } from '../../../parts/fields/PlantChoice.tsx'
import { useMay } from '../../../parts/permissions.tsx'
import { ReadingState } from '../../../parts/ReadingState.tsx'
import { useSettings } from '../../../parts/settings.ts'
import { usePlant } from '../../../parts/usePlant.ts'
import { query } from '../../../server/query.ts'
import { formatCount, formatRecentInstant } from '../../../text/format.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { IconButton } from '../../../ui/Button.tsx'
import { icon } from '../../../ui/icon-sizes.ts'
import { LongRows } from '../../../ui/LongRows.tsx'
import { Card, EmptyState } from '../../../ui/Page.tsx'
import { Row, type RowPlace, Table, TableHead, Td, Th } from '../../../ui/Table.tsx'

const folded = (text: string): string => text.trim().toLocaleLowerCase('pt-BR')

/** Whatever its interval: the list knows the index alone. */
const isPoor = (ppk: number): boolean => capabilityLevel({ valor: ppk, baixo: ppk }) === 'ruim'

type Props = { onChoose: (series: SeriesKey) => void }

export function SeriesList({ onChoose }: Props) {
  const { plants, plant, choose } = usePlant()
  const [text, setText] = useState('')
  const reading = useQuery(query(spc.list, { query: { filial: plant } }))
  const { data } = reading
  const wanted = folded(useDeferredValue(text))
  const shown = useMemo(
    () => data?.series.filter(({ serie }) => folded(seriesText(serie)).includes(wanted)),
    [data, wanted],
  )
  return (
    <div className="flex flex-col gap-4">
      <Card>
        <div className="flex flex-wrap items-end gap-4">
          <div className="min-w-60 flex-1">
            <FilterField
              label="Filtrar séries"
              placeholder="Mini aplicador, terminal, bitola ou característica"
              value={text}
              onChange={setText}
            />
          </div>
          {plants.length > 1 && <PlantChoice value={plant} onChange={choose} />}
        </div>
      </Card>
      <ReadingState reading={reading} loadingText="Carregando séries..." />
      {data?.series.length === 0 && (
        <EmptyState icon={<ChartNoAxesColumn {...icon.xl} />}>
          Nenhuma medição com mini aplicador, terminal e bitola. As séries aparecem com a primeira.
        </EmptyState>
      )}
      {data && data.series.length > 0 && shown?.length === 0 && (
        <EmptyState icon={<SearchX {...icon.xl} />}>Nenhuma série encontrada com o filtro aplicado.</EmptyState>
      )}
      {data && <Task count={data.series.filter(({ fixarLimites }) => fixarLimites).length} />}
      {data && shown && shown.length > 0 && <SeriesTable rows={shown} total={data.series.length} onChoose={onChoose} />}
      {data && data.semSerie > 0 && (
        <p className="text-sm text-muted">
          {data.semSerie === 1 ? '1 medição' : `${formatCount(data.semSerie)} medições`} sem bitola ou ferramenta: em
          nenhuma série.
        </p>
      )}
    </div>
  )
}

/** Where the samples are of another size than the limits, no signal is seen until quality sets others. */
function Task({ count }: { count: number }) {
  const maySet = useMay('plans')
  if (count === 0 || !maySet) return null
  const series = count === 1 ? '1 série' : `${formatCount(count)} séries`
  return (
    <Alert kind="warning">
      Fixe os limites de {series}: as amostras têm outro número de leituras, e os pontos novos não dão sinal.
    </Alert>
  )
}

type TableProps = Props & { rows: readonly SeriesRow[]; total: number }

function SeriesTable({ rows, total, onChoose }: TableProps) {
  const all = `${formatCount(total)} ${total === 1 ? 'série' : 'séries'}`
  return (
    <div className="flex flex-col gap-2">
      <Table label="Séries" rowCount={rows.length + 1}>
        <TableHead>
          <Th sticky>Mini aplicador</Th>
          <Th>Terminal</Th>
          <Th>Bitola (mm²)</Th>
          <Th>Característica</Th>
          <Th align="right">Amostras</Th>
          <Th>Última</Th>
          <Th align="right">Sinais (7 dias)</Th>
          <Th align="right">Ppk</Th>
          <Th align="right" stickyEnd>
            Ação
          </Th>
        </TableHead>
        <LongRows items={rows} keyOf={({ serie }) => JSON.stringify(serie)}>
          {(row, place) => <SeriesLine row={row} place={place} onChoose={onChoose} />}
        </LongRows>
      </Table>
      <p role="status" className="text-sm text-muted">
        {total >= SERIES_LISTED_MAX
          ? `As ${all} que mais pedem atenção`
          : rows.length < total
            ? `${rows.length} de ${all}`
            : all}
      </p>
    </div>
  )
}

function SeriesLine({ row, place, onChoose }: Props & { row: SeriesRow; place: RowPlace }) {
  const { timeZone } = useSettings()
  const { serie, amostras, ultima, sinais7Dias, fixarLimites, ppk } = row
  const { miniaplicador, terminal, bitola, caracteristica } = serie
  const choose = () => onChoose(serie)
  return (
    <Row place={place} onPress={choose}>
      <Td label="Mini aplicador" sticky>
        <span className="code font-medium wrap-anywhere">{miniaplicador}</span>
      </Td>
      <Td label="Terminal">
        <span className="code wrap-anywhere">{terminal}</span>
      </Td>
      <Td label="Bitola (mm²)" isThird>
        {milliText(bitola)}
      </Td>
      <Td label="Característica" isThird>
        {characteristicTexts[caracteristica]}
      </Td>
      <Td label="Amostras" isThird align="right">
        {formatCount(amostras)}
      </Td>
      <Td label="Última" isThird>
        <span className="whitespace-nowrap">{formatRecentInstant(ultima, timeZone)}</span>
      </Td>
      <Td label="Sinais (7 dias)" isThird align="right">
        <span>
          {fixarLimites ? (
            <Badge tone="warn" icon={<Calculator {...icon.sm} />}>
              Fixar<span className="sr-only"> limites</span>
            </Badge>
          ) : sinais7Dias > 0 ? (
            <Badge tone="warn" icon={<TriangleAlert {...icon.sm} />}>
              {formatCount(sinais7Dias)}
            </Badge>
          ) : (
            '0'
          )}
        </span>
      </Td>
      <Td label="Ppk" isThird align="right">
        <span>{ppk === null ? '-' : isPoor(ppk) ? <Badge tone="bad">{indexText(ppk)}</Badge> : indexText(ppk)}</span>
      </Td>
      <Td align="right" stickyEnd>
        <IconButton
          label={`Ver carta: ${seriesText(serie)}`}
          tone="brand"
          icon={<ChartLine {...icon.md} />}
          onPress={choose}
        />
      </Td>
    </Row>
  )
}
