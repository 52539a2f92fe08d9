import { Pencil, Trash2 } from 'lucide-react'
import { memo, type ReactNode, useMemo } from 'react'
import { compareNames } from '../../../domain/people/names.ts'
import { formatCount, formatInstant } from '../../text/format.ts'
import { IconButton } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { useSorted } from '../../ui/sorting.ts'
import { Row, type RowPlace, Table, TableHead, Td, Th } from '../../ui/Table.tsx'
import { useSettings } from '../settings.ts'
import { folded, type Management, type Pair, type PairAct, type PairForm, pairText } from './management.ts'

type Comparison<Field extends string> = (one: Pair<Field>, other: Pair<Field>) => number

function comparisons<Field extends string>({ fields: [first, second] }: Management<Field>) {
  const byNames =
    (leading: Field, trailing: Field): Comparison<Field> =>
    (one, other) =>
      compareNames(one[leading], other[leading]) || compareNames(one[trailing], other[trailing])
  const byInstant =
    (name: 'createdAt' | 'updatedAt'): Comparison<Field> =>
    (one, other) =>
      Date.parse(one[name]) - Date.parse(other[name])
  return {
    first: byNames(first.name, second.name),
    second: byNames(second.name, first.name),
    createdAt: byInstant('createdAt'),
    updatedAt: byInstant('updatedAt'),
  }
}

type Props<Field extends string> = {
  management: Management<Field>
  /** Null: nothing may be changed. */
  onAct: ((act: PairAct<Field>) => void) | null
  pairs: readonly Pair<Field>[]
  filters: PairForm<Field>
  /** In place of the table when no pair fits the filters. */
  noMatch: ReactNode
}

export function PairTable<Field extends string>({ management, pairs, filters, noMatch, onAct }: Props<Field>) {
  const { fields, texts } = management
  const { timeZone } = useSettings()
  const compare = useMemo(() => comparisons(management), [management])
  const { sorted, sortOf } = useSorted(pairs, compare, { by: 'first', direction: 'ascending' })
  const shown = useMemo(() => {
    const wanted = fields.map(({ name }) => ({ name, text: folded(filters[name]) }))
    return sorted.filter((pair) =>
      wanted.every(({ name, text }) => pair[name].toLocaleLowerCase('pt-BR').includes(text)),
    )
  }, [sorted, filters, fields])
  const [first, second] = fields
  if (shown.length === 0) return noMatch
  return (
    <div className="flex flex-col gap-2">
      <Table label={texts.list} heightMax="max-h-[min(600px,calc(100dvh-6rem))]" rowCount={shown.length + 1}>
        <TableHead isSortable>
          <Th sticky sort={sortOf('first')} width="md:w-1/2">
            {first.label}
          </Th>
          <Th sort={sortOf('second')} width="md:w-1/2">
            {second.label}
          </Th>
          <Th sort={sortOf('createdAt')}>Criado em</Th>
          <Th sort={sortOf('updatedAt')}>Modificação</Th>
          {onAct && (
            <Th align="right" stickyEnd>
              Ações
            </Th>
          )}
        </TableHead>
        <LongRows items={shown} keyOf={(pair) => String(pair.id)}>
          {(pair, place) => (
            <PairRow management={management} pair={pair} timeZone={timeZone} onAct={onAct} {...place} />
          )}
        </LongRows>
      </Table>
      <p role="status" className="text-sm text-muted">
        {countText(shown.length, pairs.length)}
      </p>
    </div>
  )
}

const countText = (shown: number, total: number) => {
  const all = `${formatCount(total)} ${total === 1 ? 'registro' : 'registros'}`
  return shown === total ? all : `${formatCount(shown)} de ${all}`
}

type RowProps<Field extends string> = Pick<Props<Field>, 'management' | 'onAct'> &
  RowPlace & { pair: Pair<Field>; timeZone: string }

function PlainPairRow<Field extends string>({ management, pair, timeZone, onAct, ...place }: RowProps<Field>) {
  const [first, second] = management.fields
  const named = pairText(management, pair)
  return (
    <Row place={place}>
      <Td label={first.label} sticky>
        <Name>{pair[first.name]}</Name>
      </Td>
      <Td label={second.label}>
        <Name>{pair[second.name]}</Name>
      </Td>
      <Td label="Criado em">
        <Moment>{formatInstant(pair.createdAt, timeZone)}</Moment>
      </Td>
      <Td label="Modificação">
        <Moment>{formatInstant(pair.updatedAt, timeZone)}</Moment>
      </Td>
      {onAct && (
        <Td align="right" stickyEnd>
          <span className="inline-flex gap-2">
            <IconButton
              label={`Editar ${named}`}
              tone="brand"
              icon={<Pencil {...icon.md} />}
              onPress={() => onAct({ act: 'edit', pair })}
            />
            <IconButton
              label={`Excluir ${named}`}
              tone="bad"
              icon={<Trash2 {...icon.md} />}
              onPress={() => onAct({ act: 'delete', pair })}
            />
          </span>
        </Td>
      )}
    </Row>
  )
}
const PairRow = memo(PlainPairRow) as typeof PlainPairRow

const Name = ({ children }: { children: string }) => <span className="code font-medium wrap-anywhere">{children}</span>

const Moment = ({ children }: { children: string }) => (
  <span className="text-muted md:max-lg:text-sm lg:whitespace-nowrap">{children}</span>
)
