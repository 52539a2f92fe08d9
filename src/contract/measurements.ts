import * as z from 'zod/mini'
import { NAME_LENGTH_MAX } from './applicators.ts'
import { ControlPlan, MILLI_MAX, READINGS_MAX } from './control-plans.ts'
import { endpoint } from './endpoint.ts'
import { INSTRUMENT_CODE_LENGTH_MAX, Instrument } from './instruments.ts'
import { MeasuredPart, PlaceQuery, placeFields, requirePlace } from './places.ts'
import { answerFields, Capture, LOT_LENGTH_MAX, MACHINE_LENGTH_MAX } from './recordings.ts'
import { BranchCode, Id, IdKey, Instant, ItemBarcode, optionalText, saying, text } from './values.ts'

export const characteristics = ['altura', 'forca', 'largura', 'altura-isolante'] as const
export type Characteristic = (typeof characteristics)[number]

/** Why it was time to measure: one reason for a first piece, in the order in which it is said, then the other two. */
export const occasions = [
  'primeira-peca',
  'troca-de-lote',
  'troca-de-mini-aplicador',
  'troca-de-maquina',
  'apos-manutencao',
  'novo-turno',
  'a-cada',
  'ultima-peca',
  'avulsa',
] as const
export type Occasion = (typeof occasions)[number]

/** The operator's action after a reading outside. */
export const measurementActions = ['ajustei', 'manutencao', 'qualidade'] as const
export type MeasurementAction = (typeof measurementActions)[number]

export const verdicts = ['dentro', 'fora', 'sem-plano'] as const
export type Verdict = (typeof verdicts)[number]

/** Noted beside a measurement or a recording; none of them refuses anything that happened. */
export const findings = [
  'implausivel',
  'instrumento-desconhecido',
  'instrumento-vencido',
  'instrumento-inativo',
  'sem-instrumento',
  /** The instrument measures another characteristic. */
  'instrumento-inadequado',
  /** Readings are finer than what it shows. */
  'instrumento-resolucao',
  /** The grant it came under is not to be trusted: it counts nowhere. */
  'autor-nao-confirmado',
  /** Online, and dated back by more than clocks and networks explain. */
  'registrado-depois',
  /** Terminal, tool, order or machine differ from the item's. */
  'nao-confere',
  /** The lot was the code of something else. */
  'lote-retirado',
  'bloqueio-sem-rede',
  'fora-do-plano',
  'falta-medir',
  'ferramenta-insegura',
  /** Two wires, or no registered tool, where the terminal has a plan. */
  'nao-julgado',
] as const
export type Finding = (typeof findings)[number]

export const INVALID_REASON_LENGTH_MAX = 200
export const MEASUREMENTS_OF_RECORDING_MAX = 20

/** Whole thousandths of mm or of the plant's unit of force. */
export const Reading = z.int().check(z.minimum(0), z.maximum(MILLI_MAX))

/** Some pieces of one end, measured with one instrument. Its id is the `Idempotency-Key`. */
export const MeasurementForm = z
  .strictObject({
    ...placeFields,
    parte: MeasuredPart,
    terminal: z.optional(text(NAME_LENGTH_MAX)),
    maquina: text(MACHINE_LENGTH_MAX),
    miniaplicador: z.optional(text(NAME_LENGTH_MAX)),
    lote: z.optional(optionalText(LOT_LENGTH_MAX)),
    instrumento: z.optional(text(INSTRUMENT_CODE_LENGTH_MAX)),
    ocasiao: z.enum(occasions),
    /** Two wires in one terminal: no plan speaks of that. */
    doisFios: z.optional(z.boolean()),
    leituras: z
      .array(
        z.strictObject({
          caracteristica: z.enum(characteristics),
          valores: z.array(Reading).check(z.minLength(1), z.maxLength(READINGS_MAX)),
        }),
      )
      .check(
        z.minLength(1),
        z.maxLength(characteristics.length),
        z.refine(
          (all) => new Set(all.map(({ caracteristica }) => caracteristica)).size === all.length,
          'Uma vez cada característica',
        ),
      ),
    /** Needed of a reading outside by a page that knows so; a later plan may find others. */
    acao: z.optional(z.enum(measurementActions)),
    captura: z.optional(Capture),
  })
  .check(requirePlace)
export type MeasurementForm = z.infer<typeof MeasurementForm>

/** One characteristic of one act. Texts are empty where there is nothing to say. */
export const Measurement = z.strictObject({
  /** The act's id: characteristics measured together share one. */
  id: Id,
  caracteristica: z.enum(characteristics),
  filial: z.string(),
  ordem: z.string(),
  codigoBarras: z.string(),
  posicao: z.string(),
  parte: MeasuredPart,
  terminal: z.string(),
  bitolaMilli: z.nullable(z.int()),
  miniaplicador: z.string(),
  /** The tool's counter, when it was measured; null without a tool. */
  ciclo: z.nullable(z.int()),
  maquina: z.string(),
  lote: z.string(),
  /** `YYYY-MM-DD#nth` of the plant's shifts. */
  turno: z.string(),
  ocasiao: z.enum(occasions),
  instrumento: z.string(),
  valores: z.array(z.int()),
  veredito: z.enum(verdicts),
  /** Plan that judged it; null without one. */
  plano: z.nullable(z.strictObject({ id: z.int(), version: z.int() })),
  acao: z.nullable(z.enum(measurementActions)),
  apontamentos: z.array(z.enum(findings)),
  operador: z.string(),
  medidoEm: Instant,
  /** Typed into a recording; left out where it was measured by 'Medir'. */
  digitado: z.optional(z.literal(true)),
  /** Left out by a server of the version before. */
  recebidoEm: z.optional(Instant),
  /** Why it counts nowhere; null: it does. */
  invalida: z.nullable(
    z.strictObject({
      motivo: z.string(),
      por: z.string(),
      em: Instant,
      /** The person who took it out has measured it too; left out by servers of the version before. */
      porQuemMediu: z.optional(z.boolean()),
    }),
  ),
})
export type Measurement = z.infer<typeof Measurement>

