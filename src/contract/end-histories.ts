import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { csvAnswer, printedAnswer } from './files.ts'
import { callStates } from './maintenance-calls.ts'
import { characteristics, findings, measurementActions, occasions, verdicts } from './measurements.ts'
import { scrapParts } from './scraps.ts'
import { planModes } from './settings.ts'
import { SeriesCause } from './spc.ts'
import { TraceLine, TraceMeasurement } from './traces.ts'
import { situations, Treatment } from './treatments.ts'
import { BranchCode, Id, Instant, ItemBarcode, text } from './values.ts'

/** Rows of samples, and recordings: more of one end than anybody measures. The newest are shown. */
export const HISTORY_ROWS_MAX = 4000

/** Minutes from an act to its receipt; null: at once, as far as clocks and the network are to be trusted. */
const DelayMinutes = z.nullable(z.int())

const HistoryReading = z.extend(TraceMeasurement, {
  caracteristica: z.enum(characteristics),
  veredito: z.enum(verdicts),
  /** Each characteristic may have one of its own. */
  instrumento: z.string(),
  /** 'até 31/12/2026', 'vencida em 31/12/2025', 'sem data' or 'não se sabe', as it stood that day; empty without an instrument. */
  calibracao: z.string(),
  /** Its calibration was over on that day. */
  vencido: z.boolean(),
})

/** A sample; of what a recording itself measured only what quality has taken out. */
const HistorySample = z.strictObject({
  tipo: z.literal('medicao'),
  id: Id,
  em: Instant,
  recebidoEm: Instant,
  demoraMinutos: DelayMinutes,
  ordem: z.string(),
  terminal: z.string(),
  bitolaMilli: z.nullable(z.int()),
  lote: z.string(),
  maquina: z.string(),
  miniaplicador: z.string(),
  /** The tool's counter at that moment. */
  ciclo: z.nullable(z.int()),
  turno: z.string(),
  ocasiao: z.enum(occasions),
  operador: z.string(),
  leituras: z.array(HistoryReading),
  acao: z.nullable(z.enum(measurementActions)),
  achados: z.array(z.enum(findings)),
  /** False: it came without a session to be trusted. */
  conta: z.boolean(),
  invalida: z.nullable(z.strictObject({ motivo: z.string(), por: z.string(), em: Instant })),
  /** Typed at 'Registrar', as a value of the recording. */
  digitada: z.boolean(),
  /** The recordings that name it. */
  apontamentos: z.array(Id),
  /** Quality's before the others', the newest of each first. */
  causas: z.array(z.extend(SeriesCause, { caracteristica: z.enum(characteristics) })),
  /** What became of a sample outside; null of one that is not, or does not count. */
  situacao: z.nullable(z.enum(situations)),
  /** When all that was outside had been measured good at its place; null: not yet. */
  medidaEm: z.nullable(Instant),
  tratamentos: z.array(Treatment),
})

/** As 'Ocorrências' has it. */
const HistoryFinding = z.strictObject({
  achado: z.enum(findings),
  modo: z.enum(planModes),
  motivo: z.string(),
  /** Outside, or missing; empty of one from before they were named. */
  caracteristicas: z.array(z.enum(characteristics)),
  liberadoPor: z.string(),
  motivoDaLiberacao: z.string(),
  liberadoPorQuemApontou: z.boolean(),
  liberadoSemAmostras: z.boolean(),
  situacao: z.enum(situations),
  /** As that of a sample. */
  medidaEm: z.nullable(Instant),
  tratamentos: z.array(Treatment),
})

/** A reading that somebody looked at, with the limits of its plan; its sample and instant are null where it was typed. */
const LookedReading = z.extend(TraceMeasurement, {
  caracteristica: z.enum(characteristics),
  ato: z.nullable(Id),
  em: z.nullable(Instant),
})

const HistoryRecording = z.strictObject({
  tipo: z.literal('apontamento'),
  id: Id,
  em: Instant,
  recebidoEm: Instant,
  demoraMinutos: DelayMinutes,
  linha: TraceLine,
  achados: z.array(HistoryFinding),
  /** Readings outside that its findings speak of, where none of its own samples shows them. */
  fora: z.array(LookedReading),
})

const HistoryRelease = z.strictObject({
  tipo: z.literal('liberacao'),
  id: Id,
  em: Instant,
  por: z.string(),
  motivo: z.string(),
  /** Recording that it let through; null: none yet. */
  apontamento: z.nullable(Id),
  /** At most so many; null: a page of the version before did not say. */
  pecas: z.nullable(z.int()),
  /** The measurements shown to who gave it; null: its page did not say. */
  olhadas: z.nullable(z.array(LookedReading)),
  /** Given by the person who recorded. */
  propria: z.boolean(),
})

