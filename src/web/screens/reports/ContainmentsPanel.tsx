import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { CONTAINMENTS_LISTED_MAX, type Containment, containments } from '../../../contract/containments.ts'
import { openText, placeText } from '../../../domain/containments/containment-texts.ts'
import { isReversed } from '../../../domain/plant/periods.ts'
import { ContainmentLink } from '../../parts/containments/ContainmentLink.tsx'
import { SituationBadge } from '../../parts/containments/SituationBadge.tsx'
import { PeriodFields } from '../../parts/fields/PeriodFields.tsx'
import { PlantChoice } from '../../parts/fields/PlantChoice.tsx'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { query } from '../../server/query.ts'
import { formatCount, formatInstant } from '../../text/format.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { Card, EmptyState } from '../../ui/Page.tsx'
import { Row, Table, TableHead, Td, Th } from '../../ui/Table.tsx'
import { useContainmentFilters, useToday } from './filters.ts'
import { QuickPeriods } from './QuickPeriods.tsx'

/** Containments: those that are open, then those that were closed in a period. */
export function ContainmentsPanel() {
  const today = useToday()
  const { filters, change } = useContainmentFilters(today)
  const { period, plant } = filters
  const isWrong = isReversed(period)
  const request = { inicio: period.start, fim: period.end, ...(plant === '' ? {} : { filial: plant }) }
  const reading = useQuery({
    ...query(containments.list, { query: request }),
    placeholderData: keepPreviousData,
    enabled: !isWrong,
  })
  const { data, isPlaceholderData } = reading
  return (
    <div className="flex flex-col gap-4">
      <Card>
        <div className="flex flex-col gap-4">
          <QuickPeriods period={period} today={today} onChange={(chosen) => change({ period: chosen })} />
          <div className="grid grid-cols-[repeat(auto-fit,minmax(8.75rem,1fr))] items-start gap-4 md:grid-cols-2 lg:grid-cols-4">
            <PeriodFields period={period} onChange={(chosen, options) => change({ period: chosen }, options)} />
            <div className="sm:col-span-2">
              <PlantChoice hasAll value={plant} onChange={(code) => change({ plant: code })} />
            </div>
          </div>
          <p className="text-sm text-muted">O período é o do encerramento. As abertas aparecem sempre.</p>
        </div>
      </Card>
      {isWrong && <EmptyState>Corrija o período para ver as contenções.</EmptyState>}
      {!isWrong && <ReadingState reading={reading} loadingText="Carregando contenções..." />}
      {!isWrong && data && (
        <div aria-busy={isPlaceholderData} className="flex flex-col gap-4">
          <h2 className="text-lg font-semibold">
            {data.abertas === 0 ? 'Nenhuma contenção aberta.' : openText(data.abertas)}
          </h2>
          {data.contencoes.length > 0 ? (
            <List containments={data.contencoes} />
          ) : (
            <EmptyState icon={<ShieldCheck {...icon.xl} />}>Nenhuma contenção encerrada no período.</EmptyState>
          )}
        </div>
      )}
    </div>
  )
}

const figures = [
  ['pecas', 'Peças'],
  ['suspeitas', 'Suspeitas'],
  ['retrabalho', 'Em retrabalho'],
] as const

function List({ containments: all }: { containments: readonly Containment[] }) {
  const { timeZone, plants } = useSettings()
  return (
    <>
      <Table label="Contenções" rowCount={all.length + 1}>
        <TableHead>
          <Th sticky>Número</Th>
          <Th>Motivo</Th>
          <Th>Desde</Th>
          {figures.map(([key, name]) => (
            <Th key={key} align="right">
              {name}
            </Th>
          ))}
          <Th>Situação</Th>
        </TableHead>
        <LongRows items={all} keyOf={({ id }) => id}>
          {(one, place) => (
            <Row place={place}>
              <Td sticky>
                <span className="max-md:mr-auto">
                  <ContainmentLink id={one.id}>
                    <span className="code whitespace-nowrap">{one.numero}</span>
                  </ContainmentLink>
                </span>
              </Td>
              <Td label="Motivo">
                <span className="flex min-w-0 flex-col max-md:items-end">
                  <span className="font-medium wrap-anywhere">{one.assunto}</span>
                  <span className="text-sm wrap-anywhere text-muted">
                    {[
                      placeText(one),
                      plants.length > 1 && (plants.find(({ code }) => code === one.filial)?.label ?? one.filial),
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </span>
              </Td>
              <Td label="Desde">
                <span className="flex min-w-0 flex-col max-md:items-end">
                  <span className="whitespace-nowrap">{formatInstant(one.abertaEm, timeZone)}</span>
                  <span className="text-sm text-muted">{one.abertaPor}</span>
                </span>
              </Td>
              {figures.map(([key, name]) => (
                <Td key={key} label={name} align="right" isThird>
                  <span className={key === 'suspeitas' && one[key] > 0 ? 'font-semibold text-bad-ink' : ''}>
                    {formatCount(one[key])}
                  </span>
                </Td>
              ))}
              <Td label="Situação">
                <SituationBadge of={one.situacao} />
              </Td>
            </Row>
          )}
        </LongRows>
      </Table>
      {all.length >= CONTAINMENTS_LISTED_MAX && (
        <p className="text-sm font-medium text-warn-ink">
          Mostrando as {formatCount(CONTAINMENTS_LISTED_MAX)} primeiras. Diminua o período.
        </p>
      )}
    </>
  )
}
