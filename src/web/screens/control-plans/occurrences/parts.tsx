import { ChevronLeft, ChevronRight, ClipboardCheck, ClipboardPen, SearchX } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from 'react'
import {
  OCCURRENCES_PAGE,
  type Situation,
  situations,
  TREATMENT_LENGTH_MAX,
  type Treatment,
} from '../../../../contract/treatments.ts'
import { saysSomething } from '../../../../contract/values.ts'
import { isReversed } from '../../../../domain/plant/periods.ts'
import { dayText } from '../../../../domain/plant/plant-time.ts'
import {
  type DayCount,
  dayCounts,
  kindRows,
  situationTexts,
  treatedText,
} from '../../../../domain/quality/occurrences.ts'
import { Chart } from '../../../parts/charts/Chart.tsx'
import type { ChartContent } from '../../../parts/charts/content.ts'
import { DayField } from '../../../parts/fields/PeriodFields.tsx'
import { PlantChoice } from '../../../parts/fields/PlantChoice.tsx'
import { useMay } from '../../../parts/permissions.tsx'
import { ExportButton } from '../../../parts/ServerFile.tsx'
import { useSettings } from '../../../parts/settings.ts'
import { useSave } from '../../../server/save.ts'
import { formatCount, formatInstant } from '../../../text/format.ts'
import { Button } from '../../../ui/Button.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { icon } from '../../../ui/icon-sizes.ts'
import { EmptyState } from '../../../ui/Page.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextArea } from '../../../ui/TextField.tsx'

export const REREAD_MS = 60_000

/** Chosen filters; one left out is not asked for. */
export type OccurrenceFilter = {
  filial?: string
  inicio?: string
  fim?: string
  situacao?: Situation
  liberadoPor?: string
}

/** As it was answered: the period that holds without a choice too. */
type Answered = { inicio: string; fim: string; liberadores: string[] }

/** Days of what is chosen, else of what is shown. */
const periodOf = (filter: OccurrenceFilter, answered: Answered | undefined) => ({
  start: filter.inicio ?? answered?.inicio ?? '',
  end: filter.fim ?? answered?.fim ?? '',
})

/** Filters and page of a list. Another choice begins at the first page. */
export function useFilter<Filter extends OccurrenceFilter>() {
  const [filter, setFilter] = useState({} as Filter)
  const [page, setPage] = useState(1)
  const choose = (name: keyof Filter & string, chosen: string) => {
    // one that was taken back is no part of a request
    const choices = Object.entries({ ...filter, [name]: chosen }).filter(([, value]) => value !== '')
    setFilter(Object.fromEntries(choices) as Filter)
    setPage(1)
  }
  return { filter, page, setPage, choose, isWrong: isReversed(periodOf(filter, undefined)) }
}

type FiltersProps = {
  filter: OccurrenceFilter
  answered: Answered | undefined
  onChoose: (name: keyof OccurrenceFilter, chosen: string) => void
  /** The kind, which each list has its own of. */
  children: ReactNode
  file: { ask: () => Promise<Blob>; nameOf: (from: string, to: string) => string }
}

export function Filters({ filter, answered, onChoose, children, file }: FiltersProps) {
  const { plants } = useSettings()
  const period = periodOf(filter, answered)
  const isWrong = isReversed(period)
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(10rem,1fr))] items-start gap-4">
      {plants.length > 1 && (
        <div className="max-md:col-span-full md:col-span-3">
          <PlantChoice hasAll value={filter.filial ?? ''} onChange={(code) => onChoose('filial', code)} />
        </div>
      )}
      {children}
      <SelectField
        label="Situação"
        placeholder="Todas"
        options={situations}
        textOf={(one) => situationTexts[one]}
        value={filter.situacao ?? ''}
        onChange={(one) => onChoose('situacao', one)}
      />
      <SelectField
        label="Liberado por"
        placeholder="Todos"
        options={answered?.liberadores ?? []}
        textOf={(name) => name}
        value={filter.liberadoPor ?? ''}
        onChange={(name) => onChoose('liberadoPor', name)}
      />
      <DayField label="Início" value={period.start} onChange={(day) => onChoose('inicio', day)} />
      <DayField
        label="Fim"
        value={period.end}
        onChange={(day) => onChoose('fim', day)}
        error={isWrong ? 'O fim vem antes do início' : undefined}
      />
      <div className="max-md:col-span-full md:pt-6 *:w-full">
        <ExportButton
          size="lg"
          ask={file.ask}
          nameOf={() => file.nameOf(period.start, period.end)}
          isDisabled={isWrong || answered === undefined}
        />
      </div>
    </div>
  )
}

type PagesProps = { page: number; total: number; one: string; more: string; onTurn: (page: number) => void }