/** Shaped as a recording's answer: it is one more kind of a tablet's queue. */
export const MeasurementAnswer = z.strictObject({
  ...answerFields,
  item: z.null(),
  medicoes: z.array(Measurement),
  /** Good pieces recorded at this place since the last sample inside; null where none of these is outside. */
  pecasDesdeABoa: z.nullable(z.int()),
})
export type MeasurementAnswer = z.infer<typeof MeasurementAnswer>

/** Samples of a small chart. */
export const RECENT_SAMPLES_MAX = 25

/** The samples of a control chart, for a tablet to draw and to judge a new sample by, without network. */
export const RecentSeries = z.strictObject({
  miniaplicador: z.string(),
  terminal: z.string(),
  bitola: z.int(),
  caracteristica: z.enum(characteristics),
  /** Means that the limits in force come from, in mm or the plant's unit of force; null: none are fixed yet. */
  base: z.nullable(z.strictObject({ n: z.int(), media: z.number(), amplitudeMedia: z.number() })),
  /** The newest 25 of the chart that are valid, the oldest of them first. */
  amostras: z.array(
    z.strictObject({ id: Id, valores: z.array(z.int()), veredito: z.enum(verdicts), medidoEm: Instant }),
  ),
})
export type RecentSeries = z.infer<typeof RecentSeries>

/** The facts a tablet needs to measure and to judge an item or a junction without network. */
export const MeasuringContext = z.strictObject({
  planos: z.array(ControlPlan),
  instrumentos: z.array(Instrument),
  /**
   * The newest sample that counts for each characteristic, terminal, tool, machine and lot of the order, terminals and
   * gauge: judged and not, typed and taken, with the instant they are ordered by.
   */
  ultimas: z.array(Measurement),
  /** One row for each end of the item and each tool registered for its terminal; a junction has one, without a tool. */
  lados: z.array(
    z.strictObject({
      parte: MeasuredPart,
      miniaplicador: z.string(),
      /** The tool's counter now; null where nobody knows it. */
      ciclo: z.nullable(z.int()),
      manutencaoEm: z.nullable(Instant),
      /** Good pieces of the order recorded so far: `saldo % aCadaPecas` lie beyond the last multiple. */
      saldo: z.int(),
      /** The samples that count and were taken since the last of these was recorded; see `captura.medicoes`. */
      amostras: z.array(z.string()),
      /** Samples of `amostras` that hold a height, and that hold a force: 'a cada n peças' counts one of both. */
      amostrasDe: z.optional(z.strictObject({ altura: z.array(z.string()), forca: z.array(z.string()) })),
    }),
  ),
  /** The control charts of the item: one for each end, tool and characteristic that has one. */
  series: z.array(RecentSeries),
})
export type MeasuringContext = z.infer<typeof MeasuringContext>

export const measurements = {
  context: endpoint({
    path: '/api/medicoes/do-item/:codigoBarras',
    summary: 'O que um tablet precisa para medir e julgar um item sem rede: planos, instrumentos e últimas amostras',
    access: 'read',
    params: z.strictObject({ codigoBarras: ItemBarcode }),
    query: z.strictObject({ filial: BranchCode }),
    reply: MeasuringContext,
    live: ['control-plans', 'instruments', 'measurements', 'items'],
  }),
  junctionContext: endpoint({
    path: '/api/medicoes/da-juncao',
    summary: 'Como do-item, de uma posição de junção',
    access: 'read',
    query: z.strictObject({ filial: BranchCode, numeroOp: text(20), posicao: text(20) }),
    reply: MeasuringContext,
    live: ['control-plans', 'instruments', 'measurements', 'junctions'],
  }),
  list: endpoint({
    path: '/api/medicoes',
    summary: 'Medições de um item, ou de uma posição de junção de uma ordem, as mais novas antes',
    access: 'read',
    query: PlaceQuery,
    reply: z.array(Measurement),
    live: ['measurements'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/medicoes',
    summary: 'Guarda uma medição, também fora do plano; o veredito é do plano em vigor quando se mediu',
    access: 'record',
    suffices: 'grant',
    body: MeasurementForm,
    reply: MeasurementAnswer,
    statuses: [201],
    idempotent: true,
    refusals: ['unknown_plant', 'idempotency_key_missing', 'idempotency_key_reused', 'lot_is_code'],
  }),
  invalidate: endpoint({
    method: 'POST',
    path: '/api/medicoes/:id/invalidacao',
    summary: 'Tira uma medição dos gráficos e das contas, com o motivo; ela continua à vista',
    access: 'plans',
    params: IdKey,
    body: z.strictObject({ motivo: saying(INVALID_REASON_LENGTH_MAX) }),
    reply: z.array(Measurement),
    refusals: ['not_found', 'measurement_invalid'],
  }),
  takeBack: endpoint({
    method: 'POST',
    path: '/api/medicoes/:id/devolucao',
    summary: 'Devolve aos gráficos e às contas uma medição que foi tirada, com o motivo',
    access: 'plans',
    params: IdKey,
    body: z.strictObject({ motivo: saying(INVALID_REASON_LENGTH_MAX) }),
    reply: z.array(Measurement),
    refusals: ['not_found', 'measurement_counts'],
  }),
}
