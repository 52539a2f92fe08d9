import * as z from 'zod/mini'
import { NAME_LENGTH_MAX } from './applicators.ts'
import { MILLI_MAX } from './control-plans.ts'
import { endpoint } from './endpoint.ts'
import { csvAnswer } from './files.ts'
import { characteristics, Measurement } from './measurements.ts'
import { BranchCode, Day, IdKey, Instant, optionalText, saying, text } from './values.ts'

/** Signals of a chart: beyond 3 sigma, nine on one side, two of three beyond 2 sigma. */
const signalRules = ['R1', 'R2', 'R3'] as const
export type SignalRule = (typeof signalRules)[number]

/** Why a point lies where it lies. */
export const signalCauses = [
  'fio',
  'isolacao',
  'ferramenta-gasta',
  'ajuste',
  'prensa',
  'lote-do-terminal',
  'medicao',
  'fios-cortados',
  'outra',
] as const
export type SignalCause = (typeof signalCauses)[number]

export const CAUSE_NOTE_LENGTH_MAX = 200
export const LIMITS_REASON_LENGTH_MAX = 200
export const SERIES_SAMPLES_MAX = 500
export const SERIES_LISTED_MAX = 500

/** A series: lots, machines, colours and lengths are marks on it and do not split it. */
const seriesKey = {
  filial: BranchCode,
  miniaplicador: text(NAME_LENGTH_MAX),
  terminal: text(NAME_LENGTH_MAX),
  /** mm² in thousandths, as text in an address. */
  bitola: z.string().check(z.maxLength(9), z.regex(/^[1-9]\d*$/, 'Esperado um número')),
  caracteristica: z.enum(characteristics),
}
export const SeriesKey = z.strictObject({ ...seriesKey, bitola: z.int().check(z.minimum(1), z.maximum(MILLI_MAX)) })
export type SeriesKey = z.infer<typeof SeriesKey>

const number = z.nullable(z.number())

/** Fixed from the first 25 samples, or set by quality. mm, or the plant's unit of force. */
export const ControlLimits = z.strictObject({
  tipo: z.enum(['I-MR', 'X-R']),
  /** Readings of a sample. */
  n: z.int(),
  /** Samples that they come from. */
  k: z.int(),
  de: Instant,
  ate: Instant,
  media: z.number(),
  amplitudeMedia: z.number(),
  sigma: z.number(),
  lscMedia: z.number(),
  licMedia: z.number(),
  lscAmplitude: z.number(),
  licAmplitude: z.number(),
  /** Limits taken from 12 to 24 samples: not fixed yet. */
  preliminares: z.boolean(),
  /** The 25 held a point beyond the limits without a cause. */
  baseComSinais: z.boolean(),
  motivo: z.string(),
  por: z.string(),
  em: z.nullable(Instant),
})
export type ControlLimits = z.infer<typeof ControlLimits>

const Index = z.strictObject({ valor: z.number(), baixo: z.number(), alto: z.number() })

/** Indices by one sigma. `pk` of a force has no upper side, so there is no `p`. */
export const CapabilityRow = z.strictObject({
  /** As the plant's setting names it: 'Cp' and 'Cpk', … */
  nomes: z.array(z.string()).check(z.length(2)),
  sigma: z.number(),
  sigmaDe: z.string(),
  p: z.nullable(Index),
  pk: z.nullable(Index),
})

export type CapabilityRow = z.infer<typeof CapabilityRow>

export const Capability = z.strictObject({
  leituras: z.int(),
  amostras: z.int(),
  media: number,
  lsl: number,
  usl: number,
  /** One sentence of what is missing or to be known; empty: nothing. */
  nota: z.string(),
  dentro: z.nullable(CapabilityRow),
  total: z.nullable(CapabilityRow),
})
export type Capability = z.infer<typeof Capability>

const Cause = z.strictObject({ causa: z.enum(signalCauses), nota: z.string(), por: z.string(), em: Instant })

/** One line of them. */
export const SeriesCause = z.extend(Cause, { qualidade: z.boolean() })
export type SeriesCause = z.infer<typeof SeriesCause>

const Signals = z.array(z.strictObject({ regra: z.enum(signalRules), carta: z.enum(['media', 'amplitude']) }))

