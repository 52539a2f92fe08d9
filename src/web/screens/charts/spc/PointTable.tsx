import { Ban, Diamond, MessageSquarePlus, TriangleAlert, Undo2 } from 'lucide-react'
import { memo, useMemo } from 'react'
import type { SeriesPoint } from '../../../../contract/spc.ts'
import { useMay } from '../../../parts/permissions.tsx'
import { useSettings } from '../../../parts/settings.ts'
import { HistoryLink } from '../../../parts/traces/HistoryLink.tsx'
import { formatRecentInstant } from '../../../text/format.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { icon } from '../../../ui/icon-sizes.ts'
import { LongRows } from '../../../ui/LongRows.tsx'
import { type RowPlace, Table, TableHead, Row as TableRow, Td, Th } from '../../../ui/Table.tsx'
import type { Row, Shown } from './series.ts'

export type PointAct = { act: 'cause' | 'invalidate'; point: SeriesPoint }

type Props = { shown: Shown; chosen: SeriesPoint | null; onAct: (act: PointAct) => void }

const idOf = (point: SeriesPoint | null) => point?.medicao.id ?? null

/** The numbers of both charts, the newest first, and what can be done about a point. */
export function PointTable({ shown: { rows, charts }, chosen, onAct }: Props) {
  const newestFirst = useMemo(() => rows.toReversed(), [rows])
  const isSingle = charts[0].title.startsWith('Valores')
  return (
    <Table label="Amostras" rowCount={rows.length + 1} heightMax="max-h-[500px]">
      <TableHead>
        <Th sticky>Nº</Th>
        <Th>Medida em</Th>
        <Th align="right">Leituras</Th>
        <Th align="right">{isSingle ? 'Valor' : 'Média'}</Th>
        <Th align="right">{isSingle ? 'Amplitude móvel' : 'Amplitude'}</Th>
        <Th>Situação</Th>
        <Th>Lote, máquina, operador</Th>
        <Th align="right" stickyEnd>
          Ações
        </Th>
      </TableHead>
      <LongRows items={newestFirst} keyOf={({ point }) => point.medicao.id} shownKey={idOf(chosen)}>
        {(row, place) => <PointRow row={row} place={place} isChosen={idOf(row.point) === idOf(chosen)} onAct={onAct} />}
      </LongRows>
    </Table>
  )
}

type RowProps = {
  row: Row
  place: RowPlace
  isChosen: boolean
  onAct: Props['onAct']
}

function PlainPointRow({ row, place, isChosen, onAct }: RowProps) {
  const { timeZone } = useSettings()
  const mayRecord = useMay('record')
  const mayPlan = useMay('plans')
  const { point, nth, readings, mean, range, notes } = row
  const { medicao, causa } = point
  const struck = medicao.invalida ? 'line-through' : ''
  return (
    <TableRow place={place} isSelected={isChosen}>
      <Td label="Nº" sticky isThird>
        <span className="font-semibold">{nth}</span>
      </Td>
      <Td label="Medida em" isThird>
        <span className="whitespace-nowrap">{formatRecentInstant(medicao.medidoEm, timeZone)}</span>
      </Td>
      <Td label="Leituras" align="right">
        <span className={`flex flex-wrap justify-end gap-x-3 ${struck}`}>
          {readings.split(' · ').map((reading, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: readings keep their places
            <span key={at}>{reading}</span>
          ))}
        </span>
      </Td>
      <Td label="Média" isThird align="right">
        <span className={struck}>{mean}</span>
      </Td>
      <Td label="Amplitude" isThird align="right">
        <span className={struck}>{range}</span>
      </Td>
      <Td label="Situação" isBlank={notes.length === 0}>
        <span className="flex min-w-40 flex-col gap-1 text-sm max-md:items-end">
          {notes.map(({ tone, text }) => (
            <Note key={text} tone={tone} text={text} />
          ))}
        </span>
      </Td>
      <Td label="Lote, máquina, operador">
        <span className="flex min-w-36 flex-col text-sm text-muted max-md:items-end">
          <span className="code wrap-anywhere">{medicao.lote}</span>
          <span>{medicao.maquina}</span>
          <span>{medicao.operador}</span>
          <HistoryLink place={medicao} act={medicao.id} label={`amostra ${nth}`} />
        </span>
      </Td>
      <Td align="right" stickyEnd>
        <span className="inline-flex gap-2">
          {mayRecord && (
            <IconButton
              label={`${causa ? 'Anotar outra causa' : 'Anotar causa'}: amostra ${nth}`}
              tone="brand"
              icon={<MessageSquarePlus {...icon.md} />}
              onPress={() => onAct({ act: 'cause', point })}
            />
          )}
          {mayPlan && (
            <IconButton
              label={`${medicao.invalida ? 'Devolver às contas' : 'Invalidar'}: amostra ${nth}`}
              tone={medicao.invalida ? 'brand' : 'bad'}
              icon={medicao.invalida ? <Undo2 {...icon.md} /> : <Ban {...icon.md} />}
              onPress={() => onAct({ act: 'invalidate', point })}
            />
          )}
        </span>
      </Td>
    </TableRow>
  )
}
const noteLooks = {
  bad: { look: 'font-semibold text-bad-ink', Icon: Diamond },
  warn: { look: 'font-semibold text-warn-ink', Icon: TriangleAlert },
  neutral: { look: 'text-muted', Icon: null },
} as const

function Note({ tone, text }: Row['notes'][number]) {
  const { look, Icon } = noteLooks[tone]
  return (
    <span className={`flex gap-1 ${look}`}>
      {Icon && <Icon {...icon.sm} className="mt-0.5 shrink-0" />}
      <span className="wrap-anywhere">{text}</span>
    </span>
  )
}

const PointRow = memo(PlainPointRow)
