import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { csvAnswer, printedAnswer } from './files.ts'
import { characteristics } from './measurements.ts'
import { TRACE_TERM_LENGTH_MAX } from './traces.ts'
import { BranchCode, Day, Id, IdKey, Instant, RowId, saying, text } from './values.ts'

/** Subjects of a window that nobody measured: it is named by hand, in the order of the choice. */
export const subjectKinds = ['ferramenta', 'lote', 'maquina', 'instrumento'] as const
export type SubjectKind = (typeof subjectKinds)[number]

const containmentKinds = ['medicao', ...subjectKinds] as const
export type ContainmentKind = (typeof containmentKinds)[number]

/**
 * How sure it is that a recording holds pieces of the window. `novo`: recorded before the opening, received after it. A certain one
 * goes before a possible one.
 */
const certainties = ['certo', 'possivel', 'outra-maquina', 'novo'] as const
export type Certainty = (typeof certainties)[number]

/** By what a window begins. `ordem`: never measured well there, so that before the reading its order alone is suspect. */
const windowBases = ['medicao', 'ordem', 'mao'] as const
export type WindowBasis = (typeof windowBases)[number]

const containmentStates = ['aberta', 'encerrada'] as const
export type ContainmentState = (typeof containmentStates)[number]

/** Decisions that move pieces of a row from one state to another. */
export const moves = ['liberar', 'retrabalhar', 'sucatear', 'liberar-retrabalhadas', 'sucatear-retrabalhadas'] as const
export type Move = (typeof moves)[number]

/** `estornar` takes a step back whole; `corrigir` says how many pieces the row has. */
export const stepKinds = [...moves, 'estornar', 'corrigir'] as const
export type StepKind = (typeof stepKinds)[number]

/** The check by which pieces are released. */
export const releaseChecks = ['medidas-100', 'amostra', 'derrogacao'] as const
export type ReleaseCheck = (typeof releaseChecks)[number]

export const CONTAINMENT_REASON_LENGTH_MAX = 500
export const CONTAINMENT_ROWS_MAX = 20_000
export const CONTAINMENT_PAGE = 500
export const CONTAINMENTS_LISTED_MAX = 1000
export const CONTAINED_ITEMS_MAX = 5000
export const LABEL_COPIES_MAX = 99

export const ContainmentReason = saying(CONTAINMENT_REASON_LENGTH_MAX)

/** A recording as it stands in a window. Texts are empty where there is nothing to say. */
const recordingFields = {
  apontamento: Id,
  /** Empty of a junction, which has an order and a position. */
  codigoBarras: z.string(),
  posicao: z.string(),
  ordem: z.string(),
  item: z.string(),
  etapa: z.enum(['cabo', 'l1', 'l2', 'juncao']),
  terminal: z.string(),
  miniaplicador: z.string(),
  maquina: z.string(),
  lote: z.string(),
  operador: z.string(),
  registradoEm: Instant,
  certeza: z.enum(certainties),
  pecas: z.int(),
  /** The cut check has taken it in; null of junctions, which nobody checks. */
  recebido: z.nullable(z.boolean()),
}

export const SuspectRecording = z.strictObject(recordingFields)

export const ContainmentStep = z.strictObject({
  id: z.int(),
  tipo: z.enum(stepKinds),
  /** The step that an `estornar` took back. */
  passo: z.nullable(z.int()),
  pecas: z.int(),
  motivo: z.string(),
  verificado: z.nullable(z.enum(releaseChecks)),
  /** Pieces of an `amostra`. */
  amostra: z.nullable(z.int()),
  verificadoTexto: z.string(),
  /** As the plant words the reason of the scrap. */
  motivoRefugo: z.string(),
  /** 'painel' where nobody pressed anything. */
  por: z.string(),
  em: Instant,
})
export type ContainmentStep = z.infer<typeof ContainmentStep>
export type SuspectRecording = z.infer<typeof SuspectRecording>

/** The pieces of a row or of several, by what was decided about them. */
const balanceFields = {
  suspeitas: z.int(),
  retrabalho: z.int(),
  liberadas: z.int(),
  sucateadas: z.int(),
}

export const ContainmentRow = z.strictObject({
  id: z.int(),
  version: z.int(),
  ...recordingFields,
  ...balanceFields,
  /** More is decided than there is: its recording was corrected afterwards. */
  divergente: z.boolean(),
  passos: z.array(ContainmentStep),
})
export type ContainmentRow = z.infer<typeof ContainmentRow>

export const ContainmentWindow = z.strictObject({
  /** Null: without a beginning; of `ordem` nothing good was ever measured there. */
  inicio: z.nullable(Instant),
  base: z.enum(windowBases),
  fim: z.nullable(Instant),
  /** It grows until a good reading ends it. */
  aberta: z.boolean(),
  /** Why its ends were changed by hand; empty: they were not. */
  motivo: z.string(),
})
export type ContainmentWindow = z.infer<typeof ContainmentWindow>