export const SeriesPoint = z.strictObject({
  medicao: Measurement,
  /** Null of a sample of another size: drawn hollow, in no sum. */
  media: number,
  amplitude: number,
  sinais: Signals,
  /** The first of `causas`. */
  causa: z.nullable(Cause),
  /**
   * Causes, quality's before the others', the newest of each first. Left out, as `vistos`, by a server of the version
   * before.
   */
  causas: z.optional(z.array(SeriesCause)),
  /** Signals as they were seen, by limits no longer in force. */
  vistos: z.optional(Signals),
})
export type SeriesPoint = z.infer<typeof SeriesPoint>

export const Series = z.strictObject({
  serie: SeriesKey,
  /** The newest, the oldest of them first; what is invalid keeps its place. */
  pontos: z.array(SeriesPoint),
  /** More were measured in the period. */
  cortado: z.boolean(),
  limites: z.nullable(ControlLimits),
  capacidade: z.nullable(Capability),
  /** Most of the newest samples are of another size than the limits. Left out by a server of the version before. */
  fixarLimites: z.optional(z.boolean()),
  /** Sentences about the data: little variation, poor resolution, no variation. */
  notas: z.array(z.string()),
  /** Changes on the axis; of a lot and a machine at the point where it is first seen. */
  marcas: z.array(
    z.strictObject({ em: Instant, tipo: z.enum(['lote', 'maquina', 'manutencao', 'plano']), texto: z.string() }),
  ),
})
export type Series = z.infer<typeof Series>

export const SeriesRow = z.strictObject({
  serie: SeriesKey,
  /** Count among the newest 500. */
  amostras: z.int(),
  ultima: Instant,
  /** Points with a signal among those of the last 7 days. */
  sinais7Dias: z.int(),
  /** As of the series. */
  fixarLimites: z.optional(z.boolean()),
  /**
   * Index over all readings since the limits in force; null: fewer than 30, nothing that varies, or no plan that limits
   * them.
   */
  ppk: number,
})
export type SeriesRow = z.infer<typeof SeriesRow>

const period = { inicio: z.optional(Day), fim: z.optional(Day) }

export const spc = {
  list: endpoint({
    path: '/api/cep/series',
    summary: 'Séries do controle estatístico, as piores antes, e quantas medições não estão em nenhuma',
    access: 'read',
    query: z.strictObject({ filial: BranchCode, texto: z.optional(text(NAME_LENGTH_MAX)) }),
    reply: z.strictObject({ series: z.array(SeriesRow), semSerie: z.int() }),
    refusals: ['unknown_plant'],
    live: ['measurements'],
  }),
  get: endpoint({
    path: '/api/cep/serie',
    summary: 'Uma série: até 500 pontos, limites, sinais, capacidade e marcas',
    access: 'read',
    query: z.strictObject({ ...seriesKey, ...period }),
    reply: Series,
    refusals: ['unknown_plant', 'not_found', 'period_reversed'],
    live: ['measurements'],
  }),
  csv: endpoint({
    path: '/api/cep/csv',
    summary: 'Os pontos de uma série, para planilha',
    access: 'read',
    heavy: true,
    ...csvAnswer,
    query: z.strictObject({ ...seriesKey, ...period }),
    refusals: ['unknown_plant', 'not_found', 'period_reversed'],
  }),
  setLimits: endpoint({
    method: 'POST',
    path: '/api/cep/limites',
    summary: 'Recalcula os limites de uma série com as amostras de um período',
    access: 'plans',
    body: z.strictObject({ serie: SeriesKey, inicio: Day, fim: Day, motivo: saying(LIMITS_REASON_LENGTH_MAX) }),
    reply: ControlLimits,
    refusals: ['unknown_plant', 'not_found', 'period_reversed', 'spc_too_few', 'spc_no_variation'],
  }),
  noteCause: endpoint({
    method: 'POST',
    path: '/api/medicoes/:id/causa',
    summary: 'Anota por que um ponto está onde está, ao lado do que outros anotaram; o da qualidade vem antes',
    access: 'record',
    params: IdKey,
    body: z.strictObject({
      caracteristica: z.enum(characteristics),
      causa: z.enum(signalCauses),
      nota: z.optional(optionalText(CAUSE_NOTE_LENGTH_MAX)),
    }),
    reply: SeriesPoint.shape.causa,
    refusals: ['not_found'],
  }),
}
