import * as z from 'zod/mini'
import { NAME_LENGTH_MAX } from './applicators.ts'
import { MaintenanceRecord, partKinds, replacedParts, SERVICE_LENGTH_MAX } from './crimp-counters.ts'
import { endpoint } from './endpoint.ts'
import { csvAnswer } from './files.ts'
import { answerFields, Capture, MACHINE_LENGTH_MAX } from './recordings.ts'
import {
  BranchCode,
  type CallTeam,
  callTeams,
  Day,
  Id,
  IdKey,
  Instant,
  ItemBarcode,
  optionalLines,
  optionalText,
  saying,
  saysSomething,
  text,
} from './values.ts'

/** Reasons to call a team other than maintenance, in the order of their buttons. */
export const callTopics = {
  qualidade: ['medicao-fora', 'peca-duvidosa', 'plano-em-duvida', 'outro'],
  material: ['terminal-acabando', 'cabo-acabando', 'selo-acabando', 'lote-errado', 'outro'],
  lider: ['ajuda', 'outro'],
} as const
export type CallTopic = (typeof callTopics)[keyof typeof callTopics][number]

/** The calls listed: those of one team, or all. */
export const listedTeams = [...callTeams, 'todas'] as const
export type ListedTeam = (typeof listedTeams)[number]

/** In the order of their buttons; the words are in `domain/tools/call-symptoms.ts`. */
export const callSymptoms = [
  'altura-fora',
  'forca-baixa',
  'terminal-nao-avanca',
  'corte-do-talao',
  'selo-falha',
  'maquina-parada',
  'outro',
] as const
export type CallSymptom = (typeof callSymptoms)[number]

export const callCauses = [
  'ajuste',
  'crimpador-gasto',
  'bigorna-gasta',
  'cortador-gasto',
  'peca-quebrada',
  'avanco',
  'sujeira',
  'terminal-ou-lote',
  'cabo-ou-decape',
  'selo-ou-lote',
  'eletrica',
  'pneumatica',
  'mecanica',
  'sensor-ou-seguranca',
  'sem-defeito',
  'outra',
  'medicao-refeita',
  'contencao-aberta',
  'plano-corrigido',
  'entregue',
  'lote-trocado',
  'sem-material',
  'orientado',
] as const
export type CallCause = (typeof callCauses)[number]

/** `aberto` and `atendido` are open, the other two settled. */
export const callStates = ['aberto', 'atendido', 'resolvido', 'cancelado'] as const
export type CallState = (typeof callStates)[number]

const CALL_NOTE_LENGTH_MAX = 500
export const CAUSE_LENGTH_MAX = 200
export const CANCEL_REASON_LENGTH_MAX = 500
/** The settled calls of a period that are listed beside the open ones. Totals and CSV cover all. */
export const CALLS_LISTED_MAX = 1000

const topicsOf = (team: CallTeam): readonly CallTopic[] => (team === 'manutencao' ? [] : callTopics[team])
const everyTopic = [...new Set(callTeams.flatMap(topicsOf))]

type About = { equipe?: CallTeam | undefined; assunto?: CallTopic | undefined; sintoma: CallSymptom }

/** Maintenance is told a symptom, any other team a subject of its own beside the symptom 'outro'. */
const isAboutSomething = ({ equipe = 'manutencao', assunto, sintoma }: About): boolean =>
  equipe === 'manutencao'
    ? assunto === undefined
    : assunto !== undefined && topicsOf(equipe).includes(assunto) && sintoma === 'outro'

/**
 * Where the operator stands: the machine, and of the rest what is known there. Its id is the `Idempotency-Key`. A call for
 * maintenance names no team, so that a server of the version before takes it too; of others it knows no key, and they wait.
 */
