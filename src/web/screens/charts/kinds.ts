import { charts, type MonthOfCrimps } from '../../../contract/charts.ts'
import { call } from '../../server/api.ts'
import { query, type Reading } from '../../server/query.ts'

export const kinds = ['applicators', 'terminals'] as const
export type Kind = (typeof kinds)[number]

/** Crimps of one item: in all, and of each of the other kind that it worked with. */
export type CrimpsOfItem = {
  perMonth: readonly MonthOfCrimps[]
  parts: readonly { name: string; points: readonly MonthOfCrimps[] }[]
}

type Query = { inicio?: string; fim?: string }

type Words = {
  /** In the address. */
  tab: string
  title: string
  one: string
  many: string
  pickTitle: string
  pickHint: string
  partsTitle: string
}

export const words: Record<Kind, Words> = {
  applicators: {
    tab: 'mini-aplicadores',
    title: 'Análise de Mini aplicadores',
    one: 'mini aplicador',
    many: 'mini aplicadores',
    pickTitle: 'Selecionar Mini Aplicador',
    pickHint: 'Selecione um Mini Aplicador',
    partsTitle: 'Crimpagens por Terminal',
  },
  terminals: {
    tab: 'terminais',
    title: 'Análise de Terminais',
    one: 'terminal',
    many: 'terminais',
    pickTitle: 'Selecionar Terminal',
    pickHint: 'Selecione um Terminal',
    partsTitle: 'Crimpagens por Mini Aplicador',
  },
}

export const namesQuery: Record<Kind, Reading<{ nome: string }[]>> = {
  applicators: query(charts.listApplicators, {}),
  terminals: query(charts.listTerminals, {}),
}

export const crimpsQuery: Record<Kind, (nome: string, period: Query) => Reading<CrimpsOfItem>> = {
  applicators: (nome, period) => {
    const parts = { params: { nome }, query: period }
    const read = async (signal: AbortSignal) => {
      const { porMes, porTerminal } = await call(charts.ofApplicator, parts, { signal })
      return {
        perMonth: porMes,
        parts: porTerminal.map(({ terminal, pontos }) => ({ name: terminal, points: pontos })),
      }
    }
    return query(charts.ofApplicator, parts, { read })
  },
  terminals: (nome, period) => {
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
