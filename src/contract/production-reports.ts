import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { BranchCode, Day, Instant } from './values.ts'

/** The columns a report may be broken down by. */
export const groupings = ['dia', 'turno', 'ordem', 'maquina', 'operador', 'miniaplicador', 'terminal'] as const
export type Grouping = (typeof groupings)[number]

/** A shift that is asked for by name: the one that is on, or the one before it. */
export const askedShifts = ['este', 'anterior'] as const
export type AskedShift = (typeof askedShifts)[number]
/** Shifts are read from recordings: of no more days at once. */
export const SHIFT_DAYS_MAX = 31

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

/** `nome`: a day (`YYYY-MM-DD`), a shift (`YYYY-MM-DD HH:MM a HH:MM`), an order, a machine…; empty where a recording names none. */
export const ProductionLine = z.strictObject({ nome: z.string(), ...amounts })
export type ProductionLine = z.infer<typeof ProductionLine>

export const ProductionReport = z.strictObject({
  /** Days in their order, anything else by its name, what has none at the end. */
  linhas: z.array(ProductionLine),
  totais: ProductionTotals,
  /** How many lines there are, also beyond those given. */
  linhasTotal: z.int(),
  /** When the shift was that was asked for. Servers of the version before leave these out. */
  turno: z.optional(z.strictObject({ inicio: Instant, fim: Instant })),
  /** Totals of the period before, as far as this one has come; left out of more than a month. */
  antes: z.optional(ProductionTotals),
  /** Recordings of which somebody said that their values were not measured; left out of more than a month. */
  naoMedidos: z.optional(z.int()),
})
export type ProductionReport = z.infer<typeof ProductionReport>

/** What one person made in the shift that is on. */
const OwnShift = z.strictObject({
  turno: z.strictObject({ inicio: Instant, fim: Instant }),
  totais: ProductionTotals,
  naoMedidos: z.int(),
  /** Pieces of each hour, from the beginning of the shift on. */
  porHora: z.array(z.int()),
})

export const productionReports = {
  get: endpoint({
    path: '/api/relatorios/producao',
    summary: 'Produção de um período por dia, turno, ordem, máquina, operador, mini aplicador ou terminal',
    access: 'read',
    heavy: true,
    /** Both days belong to the period, in place of which a shift may be named; without a plant it is of all. */
    query: z
      .strictObject({
        inicio: z.optional(Day),
        fim: z.optional(Day),
        turno: z.optional(z.enum(askedShifts)),
        por: z.enum(groupings),
        filial: z.optional(BranchCode),
      })
      .check(
        z.refine(({ turno, inicio, fim }) => turno !== undefined || (inicio !== undefined && fim !== undefined), {
          error: 'Informe o período ou o turno',
          path: ['inicio'],
        }),
      ),
    reply: ProductionReport,
    refusals: ['period_reversed', 'period_too_long', 'unknown_plant'],
  }),
  ownShift: endpoint({
    path: '/api/relatorios/meu-turno',
    summary: 'O que quem chama apontou neste turno, por hora, e quantos sem medir',
    access: 'read',
    reply: OwnShift,
    live: ['crimp-counters', 'pending-recordings'],
  }),
}