/** How many there are, and the way to those that are not shown. */
export function Pages({ page, total, one, more, onTurn }: PagesProps) {
  const last = Math.max(1, Math.ceil(total / OCCURRENCES_PAGE))
  const isPast = page > last
  const turnBack = useEffectEvent(() => onTurn(last))
  useEffect(() => {
    // its entries have gone from the list
    if (isPast) turnBack()
  }, [isPast])
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p role="status" className="text-muted">
        {total === 1 ? `1 ${one}` : `${formatCount(total)} ${more}`}
      </p>
      {last > 1 && (
        <div className="flex flex-wrap items-center gap-2">
          <Button icon={<ChevronLeft {...icon.md} />} isDisabled={page <= 1} onPress={() => onTurn(page - 1)}>
            Mais novas
          </Button>
          <span className="px-1 text-muted">
            Página {formatCount(page)} de {formatCount(last)}
          </span>
          <Button icon={<ChevronRight {...icon.md} />} isDisabled={page >= last} onPress={() => onTurn(page + 1)}>
            Mais antigas
          </Button>
        </div>
      )}
    </div>
  )
}

/** `one`: an entry of the list, of which a filter finds none. */
export const Nothing = ({ filter, one, children }: { filter: OccurrenceFilter; one: string; children: string }) =>
  Object.keys(filter).length > 0 ? (
    <EmptyState icon={<SearchX {...icon.xl} />}>Nenhuma {one} encontrada com os filtros aplicados.</EmptyState>
  ) : (
    <EmptyState icon={<ClipboardCheck {...icon.xl} />}>{children}</EmptyState>
  )

const namesOf = (kinds: readonly string[], nameOf: DaysProps['nameOf']): string =>
  kinds.length === 1 ? kinds.map(nameOf).join('') : 'Outras'

type DaysProps = {
  title: string
  unit: string
  dias: readonly DayCount[]
  /** Name of a kind, as a server counts them. */
  nameOf: (kind: string) => string
  inicio: string
  fim: string
}

/** A bar a day of the period, its kinds on each other. */
export function Days({ title, unit, dias, nameOf, inicio, fim }: DaysProps) {
  const content = useMemo((): ChartContent => {
    const days = dayCounts(dias, { from: inicio, to: fim })
    const rows = kindRows(days)
    const total = { name: title, values: days.map((day) => day.total) }
    return {
      ...{ kind: 'bar', isStacked: true, isLow: true, title, unit, categoryName: 'Dia' },
      categories: days.map(({ dia }) => dayText(dia).slice(0, 5)),
      series: rows.length === 0 ? [total] : rows.map(({ kinds, values }) => ({ name: namesOf(kinds, nameOf), values })),
    }
  }, [title, unit, dias, nameOf, inicio, fim])
  return <Chart content={content} />
}

type TreatedProps = {
  situation: Situation
  treatments: readonly Treatment[]
  /** Says of which row a button is. */
  label: string
  onTreat: () => void
}

/** Where an occurrence stands, and what can be done about it. */
export function Treated({ situation, treatments, label, onTreat }: TreatedProps) {
  const mayTreat = useMay('plans')
  const last = treatments.at(-1)
  return (
    <span className="flex flex-col gap-1 max-md:items-end">
      <span className={situation === 'aberta' ? 'font-semibold' : 'text-muted'}>
        {treatedText(treatments) || situationTexts[situation]}
      </span>
      {last && <span className="text-sm wrap-anywhere max-md:text-right">{last.texto}</span>}
      {mayTreat && (
        <Button icon={<ClipboardPen {...icon.sm} />} aria-label={`Tratar ${label}`} onPress={onTreat}>
          Tratar
        </Button>
      )}
    </span>
  )
}

type DialogProps = {
  title: string
  treatments: readonly Treatment[]
  send: (text: string) => Promise<unknown>
  changes: Parameters<typeof useSave>[0]['changes']
  onClose: () => void
}

/** Adds a treatment. Written ones stay; a correction is one more line. Mounted while it is open. */
export function TreatDialog({ title, treatments, send, changes = [], onClose }: DialogProps) {
  const { timeZone } = useSettings()
  const [text, setText] = useState('')
  const { save, isBusy, failure } = useSave({
    send: () => send(text.trim()),
    changes,
    toast: 'Tratamento anotado.',
    onSaved: onClose,
  })
  return (
    <FormDialog
      title={title}
      width="md"
      isValid={saysSomething(text)}
      isBusy={isBusy}
      error={failure}
      onSave={() => save()}
      onClose={onClose}
    >
      {treatments.length > 0 && (
        <ul aria-label="Já anotado" className="flex flex-col gap-2">
          {treatments.map(({ por, em, texto }) => (
            <li key={`${em} ${texto}`}>
              <span className="text-sm text-muted">
                {formatInstant(em, timeZone)} · {por}
              </span>
              <p className="whitespace-pre-line wrap-anywhere">{texto}</p>
            </li>
          ))}
        </ul>
      )}
      <TextArea label="O que foi feito" value={text} onChange={setText} maxLength={TREATMENT_LENGTH_MAX} />
    </FormDialog>
  )
}
