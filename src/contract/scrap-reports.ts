import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { csvAnswer } from './files.ts'
import { scrapStages } from './scrap-reasons.ts'
import { BranchCode, Day } from './values.ts'

/** The columns that scrap may be broken down by. No person is among them: the figure judges a process. */
export const scrapGroupings = ['motivo', 'maquina', 'miniaplicador', 'terminal', 'ordem', 'dia'] as const
export type ScrapGrouping = (typeof scrapGroupings)[number]

/** More lines than anybody prints. The totals are of all. */
export const SCRAP_LINES_MAX = 5000

/** Parts per million of the good pieces and what was scrapped beside them; null where there are neither. */
const ppm = z.nullable(z.int())

export const ScrapLine = z.strictObject({
  /** A reason's text, a day (`YYYY-MM-DD`), a machine…; empty where nothing is named. */
  nome: z.string(),
  pecas: z.int(),
  /** Share of all, cut off. */
  permil: z.int(),
  /** Share of this line and those before. */
  acumulado: z.int(),
  /** By reason of all that was produced, else of the line's own. */
  ppm,
  /** Repaired pieces, which are among the good ones. */
  retrabalho: z.int(),
})
export type ScrapLine = z.infer<typeof ScrapLine>

const ScrapTotals = z.strictObject({ pecas: z.int(), ppm, retrabalho: z.int() })

export const ScrapReport = z.strictObject({
  /** Days in their order, anything else by its pieces. */
  linhas: z.array(ScrapLine),
  totais: ScrapTotals,
  /** How many lines there are, also beyond those given. */
  linhasTotal: z.int(),
})
export type ScrapReport = z.infer<typeof ScrapReport>

/** Both days belong to the period; without a plant it is of all, without a stage of every one. */
const query = z.strictObject({
  inicio: Day,
  fim: Day,
  por: z.enum(scrapGroupings),
  filial: z.optional(BranchCode),
  etapa: z.optional(z.enum(scrapStages)),
  /** With the pieces of set-ups and tests. */
  processo: z.optional(z.enum(['sim'])),
})
export type ScrapQuery = z.infer<typeof query>

export const scrapReports = {
  get: endpoint({
    path: '/api/relatorios/refugo',
    summary: 'Refugo de um período por motivo, máquina, mini aplicador, terminal, ordem ou dia, com ppm e retrabalho',
    access: 'read',
    heavy: true,
    query,
    reply: ScrapReport,
    refusals: ['period_reversed', 'unknown_plant'],
  }),
  csv: endpoint({
    path: '/api/relatorios/refugo/csv',
    summary: 'O relatório de refugo para planilha',
    access: 'read',
    heavy: true,
    ...csvAnswer,
    query,
    refusals: ['period_reversed', 'unknown_plant'],
  }),
}
