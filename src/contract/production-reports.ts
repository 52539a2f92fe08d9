import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { BranchCode, Day } from './values.ts'

/** The columns a report may be broken down by. */
export const groupings = ['dia', 'ordem', 'maquina', 'operador', 'miniaplicador', 'terminal'] as const
export type Grouping = (typeof groupings)[number]

/** More lines than anybody prints. The totals are of all. */
export const REPORT_LINES_MAX = 5000

const amounts = {
  apontamentos: z.int(),
  /** Pieces cut. */
  cortes: z.int(),
  /** Pieces crimped, both sides. */
  crimpagens: z.int(),
  /** Pieces joined. */
  juncoes: z.int(),
}

export const ProductionTotals = z.strictObject(amounts)
export type ProductionTotals = z.infer<typeof ProductionTotals>

/** `nome`: a day (`YYYY-MM-DD`), an order, a machine…; empty where a recording names none. */
export const ProductionLine = z.strictObject({ nome: z.string(), ...amounts })
export type ProductionLine = z.infer<typeof ProductionLine>

export const ProductionReport = z.strictObject({
  /** Days in their order, anything else by its name, what has none at the end. */
  linhas: z.array(ProductionLine),
  totais: ProductionTotals,
  /** How many lines there are, also beyond those given. */
  linhasTotal: z.int(),
})
export type ProductionReport = z.infer<typeof ProductionReport>

export const productionReports = {
  get: endpoint({
    path: '/api/relatorios/producao',
    summary: 'Produção de um período por dia, ordem, máquina, operador, mini aplicador ou terminal',
    access: 'read',
    heavy: true,
    /** Both days belong to the period; without a plant it is of all. */
    query: z.strictObject({ inicio: Day, fim: Day, por: z.enum(groupings), filial: z.optional(BranchCode) }),
    reply: ProductionReport,
    refusals: ['period_reversed', 'unknown_plant'],
  }),
}
