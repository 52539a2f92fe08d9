import { useQuery } from '@tanstack/react-query'
import { Check, Filter as FilterIcon, FilterX } from 'lucide-react'
import { useRef } from 'react'
import { NAME_LENGTH_MAX } from '../../../contract/applicators.ts'
import { compareNames } from '../../../domain/people/names.ts'
import { isReversed } from '../../../domain/plant/periods.ts'
import { failureText } from '../../parts/Failure.tsx'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { formatCount } from '../../text/format.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../ui/Table.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { type Filters, type Kind, namesQuery, noFilters, words } from './kinds.ts'
import { PeriodBoxes } from './PeriodBoxes.tsx'

type Props = {
  kind: Kind
  filters: Filters
  /** Name shown in the charts now. */
  chosen: string | null
  onFilter: (filters: Filters) => void
  onChoose: (name: string) => void
  onClose: () => void
}

/** More rows than anybody reads through: the filter finds the others. */
const ROWS_MAX = 200

export function FilterDialog(props: Props) {
  const { kind, filters, onFilter, onChoose, onClose } = props
  const { pickTitle, one, many } = words[kind]
  const textBox = useRef<HTMLInputElement>(null)
  const endBox = useRef<HTMLInputElement>(null)
  const change = (changed: Partial<Filters>) => onFilter({ ...filters, ...changed })
  const clear = () => {
    onFilter(noFilters)
    textBox.current?.focus()
  }
  const choose = (name: string) => {
    if (!isReversed(filters)) return onChoose(name)
    endBox.current?.focus()
  }
  const isEmpty = Object.values(filters).every((value) => value === '')
  return (
    <Dialog title={pickTitle} onClose={onClose} width="lg">
      <div className="grid grid-cols-2 items-start gap-x-4 gap-y-3 max-sm:grid-cols-1">
        <PeriodBoxes period={filters} onChange={change} inputRef={endBox} />
      </div>
      <div className="flex items-end gap-2 max-sm:flex-col max-sm:items-stretch">
        <div className="min-w-0 flex-1">
          <TextField
            autoFocus
            inputRef={textBox}
            label={`Filtrar ${many}:`}
            placeholder={`Digite para filtrar por ${one}`}
            value={filters.text}
            onChange={(text) => change({ text })}
            maxLength={NAME_LENGTH_MAX}
            leading={<FilterIcon {...icon.md} />}
          />
        </div>
        <Button size="lg" icon={<FilterX {...icon.md} />} isDisabled={isEmpty} onPress={clear}>
          Limpar filtros
        </Button>
      </div>
      <Names {...props} onChoose={choose} />
    </Dialog>
  )
}

const folded = (text: string) => text.trim().toLocaleLowerCase('pt-BR')

function Names({ kind, filters, chosen, onChoose }: Props) {
  const { one, many } = words[kind]
  const reading = useQuery(namesQuery[kind])
  const { data, isError } = reading
  if (!data || isError) {
    const failureOf = (error: Error) => failureText(error, `Não foi possível carregar os ${many}.`)
    return <ReadingState reading={reading} loadingText={`Carregando ${many}...`} failureOf={failureOf} />
  }
  const matches = data
    .map(({ nome }) => nome)
    .filter((name) => folded(name).includes(folded(filters.text)))
    .toSorted(compareNames)
  const note =
    data.length === 0
      ? `Nenhum ${one} tem crimpagens registradas.`
      : matches.length === 0
        ? `Nenhum ${one} encontrado com os critérios de filtro aplicados.`
        : matches.length > ROWS_MAX
          ? `Mostrando ${ROWS_MAX} de ${formatCount(matches.length)} ${many}. Digite para encontrar os outros.`
          : ''
  return (
    <>
      <p role="status" className="text-muted empty:hidden">
        {note}
      </p>
      {matches.length > 0 && (
        <NamesTable kind={kind} names={matches.slice(0, ROWS_MAX)} chosen={chosen} onChoose={onChoose} />
      )}
    </>
  )
}

type TableProps = Pick<Props, 'kind' | 'chosen' | 'onChoose'> & { names: readonly string[] }

function NamesTable({ kind, names, chosen, onChoose }: TableProps) {
  const { one, pickTitle } = words[kind]
  return (
    <Table label={pickTitle} heightMax="max-h-[min(500px,calc(100dvh-21.75rem))]">
      <TableHead>
        <Th>{one.toLocaleUpperCase('pt-BR')}</Th>
        <Th align="right">AÇÃO</Th>
      </TableHead>
      <TableBody>
        {names.map((name) => (
          <Row key={name} isSelected={name === chosen}>
            <Td>
              <span className="code mr-auto font-medium wrap-anywhere">{name}</span>
              {name === chosen && (
                <span className="md:ml-3">
                  <Badge icon={<Check {...icon.sm} />}>Selecionado</Badge>
                </span>
              )}
            </Td>
            <Td align="right">
              <div className="max-md:w-full md:inline-block">
                <Button
                  wide
                  title={`Selecionar este ${one}`}
                  aria-label={`Selecionar este ${one}: ${name}`}
                  onPress={() => onChoose(name)}
                >
                  Selecionar
                </Button>
              </div>
            </Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  )
}
