import type { RefusalCode } from '../../contract/errors.ts'
import { foldedName } from '../../contract/names.ts'
import type { ScrapReason, ScrapStage } from '../../contract/scrap-reasons.ts'
import {
  SCRAP_NOTE_LENGTH_MAX,
  type Scrap,
  type ScrapForm,
  type ScrapOrigin,
  type ScrapPart,
} from '../../contract/scraps.ts'
import { countText } from '../text/numbers.ts'

/** The reason that needs words, and the one that containments write; both are fixed. */
export const OTHER = 'outro'
export const CONTAINMENT = 'contencao'
/** Offered for pieces that the pull tester has destroyed. */
export const DESTRUCTIVE_TEST = 'ensaio-destrutivo'

export const isFixed = (code: string): boolean => code === OTHER || code === CONTAINMENT

/** `unit`: empty where no registered tool was used. */
type Wearing = { part: ScrapPart; unit: string; isRework: boolean; origin: ScrapOrigin }

/** Whether its pieces move the counter of its tool: a crimp thrown away was crimped, a repaired one is among the good ones. */
export const wears = ({ part, unit, isRework, origin }: Wearing): boolean =>
  (part === 'l1' || part === 'l2') && unit !== '' && !isRework && origin === 'operador'

const stageOf = (part: ScrapPart): ScrapStage =>
  part === 'cabo' ? 'corte' : part === 'juncao' ? 'juncao' : 'crimpagem'

export const partsOfStage = (stage: ScrapStage): readonly ScrapPart[] =>
  stage === 'corte' ? ['cabo'] : stage === 'juncao' ? ['juncao'] : ['l1', 'l2']

export const fitsPart = ({ etapa }: Pick<ScrapReason, 'etapa'>, part: ScrapPart): boolean =>
  etapa === 'todas' || etapa === stageOf(part)

/** The reasons that a dialog offers for a part, in their order. */
export const offeredReasons = <Reason extends Pick<ScrapReason, 'codigo' | 'etapa' | 'ativo' | 'posicao'>>(
  reasons: readonly Reason[],
  part: ScrapPart,
): Reason[] =>
  reasons
    .filter((reason) => reason.ativo && reason.codigo !== CONTAINMENT && fitsPart(reason, part))
    .toSorted((one, other) => one.posicao - other.posicao)

const LARGE_BUTTONS_MAX = 8

/** The reasons used most at the plant, as large buttons. */
export const usualReasons = (offered: readonly ScrapReason[], branch: string): ScrapReason[] =>
  offered.toSorted((one, other) => (other.uso[branch] ?? 0) - (one.uso[branch] ?? 0)).slice(0, LARGE_BUTTONS_MAX)

const MANY_PIECES = 20

/** So many are asked about once more. `ordered` null: nobody knows. */
export const isMany = (pieces: number, ordered: number | null): boolean =>
  pieces > MANY_PIECES && (ordered === null || pieces * 10 > ordered)

export const manyText = (pieces: number, ordered: number | null): string =>
  `Refugo de ${countText(pieces)} peças${ordered === null ? '' : ` em ${countText(ordered)}`}. Confirma?`

/** Code of a new reason: its words without accents; with a number where that is taken. */
export function reasonCode(words: string, isTaken: (code: string) => boolean, lengthMax: number): string {
  const code = foldedName(words)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  for (let nth = 1; ; nth++) {
    const end = nth === 1 ? '' : `-${nth}`
    const numbered = `${(code || 'motivo').slice(0, lengthMax - end.length).replace(/-$/, '')}${end}`
    if (!isTaken(numbered)) return numbered
  }
}

type Said = Pick<ScrapForm, 'motivo' | 'texto'>
type Known = Pick<ScrapReason, 'codigo' | 'etapa' | 'ativo'>

/** Reason and words as they are stored. Those that nobody may choose any more become words of 'outro': the pieces are gone all the same. */
export function storedReason({ motivo, texto = '' }: Said, known: Known | null): { code: string; note: string } {
  const words = texto.trim()
  if (known?.ativo && known.codigo !== CONTAINMENT) return { code: known.codigo, note: words }
  return {
    code: OTHER,
    note: [motivo, words].filter(Boolean).join(': ').slice(0, SCRAP_NOTE_LENGTH_MAX).toWellFormed(),
  }
}

/** The objection to what comes at once from a page; a tablet's queue is refused nothing. */
export function reasonProblem(
  { motivo, texto = '', parte }: Said & Pick<ScrapForm, 'parte'>,
  known: Known | null,
): { field: 'motivo' | 'texto'; message: string } | null {
  if (!known?.ativo || motivo === CONTAINMENT) {
    return { field: 'motivo', message: 'Motivo desconhecido. Atualize a página.' }
  }
  if (!fitsPart(known, parte)) return { field: 'motivo', message: 'Este motivo é de outra etapa.' }
  if (motivo === OTHER && texto.trim() === '') return { field: 'texto', message: 'Escreva qual é o motivo.' }
  return null
}

/** The objection to a reason by which a containment scraps pieces; its own reason fits each stage. */
export function containmentReasonProblem(part: ScrapPart, known: Known | null): string | null {
  if (!known?.ativo) return 'Motivo desconhecido. Atualize a página.'
  return fitsPart(known, part) ? null : 'Este motivo é de outra etapa.'
}

type Undoing = {
  isAuthor: boolean
  isSameShift: boolean
  /** Who corrects the work of others. */
  mayCorrect: boolean
  hasReason: boolean
  origin: ScrapOrigin
}

/** Null: it may be undone, also a second time, which changes nothing. */
export function decideUndo(undoing: Undoing): RefusalCode | 'reason_missing' | null {
  const isOwn = undoing.isAuthor && undoing.isSameShift
  if (!isOwn && !undoing.mayCorrect) return 'not_allowed'
  if (undoing.origin === 'contencao') return 'scrap_of_containment'
  return isOwn || undoing.hasReason ? null : 'reason_missing'
}

type Saved = { isRework: boolean; pieces: number; reason: string }

/** 'Refugo salvo: 12 · Altura fora.' */
export const scrapSavedText = ({ isRework, pieces, reason }: Saved): string =>
  `${isRework ? 'Retrabalho' : 'Refugo'} salvo: ${countText(pieces)} · ${reason}.`

/** The reason in the plant's words, with those of its author where it is none of them. */
export const reasonOf = ({ motivo, motivoTexto, nota }: Pick<Scrap, 'motivo' | 'motivoTexto' | 'nota'>): string =>
  motivo === OTHER && nota !== '' ? nota : motivoTexto

type Entry = { pieces: number; isRework: boolean; reason: string }

/** 'Refugo hoje: 12 (Altura fora)'; of several 'Refugo hoje: 17 (3 lançamentos)'. Empty without any. */
export function todayText(entries: readonly Entry[]): string {
  const textOf = (word: string, own: readonly Entry[]) => {
    const [first] = own
    if (!first) return ''
    const sum = own.reduce((all, { pieces }) => all + pieces, 0)
    return `${word} hoje: ${countText(sum)} (${own.length === 1 ? first.reason : `${countText(own.length)} lançamentos`})`
  }
  const [scrap, rework] = [entries.filter(({ isRework }) => !isRework), entries.filter(({ isRework }) => isRework)]
  return [textOf('Refugo', scrap), textOf('Retrabalho', rework)].filter(Boolean).join(' · ')
}