export const MaintenanceCallForm = z
  .strictObject({
    filial: BranchCode,
    maquina: text(MACHINE_LENGTH_MAX),
    miniaplicador: z.optional(text(NAME_LENGTH_MAX)),
    codigoBarras: z.optional(ItemBarcode),
    posicao: z.optional(text(20)),
    ordem: z.optional(text(20)),
    lado: z.optional(z.enum(['1', '2'])),
    sintoma: z.enum(callSymptoms),
    nota: z.optional(optionalLines(CALL_NOTE_LENGTH_MAX)),
    equipe: z.optional(z.enum(callTeams)),
    assunto: z.optional(z.enum(everyTopic)),
    /** The act of the sample outside that it follows. */
    medicao: z.optional(Id),
    captura: z.optional(Capture),
  })
  .check(z.refine(isAboutSomething, { error: 'Assunto de outra equipe', path: ['assunto'] }))
export type MaintenanceCallForm = z.infer<typeof MaintenanceCallForm>

/** Texts are empty where there is nothing to say, instants null where it has not happened. */
export const MaintenanceCall = z.strictObject({
  id: Id,
  /** As people call it; of its plant. */
  numero: z.int(),
  filial: z.string(),
  maquina: z.string(),
  miniaplicador: z.string(),
  codigoBarras: z.string(),
  posicao: z.string(),
  ordem: z.string(),
  lado: z.string(),
  sintoma: z.enum(callSymptoms),
  nota: z.string(),
  situacao: z.enum(callStates),
  /** The press; of what came at once the server's own time. */
  abertoEm: Instant,
  abertoPor: z.string(),
  /** False: it came under a grant that is not to be trusted, so somebody else may have made it. */
  autorConfirmado: z.boolean(),
  /** The server heard of it too late to be answered: no sound, not in the time to acknowledge. */
  enviadoDepois: z.boolean(),
  /** How many more presses it has taken in. */
  juntados: z.int(),
  atendidoEm: z.nullable(Instant),
  atendidoPor: z.string(),
  /** Set on a resolved or a cancelled call. */
  encerradoEm: z.nullable(Instant),
  encerradoPor: z.string(),
  causa: z.nullable(z.enum(callCauses)),
  causaTexto: z.string(),
  feito: z.string(),
  /** Why it was cancelled; empty where its author undid it. */
  motivo: z.string(),
  maintenanceRecord: z.nullable(MaintenanceRecord),
  /** In lists, the parts that went when it was resolved; left out where none did. */
  trocadas: z.optional(z.array(z.strictObject({ kind: z.enum(partKinds), code: z.string() }))),
  /** Counts what people change: a press that joins leaves it as it is. */
  version: z.int(),
  equipe: z.enum(callTeams),
  /** Empty of maintenance. */
  assunto: z.enum([...everyTopic, '']),
  /** The act of the sample outside that it follows, which may still be on its way. */
  medicao: z.nullable(Id),
})
export type MaintenanceCall = z.infer<typeof MaintenanceCall>

/** Totals of the calls opened in the period and not cancelled. Means in minutes, null where there is nothing to average. */
export const CallTotals = z.strictObject({
  chamados: z.int(),
  abertos: z.int(),
  mttaMin: z.nullable(z.number()),
  mttrMin: z.nullable(z.number()),
  paradoMin: z.nullable(z.number()),
})
export type CallTotals = z.infer<typeof CallTotals>

export const MaintenanceCallList = z.strictObject({
  inicio: Day,
  fim: Day,
  /** All open ones, the oldest first; then the settled ones of the period, the newest first. */
  chamados: z.array(MaintenanceCall),
  totais: CallTotals,
})
export type MaintenanceCallList = z.infer<typeof MaintenanceCallList>

/** Shaped as a recording's answer: it is one more kind of a tablet's queue. */
export const MaintenanceCallAnswer = z.strictObject({
  ...answerFields,
  item: z.null(),
  numero: z.int(),
  /** There was one for the same already, which has taken this in. */
  juntado: z.boolean(),
  chamado: MaintenanceCall,
})
export type MaintenanceCallAnswer = z.infer<typeof MaintenanceCallAnswer>