/** Pieces thrown away or repaired at this end, or of its wire. */
const HistoryScrap = z.strictObject({
  tipo: z.literal('refugo'),
  id: Id,
  em: Instant,
  recebidoEm: Instant,
  demoraMinutos: DelayMinutes,
  parte: z.enum(scrapParts),
  pecas: z.int(),
  motivoTexto: z.string(),
  nota: z.string(),
  retrabalho: z.boolean(),
  autorConfirmado: z.boolean(),
  operador: z.string(),
  terminal: z.string(),
  miniaplicador: z.string(),
  maquina: z.string(),
  lote: z.string(),
  desfeito: z.nullable(z.strictObject({ em: Instant, por: z.string(), motivo: z.string() })),
})

const HistoryCall = z.strictObject({
  tipo: z.literal('chamado'),
  id: Id,
  em: Instant,
  numero: z.int(),
  /** In words: which team was called, and for what. */
  assunto: z.string(),
  /** Readings outside that it was opened for, of whatever end. */
  medicoes: z.array(LookedReading),
  maquina: z.string(),
  miniaplicador: z.string(),
  nota: z.string(),
  abertoPor: z.string(),
  situacao: z.enum(callStates),
  atendidoEm: z.nullable(Instant),
  atendidoPor: z.string(),
  encerradoEm: z.nullable(Instant),
  encerradoPor: z.string(),
  /** In words: what was found, what was done, why it was cancelled. */
  causa: z.string(),
  feito: z.string(),
  motivo: z.string(),
})

export const HistoryEntry = z.discriminatedUnion('tipo', [
  HistorySample,
  HistoryRecording,
  HistoryRelease,
  HistoryCall,
  HistoryScrap,
])
export type HistoryEntry = z.infer<typeof HistoryEntry>
export type HistorySample = z.infer<typeof HistorySample>
export type HistoryRecording = z.infer<typeof HistoryRecording>
export type HistoryRelease = z.infer<typeof HistoryRelease>
export type HistoryCall = z.infer<typeof HistoryCall>
export type HistoryScrap = z.infer<typeof HistoryScrap>
export type LookedReading = z.infer<typeof LookedReading>

/** The end of a wire, or a junction. */
export const HistoryEnd = z.strictObject({
  filial: z.string(),
  parte: z.enum(['l1', 'l2', 'juncao']),
  ordem: z.string(),
  /** By the copy of its order; empty without one. */
  item: z.string(),
  codigoBarras: z.string(),
  posicao: z.string(),
  /** By the same copy. */
  terminal: z.string(),
})
export type HistoryEnd = z.infer<typeof HistoryEnd>

export const EndHistory = z.strictObject({
  extremo: HistoryEnd,
  /** The oldest first. */
  entradas: z.array(HistoryEntry),
  /** Something older is left out. */
  cortado: z.boolean(),
})
export type EndHistory = z.infer<typeof EndHistory>

const query = z
  .strictObject({
    filial: BranchCode,
    parte: z.enum(['l1', 'l2', 'juncao']),
    /** Names an item; without it there are an order and a position. */
    codigoBarras: z.optional(ItemBarcode),
    ordem: z.optional(text(20)),
    posicao: z.optional(text(20)),
  })
  .check((ctx) => {
    const { parte, codigoBarras, ordem, posicao } = ctx.value
    const missing =
      parte === 'juncao'
        ? [ordem === undefined && 'ordem', posicao === undefined && 'posicao']
        : [codigoBarras === undefined && 'codigoBarras']
    for (const field of missing) {
      if (field) ctx.issues.push({ code: 'custom', input: undefined, path: [field], message: 'Campo obrigatório' })
    }
  })

export const endHistories = {
  get: endpoint({
    path: '/api/historia-da-medicao',
    summary:
      'Tudo o que se mediu, apontou, liberou, jogou fora e chamou em um lado de um item ou em uma junção, na ordem do tempo',
    access: 'read',
    query,
    reply: EndHistory,
    live: ['measurements', 'calls', 'items', 'junctions', 'scraps', 'scrap-reasons', 'pending-recordings'],
  }),
  sheet: endpoint({
    path: '/api/historia-da-medicao/folha',
    summary: 'A história da medição, para imprimir',
    access: 'read',
    ...printedAnswer,
    query,
  }),
  csv: endpoint({
    path: '/api/historia-da-medicao/csv',
    summary: 'A história da medição para planilha, uma linha por característica',
    access: 'read',
    ...csvAnswer,
    query,
  }),
}
