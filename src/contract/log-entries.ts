import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Instant, optionalText } from './values.ts'

/** From the mildest to the worst. */
export const logLevels = ['Info', 'Warning', 'Error', 'Critical'] as const
export type LogLevel = (typeof logLevels)[number]
export const LogLevel = z.enum(logLevels)

/** One line of a server's log. `source`: which process of which machine. */
export const LogEntry = z.strictObject({
  id: z.int(),
  timestamp: Instant,
  level: LogLevel,
  source: z.string(),
  message: z.string(),
  /** The thrown error with its stack; null without one. */
  error: z.nullable(z.string()),
  /** JSON of what else was said; null when nothing was. */
  additionalData: z.nullable(z.string()),
})
export type LogEntry = z.infer<typeof LogEntry>

export const LOG_ENTRIES_DEFAULT = 1000
const LOG_ENTRIES_MAX = 5000

/** Texts of the test entries. */
export const testTexts: Record<LogLevel, string> = {
  Info: 'Entrada de teste: informação',
  Warning: 'Entrada de teste: aviso',
  Error: 'Entrada de teste: erro',
  Critical: 'Entrada de teste: crítico',
}

const wrongCount = `Esperado um número de 1 a ${LOG_ENTRIES_MAX}`
const MaxCount = z.pipe(
  z.string().check(
    z.maxLength(4, wrongCount),
    z.regex(/^[1-9]\d*$/, wrongCount),
    z.refine((digits) => Number(digits) <= LOG_ENTRIES_MAX, wrongCount),
  ),
  z.transform((digits) => Number(digits)),
)

export const logEntries = {
  list: endpoint({
    path: '/api/logs',
    summary: 'Log dos servidores, o mais novo primeiro',
    access: 'administer',
    heavy: true,
    /** `minLevel`: this level and worse. Both moments belong to the period. `texto`: anywhere in an entry. */
    query: z.strictObject({
      minLevel: z.optional(LogLevel),
      startDate: z.optional(Instant),
      endDate: z.optional(Instant),
      maxCount: z.optional(MaxCount),
      texto: z.optional(optionalText(100)),
    }),
    reply: z.array(LogEntry),
    refusals: ['period_reversed'],
  }),
  clear: endpoint({
    method: 'DELETE',
    path: '/api/logs',
    summary: 'Limpa o log dos servidores; quem limpou fica registrado',
    access: 'administer',
    reply: z.strictObject({ removed: z.int() }),
  }),
  test: endpoint({
    path: '/api/logs/test',
    summary: 'Grava uma entrada de teste de cada nível no log dos servidores; quem gravou fica registrado',
    access: 'administer',
    reply: z.strictObject({ written: z.int() }),
    refusals: ['too_many_attempts'],
  }),
}
