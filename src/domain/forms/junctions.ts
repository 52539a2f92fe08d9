import { type ErpJunction, isUltrasonic, type JunctionRecording, TERMINAL_GROUP } from '../../contract/junctions.ts'
import type { LimitReason } from '../../contract/recordings.ts'
import { junctionQuantityBounds } from '../acts/junction-balance.ts'
import { type AuthorNow, captureOf } from '../acts/recordings.ts'
import { readNumber } from '../text/numbers.ts'
import { formCapture, type Judged, lotRefusal, type Sampled, sampledOf } from './recording-form.ts'

const yes = ['s', 'sim', 'true', '1']
const no = ['n', 'nao', 'não', 'false', '0']

/** The ERP's several ways to say yes and no; what is neither is shown as it came. */
export function yesNoText(raw: string): string {
  const word = raw.trim().toLowerCase()
  if (yes.includes(word)) return 'Sim'
  if (no.includes(word)) return 'Não'
  return raw.trim() || '-'
}

export type JunctionForm = Sampled & {
  lot: string
  force: string
  height: string
  machine: string
  tightness: '' | 'Sim' | 'Não'
  /** Null until somebody types: what is left. */
  quantity: string | null
  /** As of an item's form. */
  isMachineRemembered?: boolean
  limitReason?: LimitReason | undefined
  judged?: Judged | undefined
  /** Lot that its samples are of. */
  sampledLot?: string | undefined
}

/** With a quantity, whoever has given it. */
export type CountedJunction = JunctionForm & { quantity: string }

const isFilled = (...texts: string[]) => texts.every((text) => text.trim() !== '')
const isNumber = (text: string) => readNumber(text) >= 0

/** Objection to registering, in the words shown; null when there is none. */
export function junctionRefusal(
  junction: Pick<ErpJunction, 'Z8_GRUPOMP'> | null,
  form: CountedJunction,
): string | null {
  if (!junction) return 'Erro: Dados da junção não encontrados'
  if (!isNumber(form.force) || !isNumber(form.quantity) || !isFilled(form.machine)) {
    return 'Erro: Preencha todos os campos obrigatórios (força, máquina, quantidade)'
  }
  if (isUltrasonic(junction.Z8_GRUPOMP)) return null
  return isFilled(form.lot, form.tightness) && isNumber(form.height)
    ? lotRefusal(form.lot)
    : 'Erro: Para TERMINAIS, preencha todos os campos obrigatórios (lote, altura, estanqueidade)'
}

/** A recording that nobody took, as its form was filled in: registered again it says the same. */
export const junctionFormOf = (recording: JunctionRecording): CountedJunction => ({
  lot: recording.LOTE_TERMINAL ?? '',
  force: decimalText(recording.FORCA),
  height: recording.ALTURA === undefined ? '' : decimalText(recording.ALTURA),
  machine: recording.MAQUINA,
  tightness: recording.ESTANQUEIDADE ?? '',
  quantity: String(recording.QTD_APONTADA),
  ...sampledOf(recording.captura),
  ...(recording.captura?.medicoes ? { sampledLot: recording.LOTE_TERMINAL ?? '' } : {}),
})

const decimalText = (value: number) => String(value).replace('.', ',')

type Author = AuthorNow & {
  branch: string
  order: string
  username: string
  /** Today at the plant. */
  day: string
}

/** The ERP's payload of one act. Ask `junctionRefusal` first. */
export function buildJunctionPayload(junction: ErpJunction, form: CountedJunction, author: Author): JunctionRecording {
  const common = {
    FILIAL: author.branch,
    NUMERO_OP: author.order,
    TIPO_REGISTRO: 'JUNCAO' as const,
    POSICAO: junction.Z8_POSICAO,
    QTD_PECAS: junctionQuantityBounds(junction).max,
    QTD_APONTADA: readNumber(form.quantity),
    DATA: author.day,
    OPERADOR: author.username.trim() || 'SISTEMA',
    FORCA: readNumber(form.force),
    MAQUINA: form.machine,
  }
  // nothing of it is filled in for the operator: what stands there was measured
  const capture = { ...captureOf(author), ...formCapture(form), medidoForca: true, ...form.judged }
  if (isUltrasonic(junction.Z8_GRUPOMP)) return { ...common, GRUPO_MP: junction.Z8_GRUPOMP, captura: capture }
  return {
    ...common,
    GRUPO_MP: TERMINAL_GROUP,
    ALTURA: readNumber(form.height),
    LOTE_TERMINAL: form.lot.trim(),
    ...(junction.Z8_TERMINA.trim() === '' ? {} : { TERMINAL: junction.Z8_TERMINA }),
    ESTANQUEIDADE: form.tightness === 'Sim' ? 'Sim' : 'Não',
    captura: { ...capture, medidoAltura: true },
  }
}
