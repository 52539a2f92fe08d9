import { ClipboardCheck, Download, History, MousePointerClick, SearchX } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import {
  type CrimpHistoryEntry,
  crimpCounters,
  HISTORY_ENTRIES_MAX,
  type MaintenanceRecord,
} from '../../../contract/crimp-counters.ts'
import { dayText, plantDay } from '../../../domain/plant/plant-time.ts'
import {
  filterUnits,
  historyCsv,
  historyFileName,
  maintenanceRecordsFileName,
  safetyTexts,
} from '../../../domain/tools/crimp-counters.ts'
import { serverNow } from '../../device/clock.ts'
import { Fact } from '../../parts/fields/fields.tsx'
import { useServerFile } from '../../parts/ServerFile.tsx'
import { useSettings } from '../../parts/settings.ts'
import { callForFile } from '../../server/api.ts'
import { exportFile } from '../../server/export-file.ts'
import { formatCount, formatInstant } from '../../text/format.ts'
import { Alert } from '../../ui/Alert.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { EmptyState, Section } from '../../ui/Page.tsx'
import { Row, Table, TableHead, Td, Th } from '../../ui/Table.tsx'
import { bringIntoView, limitText, type Reading } from './counters.ts'
import { type Filter, FilterRow, failureText, ListLoading, SelectButton } from './table-parts.tsx'

type Props = {
  /** `isCut`: there are older ones, which are not listed. */
  reading: Reading & { isCut: boolean }
  /** Entries that fit the filter, the newest first. */
  entries: readonly CrimpHistoryEntry[]
  filter: Filter
  selected: number | null
  onSelect: (id: number) => void
}

const SELECT_HINT = 'Selecione um registro na tabela para ver os detalhes'

export const entriesOf = (entries: readonly CrimpHistoryEntry[], filter: string): readonly CrimpHistoryEntry[] =>
  filter === '' ? entries : filterUnits(entries, filter)

export function HistoryTab({ reading, entries, filter, selected, onSelect }: Props) {
  const { isFirst, error, isCut } = reading
  const { timeZone } = useSettings()
  const panel = useRef<HTMLDivElement>(null)
  const momentText = (instant: string) => formatInstant(instant, timeZone)
  const exportList = () => {
    if (entries.length === 0) return
    const content = new Blob([historyCsv(entries, momentText)], { type: 'text/csv;charset=utf-8' })
    exportFile(content, historyFileName(plantDay(serverNow(), timeZone)), 'historico_alteracoes')
  }
  const records = useRecordsFile()
  const select = (id: number) => {
    onSelect(id)
    bringIntoView(panel.current)
  }
  const count = entries.length === 1 ? '1 alteração' : `${formatCount(entries.length)} alterações`
  return (
    <div className="flex flex-col gap-4">
      <FilterRow
        filter={filter}
        reading={reading}
        countText={`${count}. Cada linha mostra os valores antes da alteração.`}
        files={[
          { text: 'EXPORTAR ARQUIVO', Icon: Download, isBusy: false, onPress: exportList },
          // The maintenance records, which the law asks for.
          { text: 'REGISTROS NR-12', Icon: ClipboardCheck, ...records },
        ]}
      />
      {records.failure && <Alert isUntitled>{records.failure}</Alert>}
      {isCut && (
        <p className="text-sm text-muted">Mostrando as {formatCount(HISTORY_ENTRIES_MAX)} alterações mais novas.</p>
      )}
      <p className="text-sm text-muted md:hidden">{SELECT_HINT}</p>
      {error && (
        <p role="status" className="text-sm text-muted">
          Não foi possível carregar o histórico.
        </p>
      )}
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0">
          {isFirst && <ListLoading />}
          {!isFirst && entries.length === 0 && (
            <EmptyState icon={filter.applied === '' ? <History {...icon.xl} /> : <SearchX {...icon.xl} />}>
              Nenhum registro encontrado
            </EmptyState>
          )}
          {entries.length > 0 && (
            <HistoryTable entries={entries} momentText={momentText} selected={selected} onSelect={select} />
          )}
        </div>
        <div ref={panel} className="scroll-mt-20 max-md:hidden">
          <Details entry={entries.find(({ id }) => id === selected) ?? null} momentText={momentText} />
        </div>
      </div>
    </div>
  )
}

function useRecordsFile() {
  const [failure, setFailure] = useState<ReactNode>(null)
  const file = useServerFile({
    ask: () => {
      setFailure(null)
      return callForFile(crimpCounters.exportMaintenanceRecords, {})
    },
    nameOf: maintenanceRecordsFileName,
    onFailure: (error) => setFailure(failureText('Erro ao exportar registros de manutenção', error)),
  })
  return { ...file, failure }
}

const changeTexts: Record<CrimpHistoryEntry['change'], string> = {
  limit: 'Limite alterado',
  schedule: 'Manutenção agendada',
  reset: 'Contador zerado',
  task: 'Tarefa de manutenção',
}