/** A good reading at an end of a window. */
const EndReading = z.strictObject({ valores: z.array(z.int()), por: z.string() })

/** Null where nothing good was measured, or an end was chosen by hand. */
const measuredEnds = { medidoAntes: z.nullable(EndReading), medidoDepois: z.nullable(EndReading) }

/** The subject of a window: of a reading its place, else what was named. Texts are empty where there is nothing to say. */
const subjectFields = {
  filial: z.string(),
  tipo: z.enum(containmentKinds),
  /** In words: 'Altura fora: 1,170 mm', 'Lote L-2231'. */
  assunto: z.string(),
  /** The act of the bad reading. */
  medicao: z.nullable(Id),
  caracteristica: z.nullable(z.enum(characteristics)),
  terminal: z.string(),
  miniaplicador: z.string(),
  maquina: z.string(),
  lote: z.string(),
  instrumento: z.string(),
}

const Count = z.strictObject({ apontamentos: z.int(), pecas: z.int() })

export const ContainmentPreview = z.strictObject({
  ...subjectFields,
  janela: ContainmentWindow,
  ...measuredEnds,
  certos: Count,
  possiveis: Count,
  outraMaquina: Count,
  /** Certain pieces up to the bad reading: the number that the toast said. Null of a window by hand. */
  ateAMedicao: z.nullable(z.int()),
  /** Other plants that used the same lot or tool. */
  outrasFiliais: z.array(z.strictObject({ filial: z.string(), apontamentos: z.int() })),
  /** The containment of this reading, if there is one. */
  contencao: z.nullable(z.strictObject({ id: Id, numero: z.string() })),
  linhas: z.array(SuspectRecording),
  /** Send it back as `depoisDe` for the rows that follow; null at the end. */
  proxima: z.nullable(z.string()),
})
export type ContainmentPreview = z.infer<typeof ContainmentPreview>

export const Containment = z.strictObject({
  id: Id,
  /** As it is printed and read: 'C-000123'. */
  numero: z.string(),
  ...subjectFields,
  janela: ContainmentWindow,
  /** Why it was opened, of one by hand. */
  motivo: z.string(),
  situacao: z.enum(containmentStates),
  linhas: z.int(),
  pecas: z.int(),
  ...balanceFields,
  /** How many rows are `divergente`. */
  divergentes: z.int(),
  abertaEm: Instant,
  abertaPor: z.string(),
  encerradaEm: z.nullable(Instant),
  encerradaPor: z.string(),
  motivoEncerramento: z.string(),
  version: z.int(),
})
export type Containment = z.infer<typeof Containment>

const ContainmentDetail = z.strictObject({
  contencao: Containment,
  ...measuredEnds,
  linhas: z.array(ContainmentRow),
  /** As of a preview. */
  proxima: z.nullable(z.string()),
})

/** Items, junctions, lots and tools with pieces that are suspect or in rework, for banners and without network. */
export const ContainedItems = z.strictObject({
  itens: z.array(
    z.strictObject({
      /** Empty of a junction. */
      codigoBarras: z.string(),
      ordem: z.string(),
      posicao: z.string(),
      etapa: z.enum(['cabo', 'l1', 'l2', 'juncao']),
      id: Id,
      numero: z.string(),
      pecas: z.int(),
    }),
  ),
  lotes: z.array(z.strictObject({ lote: z.string(), id: Id, numero: z.string() })),
  ferramentas: z.array(z.strictObject({ miniaplicador: z.string(), id: Id, numero: z.string() })),
})
export type ContainedItems = z.infer<typeof ContainedItems>

const ends = { inicio: z.optional(Instant), fim: z.optional(Instant) }

/** A reading outside, or what is named by hand. */
const subject = {
  medicao: z.optional(Id),
  caracteristica: z.optional(z.enum(characteristics)),
  filial: z.optional(BranchCode),
  tipo: z.optional(z.enum(subjectKinds)),
  termo: z.optional(text(TRACE_TERM_LENGTH_MAX)),
  ...ends,
}

type Named = { medicao?: string | undefined } & { [Field in 'caracteristica' | 'filial' | 'tipo' | 'termo']?: unknown }

/** A reading with its characteristic, or a kind with its plant and term; nothing of both. */
const requireSubject = (ctx: { value: Named; issues: z.core.$ZodRawIssue[] }): void => {
  const { medicao, ...rest } = ctx.value
  const byHand = ['filial', 'tipo', 'termo'] as const
  const [needed, foreign] =
    medicao === undefined ? [byHand, ['caracteristica'] as const] : [['caracteristica'] as const, byHand]
  const say = (path: string, message: string) =>
    ctx.issues.push({ code: 'custom', input: undefined, path: [path], message })
  for (const field of needed) if (rest[field] === undefined) say(field, 'Campo obrigatório')
  const isForeign = medicao === undefined ? 'Só vai com uma medição' : 'Não vai com uma medição'
  for (const field of foreign) if (rest[field] !== undefined) say(field, isForeign)
}

