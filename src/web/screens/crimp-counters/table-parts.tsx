import { Circle, CircleAlert, CircleDot, type LucideIcon, RefreshCw, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { NAME_LENGTH_MAX } from '../../../contract/applicators.ts'
import { type CrimpCounter, UNLIMITED } from '../../../contract/crimp-counters.ts'
import { type WearLevel, wearLevel } from '../../../domain/tools/crimp-counters.ts'
import { FilterField } from '../../parts/FilterField.tsx'
import { errorText } from '../../server/api.ts'
import { formatCount } from '../../text/format.ts'
import { RetryAlert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Spinner } from '../../ui/Spinner.tsx'
import { LOAD_FAILED, limitText, type Reading } from './counters.ts'

/** The failed action, and on a line of its own the reason. */
export const failureText = (what: string, error: unknown): ReactNode => (
  <>
    <span className="block">{what}</span>
    <span className="block text-sm">{errorText(error)}</span>
  </>
)

export const ListFailure = ({ reading: { error, isLoading, refresh } }: { reading: Reading }) =>
  error && (
    <RetryAlert isUntitled isRetrying={isLoading} onRetry={refresh}>
      {failureText(LOAD_FAILED, error)}
    </RetryAlert>
  )

export const ListLoading = () => <Spinner>Carregando controle de crimpagens...</Spinner>

const looks: Record<WearLevel, { look: string; word: string }> = {
  reached: { look: 'font-bold text-bad-ink', word: 'limite atingido' },
  near: { look: 'font-medium text-warn-ink', word: 'perto do limite' },
  fine: { look: 'font-medium text-ok-ink', word: 'abaixo do limite' },
  unlimited: { look: 'font-medium text-ok-ink', word: '' },
}

type LimitProps = { unit: Pick<CrimpCounter, 'numberOfCrimps' | 'limitOfCrimps'>; warningPercent: number }

/** The limit in the colour of how near it is, with a sign where it asks for attention. */
export function Limit({ unit, warningPercent }: LimitProps) {
  const level = wearLevel(unit, warningPercent)
  const { look, word } = looks[level]
  return (
    <span className={`inline-flex items-center gap-1.5 whitespace-nowrap ${look}`}>
      {level === 'reached' && <CircleAlert {...icon.sm} />}
      {level === 'near' && <TriangleAlert {...icon.sm} />}
      {limitText(unit.limitOfCrimps)}
      {unit.limitOfCrimps !== UNLIMITED && <span className="sr-only">, {word}</span>}
    </span>
  )
}

/** The name of a mini applicator: a usual one is never broken. */
export const UnitName = ({ children }: { children: string }) => (
  <strong
    className={`code text-lg md:max-lg:text-base ${children.length <= 14 ? 'whitespace-nowrap' : 'wrap-anywhere'}`}
  >
    {children}
  </strong>
)

type SelectButtonProps = {
  children: string
  isSelected: boolean
  onSelect: (byKeyboard: boolean) => void
}

/** The name of a row, which selects it. */
export const SelectButton = ({ children, isSelected, onSelect }: SelectButtonProps) => (
  <button
    type="button"
    aria-pressed={isSelected}
    onClick={(event) => {
      // The row hears presses too.
      event.stopPropagation()
      onSelect(event.detail === 0)
    }}
    className="inline-flex min-h-11 items-center gap-2 rounded-md text-left max-md:mr-auto"
  >
    {isSelected ? (
      <CircleDot {...icon.md} className="shrink-0 text-brand-ink" />
    ) : (
      <Circle {...icon.md} className="shrink-0 text-muted" />
    )}
    <UnitName>{children}</UnitName>
  </button>
)

export const DEBOUNCE_MS = 300

export type Filter = {
  typed: string
  change: (typed: string) => void
  /** The filter in use: trimmed, once nothing was typed for 300 ms. */
  applied: string
}

export function useFilter(): Filter {
  const [typed, change] = useState('')
  const [applied, setApplied] = useState('')
  const trimmed = typed.trim()
  useEffect(() => {
    const timer = setTimeout(() => setApplied(trimmed), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [trimmed])
  return { typed, change, applied }
}

type Props = {
  filter: Filter
  reading: Reading
  /** 'Mostrando 3 de 30 mini aplicadores'; said of what was read. */
  countText: string
  /** Files offered for download. */
  files?: readonly { text: string; Icon: LucideIcon; isBusy: boolean; onPress: () => void }[]
}

export function FilterRow({ filter, reading, countText, files = [] }: Props) {
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
      <div className="min-w-60 flex-1 max-md:min-w-full">
        <FilterField
          label="Filtrar por mini aplicador"
          placeholder="Digite para filtrar"
          value={filter.typed}
          onChange={filter.change}
          maxLength={NAME_LENGTH_MAX}
        />
      </div>
      <div className="flex flex-wrap gap-2 max-md:w-full max-md:*:grow">
        {files.map(({ text, Icon, isBusy, onPress }) => (
          <Button
            key={text}
            size="lg"
            icon={<Icon {...icon.md} />}
            busy={isBusy}
            busyText="EXPORTANDO..."
            onPress={onPress}
          >
            {text}
          </Button>
        ))}
        {/* as wide as its longer text: it is read again whenever somebody changes a unit */}
        <div className="grid" style={{ minWidth: '13.5rem' }}>
          <Button
            size="lg"
            icon={<RefreshCw {...icon.md} />}
            busy={reading.isLoading}
            busyText="CARREGANDO..."
            onPress={reading.refresh}
          >
            ATUALIZAR
          </Button>
        </div>
      </div>
      <p role="status" className="w-full text-sm text-muted">
        {reading.isFirst || reading.error ? '\u00a0' : countText}
      </p>
    </div>
  )
}

/** Title of a tab. The count comes later than the tab, in room that it leaves at its right: no tab beside it moves. */
export const counted = (title: string, count: number | undefined): ReactNode => (
  <>
    {title}{' '}
    <span className="inline-block text-left" style={{ minWidth: '3.25ch' }}>
      {`(${count === undefined ? '…' : formatCount(count)})`}
    </span>
  </>
)
