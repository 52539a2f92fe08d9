import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { csvAnswer, printedAnswer } from './files.ts'
import { characteristics, findings, measurementActions, occasions } from './measurements.ts'
import { Id, Instant, text } from './values.ts'

/** The kinds of term a trace starts from. */
export const traceKinds = ['lote', 'barras', 'ordem', 'miniaplicador', 'maquina', 'instrumento'] as const
export type TraceKind = (typeof traceKinds)[number]

/** Which of the recordings are listed; all of them when none is named. */
export const traceFilters = ['fora-do-minimo', 'nao-medido', 'fora-do-plano'] as const
export type TraceFilter = (typeof traceFilters)[number]

export const TRACE_TERM_LENGTH_MAX = 255
export const TRACE_LINES_MAX = 100

/** One sample's readings of one characteristic, in words, and the limits of its plan then. */
export const TraceMeasurement = z.strictObject({
  /** 'Altura 1,100 / 1,170 (fora)' */
  medido: z.string(),
  /** 'Altura 1,050 a 1,150', 'Força mín. 75'; empty where nothing limits it. */
  exigido: z.string(),
  /** Version of the plan that judged it; null where none did. */
  plano: z.nullable(z.int()),
  fora: z.boolean(),
  /** Left out, as the next, by a server of the version before. */
  caracteristica: z.optional(z.enum(characteristics)),
  /** Typed into the recording: no instrument is known of it. */
  digitada: z.optional(z.literal(true)),
})
export type TraceMeasurement = z.infer<typeof TraceMeasurement>

/** One recording with everything that went into it. Texts are empty where it has none. */
export const TraceLine = z.strictObject({
  id: Id,
  registradoEm: Instant,
  etapa: z.enum(['cabo', 'l1', 'l2', 'juncao', 'recebimento']),
  /** On its way to the ERP, there already, or waiting for a person. */
  situacao: z.enum(['aguardando', 'entregue', 'pendente']),
  filial: z.string(),
  ordem: z.string(),
  item: z.string(),
  barras: z.string(),
  posicao: z.string(),
  pecas: z.int(),
  /** Lot of the cable, or of the terminal. */
  lote: z.string(),
  codigo: z.string(),
  selo: z.string(),
  seladora: z.string(),
  miniaplicador: z.string(),
  maquina: z.string(),
  operador: z.string(),
  forca: z.nullable(z.number()),
  alturaMm: z.nullable(z.number()),
  /** The order's own limits, by its last copy; null where there is nothing to measure, no copy, or it asks nothing. */
  forcaMin: z.nullable(z.number()),
  alturaNominalMm: z.nullable(z.number()),
  /** Null: there is nothing to measure, or the device did not say. */
  forcaMedida: z.nullable(z.boolean()),
  alturaMedida: z.nullable(z.boolean()),
  /** Why it was recorded with a force below the order's minimum; empty: it was not. */
  motivoForaDoLimite: z.string(),
  /** By how many minutes the time of a device was moved that had been off by more than 10; null: it was not. */
  relogioMinutos: z.nullable(z.int()),
  /** Wire gauge, mm² in thousandths; null where the order gave none. */
  bitolaMilli: z.nullable(z.int()),
  /** Samples that count, its own one and those that it names; left out by a server of the version before. */
  medicoes: z.optional(z.array(TraceMeasurement)),
  /** The measurement that was due and that nobody took; left out where none was. */
  faltouMedir: z.optional(z.enum(occasions)),
  /** Thrown away at this stage of the item, by reason, the most first; the same on each of its lines. Left out without any. */
  refugo: z.optional(
    z.strictObject({ pecas: z.int(), motivos: z.array(z.strictObject({ texto: z.string(), pecas: z.int() })) }),
  ),
  /** Containments that it is in, the oldest first, and how its pieces stand there, in words. Left out without any. */
  contencoes: z.optional(z.array(z.strictObject({ numero: z.string(), situacao: z.string() }))),
})
export type TraceLine = z.infer<typeof TraceLine>

/** A sample at its place in time, whether a recording names it or not. Texts are empty where there is nothing to say. */
export const TraceSample = z.strictObject({
  id: Id,
  medidoEm: Instant,
  recebidoEm: Instant,
  /** Minutes from one to the other; null: it was received at once. */
  demoraMinutos: z.nullable(z.int()),
  parte: z.enum(['l1', 'l2', 'juncao']),
  filial: z.string(),
  ordem: z.string(),
  item: z.string(),
  barras: z.string(),
  posicao: z.string(),
  terminal: z.string(),
  bitolaMilli: z.nullable(z.int()),
  lote: z.string(),
  miniaplicador: z.string(),
  maquina: z.string(),
  instrumento: z.string(),
  operador: z.string(),
  acao: z.nullable(z.enum(measurementActions)),
  achados: z.array(z.enum(findings)),
  medicoes: z.array(TraceMeasurement),
  /** Taken out by quality, or come without a session to be trusted. */
  situacao: z.enum(['vale', 'invalida', 'nao-conta']),
  /** Why and by whom it was taken out. */
  motivo: z.string(),
  /** By a recording. */
  nomeada: z.boolean(),
})
export type TraceSample = z.infer<typeof TraceSample>

export const Trace = z.strictObject({
  /** The kind the term was taken for: the one asked for, else the one with most recordings; null when nothing has any. */
  tipo: z.nullable(z.enum(traceKinds)),
  /** Everything that the term is, and how many recordings each has. */
  encontrados: z.array(z.strictObject({ tipo: z.enum(traceKinds), apontamentos: z.int() })),
  /** Counts of the recordings that the filter lets through. */
  contagens: z.strictObject({ apontamentos: z.int(), itens: z.int(), ordens: z.int(), pecas: z.int() }),
  /** Newest first. */
  linhas: z.array(TraceLine),
  /** Samples between these lines, newest first; left out by a server of the version before. */
  amostras: z.optional(z.array(TraceSample)),
  /** Send it back as `depoisDe` for the lines that follow; null at the end. */
  proxima: z.nullable(z.string()),
})
export type Trace = z.infer<typeof Trace>

const fields = { termo: text(TRACE_TERM_LENGTH_MAX), filtro: z.optional(z.enum(traceFilters)) }
const exactly = z.strictObject({ ...fields, tipo: z.enum(traceKinds) })

export const traces = {
  find: endpoint({
    path: '/api/rastreabilidade',
    summary: 'Tudo que foi feito e medido com um lote, código de barras, ordem, mini aplicador, máquina ou instrumento',
    access: 'read',
    heavy: true,
    query: z.strictObject({
      ...fields,
      tipo: z.optional(z.enum(traceKinds)),
      depoisDe: z.optional(z.string().check(z.maxLength(64), z.regex(/^\d{1,15}\.[0-9a-f-]{36}$/))),
    }),
    reply: Trace,
  }),
  /** All lines, as they are read: of any number. */
  sheet: endpoint({
    path: '/api/rastreabilidade/folha',
    summary: 'Folha de contenção, para imprimir',
    access: 'read',
    heavy: true,
    ...printedAnswer,
    query: exactly,
  }),
  csv: endpoint({
    path: '/api/rastreabilidade/csv',
    summary: 'A folha de contenção para planilha',
    access: 'read',
    heavy: true,
    ...csvAnswer,
    query: exactly,
  }),
}
