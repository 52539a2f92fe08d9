import * as z from 'zod/mini'
import { NAME_LENGTH_MAX } from './applicators.ts'
import { Forecast } from './crimp-counters.ts'
import { endpoint } from './endpoint.ts'
import { Day, text } from './values.ts'

/** Crimps of one month (`yyyy-MM` at the plant). Months without crimps are not listed. */
export const MonthOfCrimps = z.strictObject({ mes: z.string(), crimpagens: z.int() })
export type MonthOfCrimps = z.infer<typeof MonthOfCrimps>

export const ApplicatorChart = z.strictObject({
  porMes: z.array(MonthOfCrimps),
  porTerminal: z.array(z.strictObject({ terminal: z.string(), pontos: z.array(MonthOfCrimps) })),
  /** Crimps allowed between two maintenances; null without a limit. */
  limite: z.nullable(z.int()),
  /** Crimps since the last maintenance at the end of each month, from the first of `porMes` to the last, none left out. */
  desdeManutencao: z.array(MonthOfCrimps),
  /** When the limit will be reached; servers of the version before leave it out. */
  previsao: z.optional(Forecast),
})
export type ApplicatorChart = z.infer<typeof ApplicatorChart>

export const TerminalChart = z.strictObject({
  porMes: z.array(MonthOfCrimps),
  /** Crimps that no registered tool made stand under `UNREGISTERED`. */
  porMiniAplicador: z.array(z.strictObject({ miniAplicador: z.string(), pontos: z.array(MonthOfCrimps) })),
})
export type TerminalChart = z.infer<typeof TerminalChart>

const Names = z.array(z.strictObject({ nome: z.string() }))
/** In percent of its limit; 0 without one. */
const Worn = z.array(z.strictObject({ nome: z.string(), usoPercentual: z.int() }))
const params = z.strictObject({ nome: text(NAME_LENGTH_MAX) })
/** Both days belong to the period; a bound that is missing leaves it open. */
const query = z.strictObject({ inicio: z.optional(Day), fim: z.optional(Day) })

export const charts = {
  listApplicators: endpoint({
    path: '/api/graficos/miniaplicadores',
    summary: 'Mini aplicadores dos quais há gráfico, com o uso do limite',
    access: 'read',
    reply: Worn,
    live: ['crimp-counters'],
  }),
  listTerminals: endpoint({
    path: '/api/graficos/terminais',
    summary: 'Terminais dos quais há gráfico',
    access: 'read',
    reply: Names,
    live: ['crimp-counters'],
  }),
  ofApplicator: endpoint({
    path: '/api/graficos/miniaplicadores/:nome',
    summary: 'Crimpagens de um mini aplicador por mês e por terminal',
    access: 'read',
    params,
    query,
    reply: ApplicatorChart,
    refusals: ['period_reversed'],
    live: ['crimp-counters'],
  }),
  ofTerminal: endpoint({
    path: '/api/graficos/terminais/:nome',
    summary: 'Crimpagens de um terminal por mês e por mini aplicador',
    access: 'read',
    params,
    query,
    reply: TerminalChart,
    refusals: ['period_reversed'],
    live: ['crimp-counters'],
  }),
}
