import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import {
  AUDIT_ENTRIES_MAX,
  type AuditEntry,
  type AuditGroup,
  auditEntries,
  auditGroups,
  QUALITY_GROUP,
} from '../../../contract/audit-entries.ts'
import {
  auditActionTexts,
  auditDetailsText,
  auditFileName,
  auditGroupTexts,
  auditSubjectText,
} from '../../../domain/people/audit-entries.ts'
import { addDays, dayStartMs, momentTextOf, toInstant } from '../../../domain/plant/plant-time.ts'
import { useMay } from '../../parts/permissions.tsx'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { ExportButton } from '../../parts/ServerFile.tsx'
import { useSettings } from '../../parts/settings.ts'
import { callForFile } from '../../server/api.ts'
import { query } from '../../server/query.ts'
import { formatCount } from '../../text/format.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Row, Table, TableHead, Td, Th } from '../../ui/Table.tsx'
import { DayBox, Nothing, TextFilter } from './filter-fields.tsx'

type AuditFilter = {
  group: AuditGroup | ''
  /** Days at the plant, both within; empty: open. */
  from: string
  to: string
  text: string
}

const everything: AuditFilter = { group: '', from: '', to: '', text: '' }
const isFiltered = (filter: AuditFilter): boolean => Object.values(filter).some((chosen) => chosen !== '')
const groups = Object.keys(auditGroups) as AuditGroup[]

const auditQueryOf = ({ group, from, to, text }: AuditFilter, timeZone: string) => ({
  ...(group === '' ? {} : { tipo: group }),
  ...(from === '' ? {} : { inicio: toInstant(dayStartMs(from, timeZone)) }),
  ...(to === '' ? {} : { fim: toInstant(dayStartMs(addDays(to, 1), timeZone) - 1) }),
  ...(text === '' ? {} : { texto: text }),
})

type Props = {
  filter: AuditFilter
  /** One alone is no choice. */
  hasGroups: boolean
  onChange: (changed: Partial<AuditFilter>) => void
}

function AuditFilters({ filter, hasGroups, onChange }: Props) {
  return (
    <div className="grid grid-cols-2 items-start gap-x-4 gap-y-2 md:grid-cols-3 2xl:grid-cols-[14rem_11rem_11rem_minmax(0,1fr)]">
      {hasGroups && (
        <div className="max-md:col-span-full">
          <SelectField
            label="Tipo"
            placeholder="Todas as mudanças"
            options={groups}
            textOf={(group) => auditGroupTexts[group]}
            value={filter.group}
            onChange={(group) => onChange({ group })}
          />
        </div>
      )}
      <DayBox label="De" onChange={(from) => onChange({ from })} />
      <DayBox label="Até" onChange={(to) => onChange({ to })} />
      <div className="max-2xl:col-span-full">
        <TextFilter
          placeholder="Usuário, nome ou código, e Enter"
          text={filter.text}
          onChange={(text) => onChange({ text })}
        />
      </div>
    </div>
  )
}

/** The audit trail, for administrators; for quality the changes to plans, samples and instruments. */
export function AuditTab() {
  const { timeZone } = useSettings()
  const hasGroups = useMay('administer')
  const [filter, setFilter] = useState<AuditFilter>(hasGroups ? everything : { ...everything, group: QUALITY_GROUP })
  const request = auditQueryOf(filter, timeZone)
  const reading = useQuery({ ...query(auditEntries.list, { query: request }), placeholderData: keepPreviousData })
  const { data: entries = [], isPending, isFetching, isPlaceholderData, error, refetch } = reading
  return (
    <div className="flex flex-col gap-4">
      <AuditFilters
        filter={filter}
        hasGroups={hasGroups}
        onChange={(changed) => setFilter((before) => ({ ...before, ...changed }))}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="min-w-40 flex-1 text-sm text-muted">
          {isPending || error ? '' : countText(entries.length, isPlaceholderData)}
        </p>
        <div className="flex flex-wrap gap-2 max-md:w-full max-md:*:grow">
          <Button
            icon={<RefreshCw {...icon.md} />}
            busy={isFetching}
            busyText="Carregando..."
            onPress={() => void refetch()}
          >
            Atualizar
          </Button>
          <ExportButton
            ask={() => callForFile(auditEntries.csv, { query: request })}
            nameOf={auditFileName}
            isDisabled={entries.length === 0}
          />
        </div>
      </div>
      <ReadingState reading={reading} loadingText="Carregando a trilha de auditoria..." />
      {entries.length > 0 && <AuditTable entries={entries} />}
      {!isPending && !error && entries.length === 0 && (
        <Nothing
          isFiltered={isFiltered(hasGroups ? filter : { ...filter, group: '' })}
          filteredText="Nada com este filtro"
        >
          Nada foi registrado até agora.
        </Nothing>
      )}
    </div>
  )
}

const countText = (count: number, isOutdated: boolean) => {
  if (isOutdated) return 'Carregando...'
  if (count === AUDIT_ENTRIES_MAX) return `Mostrando as ${formatCount(count)} linhas mais novas; o CSV tem todas`
  return `${formatCount(count)} ${count === 1 ? 'linha' : 'linhas'}`
}

function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const { timeZone } = useSettings()
  return (
    <Table label="Trilha de auditoria" rowCount={entries.length + 1}>
      <TableHead>
        <Th>Data e hora</Th>
        <Th>Usuário</Th>
        <Th>Ação</Th>
        <Th width="md:w-1/2">Objeto</Th>
      </TableHead>
      <LongRows items={entries} keyOf={({ id }) => String(id)}>
        {(entry, place) => (
          <Row place={place}>
            <Td label="Data e hora">
              <span className="max-md:text-right">{momentTextOf(timeZone)(entry.at)}</span>
            </Td>
            <Td label="Usuário">
              <span className="min-w-0 font-medium wrap-break-word">{entry.userName}</span>
            </Td>
            <Td label="Ação">{auditActionTexts[entry.action] ?? 'Outra mudança'}</Td>
            <Td>
              <Subject entry={entry} />
            </Td>
          </Row>
        )}
      </LongRows>
    </Table>
  )
}

function Subject({ entry }: { entry: AuditEntry }) {
  const changed = auditDetailsText(entry.details)
  return (
    <div className="flex w-full min-w-0 flex-col gap-1 text-left">
      <p className="wrap-anywhere">{auditSubjectText(entry)}</p>
      {changed && <p className="text-sm wrap-anywhere text-muted">{changed}</p>}
      {entry.reason && <p className="text-sm wrap-anywhere">Motivo: {entry.reason}</p>}
    </div>
  )
}