export const CallSolution = z
  .strictObject({
    causa: z.enum(callCauses),
    /** Needed of `outra`. */
    causaTexto: z.optional(optionalText(CAUSE_LENGTH_MAX)),
    feito: z.optional(optionalLines(SERVICE_LENGTH_MAX)),
    maintenanceRecord: z.optional(MaintenanceRecord),
    /** Parts of the call's tool. */
    replacedParts,
    /** Resets the counter of the call's tool too, whose limit stays: the version of it that was seen. */
    zerarContador: z.optional(z.int().check(z.minimum(0), z.maximum(1_000_000_000))),
  })
  .check(
    z.refine(({ causa, causaTexto = '' }) => causa !== 'outra' || saysSomething(causaTexto), {
      error: 'Informe a causa',
      path: ['causaTexto'],
    }),
  )
export type CallSolution = z.infer<typeof CallSolution>

/** Both days belong to the period; without one it is today's. */
const period = z.strictObject({
  filial: BranchCode,
  inicio: z.optional(Day),
  fim: z.optional(Day),
  /** Maintenance alone where none is named: an older page understands no other. */
  equipe: z.optional(z.enum(listedTeams)),
})

export const maintenanceCalls = {
  list: endpoint({
    path: '/api/chamados',
    summary: 'Chamados da filial, de uma equipe ou de todas: os abertos e os do período, com MTTA, MTTR e tempo parado',
    access: 'board',
    query: period,
    reply: MaintenanceCallList,
    refusals: ['unknown_plant', 'period_reversed'],
    live: ['calls'],
  }),
  csv: endpoint({
    path: '/api/chamados/csv',
    summary: 'Todos os chamados abertos no período, para planilha',
    access: 'read',
    heavy: true,
    ...csvAnswer,
    query: period,
    refusals: ['unknown_plant', 'period_reversed'],
  }),
  open: endpoint({
    method: 'POST',
    path: '/api/chamados',
    summary:
      'Chamar a manutenção ou outra equipe; pelo mesmo motivo na mesma máquina e ferramenta em 5 min, junta-se ao chamado aberto',
    access: 'record',
    suffices: 'grant',
    body: MaintenanceCallForm,
    reply: MaintenanceCallAnswer,
    statuses: [201, 200],
    idempotent: true,
    refusals: ['unknown_plant', 'idempotency_key_missing', 'idempotency_key_reused'],
  }),
  acknowledge: endpoint({
    method: 'POST',
    path: '/api/chamados/:id/atendimento',
    summary: 'Atender um chamado',
    // by which right a call is answered depends on its team
    access: 'record',
    params: IdKey,
    reply: MaintenanceCall,
    versioned: true,
    refusals: ['not_found', 'not_allowed', 'call_settled', 'changed_meanwhile'],
  }),
  solve: endpoint({
    method: 'POST',
    path: '/api/chamados/:id/solucao',
    summary: 'Resolver um chamado; sem atendimento antes, atende no mesmo instante',
    access: 'record',
    params: IdKey,
    body: CallSolution,
    reply: MaintenanceCall,
    versioned: true,
    refusals: ['not_found', 'not_allowed', 'call_settled', 'changed_meanwhile', 'part_removed', 'part_mounted'],
  }),
  /** Its author, and everybody who may answer its team; without a reason only its author, within half a minute. */
  cancel: endpoint({
    method: 'POST',
    path: '/api/chamados/:id/cancelamento',
    summary: 'Cancelar um chamado com um motivo; quem o abriu o desfaz em 30 s sem motivo',
    access: 'record',
    params: IdKey,
    body: z.strictObject({
      motivo: z.optional(saying(CANCEL_REASON_LENGTH_MAX)),
      /** Only while as many have joined it: who joins waits for somebody too. */
      juntados: z.optional(z.int().check(z.minimum(0), z.maximum(1_000_000))),
    }),
    reply: MaintenanceCall,
    versioned: true,
    refusals: ['not_found', 'call_settled', 'changed_meanwhile'],
  }),
}