type Moments = { momentText: (instant: string) => string }

type TableProps = Moments & Pick<Props, 'entries' | 'selected' | 'onSelect'>

function HistoryTable({ entries, selected, onSelect, momentText }: TableProps) {
  return (
    <Table label="Histórico de alterações" rowCount={entries.length + 1}>
      <TableHead>
        <Th>Mini aplicador</Th>
        <Th align="right">Qtd. crimpagem</Th>
        <Th align="right">Limite</Th>
        <Th>Data de alteração</Th>
        <Th align="right">Ordem de serviço</Th>
        <Th align="right">Data de manutenção</Th>
      </TableHead>
      <LongRows items={entries} keyOf={({ id }) => String(id)}>
        {(entry, place) => (
          <Row place={place} isSelected={entry.id === selected} onPress={() => onSelect(entry.id)}>
            <Td>
              <SelectButton isSelected={entry.id === selected} onSelect={() => onSelect(entry.id)}>
                {entry.miniaplicator}
              </SelectButton>
            </Td>
            <Td label="Qtd. crimpagem" align="right">
              {formatCount(entry.numberOfCrimps)}
            </Td>
            <Td label="Limite" align="right">
              {limitText(entry.limitOfCrimps)}
            </Td>
            <Td label="Data de alteração">
              <span className="inline-flex flex-col max-md:items-end">
                <span className="whitespace-nowrap">{momentText(entry.updateDate)}</span>
                <span className="text-xs text-muted">
                  {changeTexts[entry.change]} · {entry.changedBy}
                </span>
              </span>
            </Td>
            <Td label="Ordem de serviço" align="right">
              <span className="code">{entry.serviceOrder ?? '-'}</span>
            </Td>
            <Td label="Data de manutenção" align="right">
              {entry.maintenanceDate ? dayText(entry.maintenanceDate) : '-'}
            </Td>
            {entry.id === selected && <CommentsOnCard>{entry.comments || '-'}</CommentsOnCard>}
          </Row>
        )}
      </LongRows>
    </Table>
  )
}

/** A card shows the rest already; the panel would be thousands of cards away. */
const CommentsOnCard = ({ children }: { children: string }) => (
  <td className="col-span-3 border-t border-line pt-2 pb-1 md:hidden">
    <span className="text-sm font-medium text-muted">Informações adicionais</span>
    <p className="whitespace-pre-line wrap-anywhere">{children}</p>
  </td>
)

const RecordFacts = ({ record }: { record: MaintenanceRecord }) => (
  <>
    <div className="col-span-2 min-w-0 border-t border-line pt-3">
      <dt className="text-sm text-muted">Serviço realizado (NR-12)</dt>
      <dd className="whitespace-pre-line wrap-anywhere">{record.serviceDone}</dd>
    </div>
    <div className="col-span-2 min-w-0">
      <dt className="text-sm text-muted">Peças reparadas ou trocadas</dt>
      <dd className="whitespace-pre-line wrap-anywhere">{record.parts || 'Nenhuma'}</dd>
    </div>
    <Fact label="Condição de segurança">{safetyTexts[record.safetyCondition]}</Fact>
    <Fact label="Responsável">{record.responsible}</Fact>
  </>
)

const Details = ({ entry, momentText }: Moments & { entry: CrimpHistoryEntry | null }) => (
  <Section title="Detalhes da alteração" icon={<History {...icon.md} />}>
    <div aria-live="polite">
      {entry ? (
        <dl className="grid grid-cols-2 gap-x-4 gap-y-3">
          <Fact label="Mini aplicador">{entry.miniaplicator}</Fact>
          <Fact label="Alteração">{changeTexts[entry.change]}</Fact>
          <Fact label="Qtd. crimpagem">{formatCount(entry.numberOfCrimps)}</Fact>
          <Fact label="Limite">{limitText(entry.limitOfCrimps)}</Fact>
          <Fact label="Data de alteração">{momentText(entry.updateDate)}</Fact>
          <Fact label="Alterado por">{entry.changedBy}</Fact>
          <Fact label="Ordem de serviço">{entry.serviceOrder}</Fact>
          <Fact label="Data de manutenção">{entry.maintenanceDate && dayText(entry.maintenanceDate)}</Fact>
          <div className="col-span-2 min-w-0">
            <dt className="text-sm text-muted">Informações adicionais</dt>
            <dd className="whitespace-pre-line wrap-anywhere">{entry.comments || '-'}</dd>
          </div>
          {entry.maintenanceRecord && <RecordFacts record={entry.maintenanceRecord} />}
        </dl>
      ) : (
        <div className="flex flex-col items-center gap-3 py-6 text-center text-muted">
          <MousePointerClick {...icon.xl} />
          <p>{SELECT_HINT}</p>
        </div>
      )}
    </div>
  </Section>
)
