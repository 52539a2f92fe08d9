import { charts, type MonthOfCrimps } from '../../../contract/charts.ts'
import { call } from '../../server/api.ts'

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

export const listNames: Record<Kind, (signal: AbortSignal) => Promise<{ nome: string }[]>> = {
  applicators: (signal) => call(charts.listApplicators, {}, { signal }),
  terminals: (signal) => call(charts.listTerminals, {}, { signal }),
}

type Read = (nome: string, query: Query, signal: AbortSignal) => Promise<CrimpsOfItem>

export const readCrimps: Record<Kind, Read> = {
  applicators: async (nome, query, signal) => {
    const { porMes, porTerminal } = await call(charts.ofApplicator, { params: { nome }, query }, { signal })
    return { perMonth: porMes, parts: porTerminal.map(({ terminal, pontos }) => ({ name: terminal, points: pontos })) }
  },
  terminals: async (nome, query, signal) => {
    const { porMes, porMiniAplicador } = await call(charts.ofTerminal, { params: { nome }, query }, { signal })
    const parts = porMiniAplicador.map(({ miniAplicador, pontos }) => ({ name: miniAplicador, points: pontos }))
    return { perMonth: porMes, parts }
  },
}
