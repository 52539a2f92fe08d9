import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { charts, type MonthOfCrimps } from '../../../contract/charts.ts'
import type { Forecast } from '../../../contract/crimp-counters.ts'
import type { Period } from '../../../domain/plant/periods.ts'
import { call } from '../../server/api.ts'
import { query, type Reading } from '../../server/query.ts'
import type { periodQuery } from './PeriodBoxes.tsx'

/** As the address names them. */
export const kinds = ['mini-aplicadores', 'terminais'] as const
export type Kind = (typeof kinds)[number]

/** Fields of the dialog, applied or not. */
export type Filters = Period & { text: string }

/** The charts' present choice. */
export type Choice = Period & { name: string }

type Choices = { filters: Filters; choice: Choice | null }

export const noFilters: Filters = { start: '', end: '', text: '' }

const empty: Choices = { filters: noFilters, choice: null }

const wornQuery = query(charts.listApplicators, {})

/** The most worn of the tools that have a limit, and how worn it is. */
export type Worn = { nome: string; usoPercentual: number }

/** Null where none is worn, undefined until that is known. It stays the one that it was first: nothing changes under the eyes. */
function useMostWorn(): Worn | null | undefined {
  const [first, setFirst] = useState<Worn | null>()
  const { data, isError } = useQuery(wornQuery)
  if (first === undefined && data) {
    const [most] = data.toSorted((one, other) => other.usoPercentual - one.usoPercentual)
    setFirst(most && most.usoPercentual > 0 ? most : null)
  }
  return isError ? (first ?? null) : first
}

/** Choices of each kind of chart, kept as long as this screen is open. Before the first one the most worn tool is chosen. */
export function useChoices() {
  const [chosen, setChoices] = useState<Record<Kind, Choices>>({ 'mini-aplicadores': empty, terminais: empty })
  const worn = useMostWorn()
  const tools = chosen['mini-aplicadores']
  const first = worn ? { name: worn.nome, start: '', end: '' } : null
  const choices = { ...chosen, 'mini-aplicadores': { ...tools, choice: tools.choice ?? first } }
  const change = (kind: Kind, changed: Partial<Choices>) =>
    setChoices((before) => ({ ...before, [kind]: { ...before[kind], ...changed } }))
  return {
    choices,
    /** The tool shown by default, if it is shown. */
    worn: tools.choice === null ? worn : null,
    filter: (kind: Kind, filters: Filters) => change(kind, { filters }),
    choose: (kind: Kind, name: string) => {
      const { start, end } = choices[kind].filters
      change(kind, { choice: { name, start, end } })
    },
  }
}

/** Crimps of one item: in all, and of each of the other kind that it worked with. */
export type CrimpsOfItem = {
  perMonth: readonly MonthOfCrimps[]
  parts: readonly { name: string; points: readonly MonthOfCrimps[] }[]
  /** Wear of a tool at the end of each month, its limit (null: none), and when it reaches that. */
  wear?: { limit: number | null; points: readonly MonthOfCrimps[]; forecast: Forecast | undefined }
}

type Words = {
  title: string
  one: string
  many: string
  pickTitle: string
  pickHint: string
  partsTitle: string
}

export const words: Record<Kind, Words> = {
  'mini-aplicadores': {
    title: 'Análise de Mini aplicadores',
    one: 'mini aplicador',
    many: 'mini aplicadores',
    pickTitle: 'Selecionar Mini Aplicador',
    pickHint: 'Selecione um Mini Aplicador',
    partsTitle: 'Crimpagens por Terminal',
  },
  terminais: {
    title: 'Análise de Terminais',
    one: 'terminal',
    many: 'terminais',
    pickTitle: 'Selecionar Terminal',
    pickHint: 'Selecione um Terminal',
    partsTitle: 'Crimpagens por Mini Aplicador',
  },
}

export const namesQuery: Record<Kind, Reading<{ nome: string }[]>> = {
  'mini-aplicadores': wornQuery,
  terminais: query(charts.listTerminals, {}),
}

export const crimpsQuery: Record<
  Kind,
  (nome: string, period: ReturnType<typeof periodQuery>) => Reading<CrimpsOfItem>
> = {
  'mini-aplicadores': (nome, period) => {
    const parts = { params: { nome }, query: period }
    const read = async (signal: AbortSignal) => {
      const { porMes, porTerminal, limite, desdeManutencao, previsao } = await call(charts.ofApplicator, parts, {
        signal,
      })
      return {
        perMonth: porMes,
        parts: porTerminal.map(({ terminal, pontos }) => ({ name: terminal, points: pontos })),
        wear: { limit: limite, points: desdeManutencao, forecast: previsao },
      }
    }
    return query(charts.ofApplicator, parts, { read })
  },
  terminais: (nome, period) => {
    const parts = { params: { nome }, query: period }
    const read = async (signal: AbortSignal) => {
      const { porMes, porMiniAplicador } = await call(charts.ofTerminal, parts, { signal })
      return {
        perMonth: porMes,
        parts: porMiniAplicador.map(({ miniAplicador, pontos }) => ({ name: miniAplicador, points: pontos })),
      }
    }
    return query(charts.ofTerminal, parts, { read })
  },
}
