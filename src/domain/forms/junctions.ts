import {
  type Circuit,
  type ErpJunction,
  isUltrasonic,
  type JunctionRecording,
  TERMINAL_GROUP,
} from '../../contract/junctions.ts'
import type { LimitReason } from '../../contract/recordings.ts'
import { junctionQuantityBounds } from '../acts/junction-balance.ts'
import { type AuthorNow, captureOf, captureWithoutQueue, captureWithReason } from '../acts/recordings.ts'
import { countText, readNumber } from '../text/numbers.ts'
import {
  type CorrectedForm,
  correctQuantity,
  formCapture,
  type Judged,
  lotRefusal,
  type Sampled,
  sampledOf,
} from './recording-form.ts'

const sideNames = { E: 'left', D: 'right' } as const
type Side = (typeof sideNames)[keyof typeof sideNames]

const same = (one: string, other: string) => one.trim() === other.trim()

/** The side of the position that one end of a circuit (`POSITION|E`, `POSITION|D`) goes to; null when it goes elsewhere. */
function sideOf(end: string, position: string): Side | null {
  const bar = end.lastIndexOf('|')
  if (bar < 0 || !same(end.slice(0, bar), position)) return null
  const letter = end
    .slice(bar + 1)
    .trim()
    .toUpperCase()
  return letter === 'E' || letter === 'D' ? sideNames[letter] : null
}

/** One wire at one side of the position. */
export type JoinedWire = {
  circuit: Circuit
  /** Where its other end goes, as the ERP names it. */
  farEnd: string
}

const gaugeMm2 = ({ circuit }: JoinedWire) => readNumber(circuit.Z1_BITOLA)

/** Thinnest first; a gauge that is no number last. */
const byGauge = (one: JoinedWire, other: JoinedWire) => {
  const [a, b] = [gaugeMm2(one), gaugeMm2(other)]
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return a - b
}

/** A circuit with both ends at the position lies on both its sides. */
export function wiresBySide(circuits: readonly Circuit[], position: string): Record<Side, JoinedWire[]> {
  const on = (side: Side) =>
    circuits
      .flatMap((circuit): JoinedWire[] => {
        if (sideOf(circuit.Z1_DE, position) === side) return [{ circuit, farEnd: circuit.Z1_PARA }]
        return sideOf(circuit.Z1_PARA, position) === side ? [{ circuit, farEnd: circuit.Z1_DE }] : []
      })
      .toSorted(byGauge)
  return { left: on('left'), right: on('right') }
}

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

/** The typed quantity within its bounds. */
export function correctJunction<Form extends CountedJunction>(form: Form, piecesMax: number): CorrectedForm<Form> {
  const { text, warning } = correctQuantity(form.quantity, { min: 1, max: piecesMax })
  return { form: { ...form, quantity: text }, warnings: warning ? [warning] : [] }
}

export const junctionPiecesText = (piecesMax: number) => `De 1 a ${countText(piecesMax)} peças por apontamento`

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

/** The same act, told right. */
export function correctedJunction(recording: JunctionRecording, form: CountedJunction): JunctionRecording {
  const { captura, ...act } = recording
  const capture = captureWithReason(captureWithoutQueue(captura), form.limitReason)
  const common = {
    ...act,
    QTD_APONTADA: readNumber(form.quantity),
    FORCA: readNumber(form.force),
    MAQUINA: form.machine,
    captura: capture,
  }
  if (isUltrasonic(recording.GRUPO_MP)) return common
  return {
    ...common,
    ALTURA: readNumber(form.height),
    LOTE_TERMINAL: form.lot.trim(),
    ESTANQUEIDADE: form.tightness === 'Sim' ? 'Sim' : 'Não',
  }
}

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