const after = { depoisDe: z.optional(z.string().check(z.maxLength(15), z.regex(/^\d+$/, 'Esperado um número'))) }

export const ContainmentForm = z
  .strictObject({
    ...subject,
    /** Why its ends were changed, or it is opened by hand. */
    motivo: z.optional(ContainmentReason),
    /** Recordings that are only possible, and are left out by somebody who may decide. */
    semApontamentos: z.optional(z.array(Id).check(z.maxLength(CONTAINMENT_ROWS_MAX))),
    /** There are no such pieces: a closed one without rows. */
    semPecas: z.optional(z.literal(true)),
  })
  .check(requireSubject)
export type ContainmentForm = z.infer<typeof ContainmentForm>

const ContainmentQuery = z.strictObject({ ...subject, ...after }).check(requireSubject)

/** Ends that are left out stay. */
export const WindowForm = z.strictObject({ ...ends, motivo: ContainmentReason })
export type WindowForm = z.infer<typeof WindowForm>

/** Its id, or its number as it is printed. */
const ID_OR_NUMBER = /^(C-\d{6,9}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

const filed = { access: 'read', heavy: true, params: IdKey } as const

export const containments = {
  preview: endpoint({
    path: '/api/contencoes/previa',
    summary: `Peças suspeitas de uma medição fora, de uma ferramenta, lote, máquina ou instrumento, ${CONTAINMENT_PAGE} por página`,
    access: 'read',
    heavy: true,
    query: ContainmentQuery,
    reply: ContainmentPreview,
    refusals: ['unknown_plant', 'not_found', 'measurement_inside', 'measurement_not_counted', 'containment_too_large'],
  }),
  open: endpoint({
    method: 'POST',
    path: '/api/contencoes',
    summary: 'Abre uma contenção com todas as peças da janela; de uma medição há uma só',
    access: 'record',
    body: ContainmentForm,
    reply: Containment,
    statuses: [201],
    idempotent: true,
    refusals: [
      'unknown_plant',
      'idempotency_key_missing',
      'idempotency_key_reused',
      'not_found',
      'not_allowed',
      'measurement_inside',
      'measurement_not_counted',
      'containment_too_large',
      'containment_exists',
    ],
  }),
  list: endpoint({
    path: '/api/contencoes',
    summary: `Contenções: as abertas, depois as encerradas no período, até ${CONTAINMENTS_LISTED_MAX}`,
    access: 'read',
    query: z.strictObject({ filial: z.optional(BranchCode), inicio: z.optional(Day), fim: z.optional(Day) }),
    reply: z.strictObject({ inicio: Day, fim: Day, abertas: z.int(), contencoes: z.array(Containment) }),
    refusals: ['unknown_plant', 'period_reversed'],
    live: ['containments'],
  }),
  items: endpoint({
    path: '/api/contencoes/itens',
    summary: 'Itens, junções, lotes e ferramentas com peças suspeitas ou em retrabalho',
    access: 'read',
    query: z.strictObject({ filial: BranchCode }),
    reply: ContainedItems,
    refusals: ['unknown_plant'],
    live: ['containments'],
  }),
  detail: endpoint({
    path: '/api/contencoes/:id',
    summary: `Uma contenção e suas linhas, ${CONTAINMENT_PAGE} por página; também pelo número da etiqueta`,
    access: 'read',
    params: z.strictObject({ id: z.string().check(z.maxLength(36), z.regex(ID_OR_NUMBER)) }),
    query: z.strictObject(after),
    reply: ContainmentDetail,
    refusals: ['not_found'],
    live: ['containments'],
  }),
  changeWindow: endpoint({
    method: 'POST',
    path: '/api/contencoes/:id/janela',
    summary: 'Amplia a janela; quem decide contenções também a estreita',
    access: 'record',
    params: IdKey,
    body: WindowForm,
    reply: Containment,
    versioned: true,
    refusals: ['not_found', 'not_allowed', 'changed_meanwhile', 'containment_closed', 'containment_too_large'],
  }),
}

export const containmentFiles = {
  labels: endpoint({
    ...filed,
    ...printedAnswer,
    path: '/api/contencoes/:id/etiquetas',
    summary: 'Etiquetas das linhas, para imprimir',
    query: z.strictObject({
      /** Of one row alone. */
      linha: z.optional(RowId),
      copias: z.optional(RowId.check(z.maximum(LABEL_COPIES_MAX))),
    }),
    refusals: ['not_found'],
  }),
  sheet: endpoint({
    ...filed,
    ...printedAnswer,
    path: '/api/contencoes/:id/folha',
    summary: 'Folha da contenção, para imprimir',
    refusals: ['not_found'],
  }),
  csv: endpoint({
    ...filed,
    ...csvAnswer,
    path: '/api/contencoes/:id/csv',
    summary: 'As linhas da contenção para planilha',
    refusals: ['not_found'],
  }),
}
