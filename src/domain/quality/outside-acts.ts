import type { CallState } from '../../contract/maintenance-calls.ts'
import type { MeasurementAction } from '../../contract/measurements.ts'
import type { OutsideAct, OutsideReading } from '../../contract/outside-acts.ts'
import { characteristicTexts, OWN_TAKEN_OUT } from '../reports/spc-names.ts'
import { type CsvColumns, csvCode, csvText } from '../text/csv.ts'
import { piecesText } from '../text/numbers.ts'
import { callStateTexts } from '../tools/maintenance-calls.ts'
import { judge, readingText } from './control-plans.ts'
import { actionTexts } from './measuring.ts'
import { situationTexts, treatedText, treatmentsText } from './occurrences.ts'
import { sideTexts } from './plan-gate.ts'
import type { Readings } from './sampling.ts'

const MINUTE_MS = 60_000
/** So long somebody has to measure again, to call or to bring what a tablet holds; by the server's receipt. */
export const ANSWER_MS = 15 * MINUTE_MS
/** A call for maintenance follows what was measured so shortly before it. */
export const CALL_FOLLOWS_MS = 15 * MINUTE_MS

/** Epoch ms; keys as places have them. */
type Stopped = {
  id: string
  branch: string
  machineKey: string
  unitKey: string
  action: MeasurementAction | null
  measuredAt: number
}

/** A call with each press that is in it. */
export type AnsweringCall = {
  number: number
  state: CallState
  openedAt: number
  branch: string
  isForMaintenance: boolean
  machineKey: string
  unitKey: string
  presses: readonly { at: number; act: string | null }[]
}

/**
 * The newest that answers an act: it names the act, or is for maintenance, about its machine and tool, and came soon after
 * somebody said that he stopped and called. One that was taken back answers nothing.
 */
export function callAnswering(act: Stopped, calls: readonly AnsweringCall[]): AnsweringCall | null {
  const follows = (at: number) => act.measuredAt <= at && at - act.measuredAt <= CALL_FOLLOWS_MS
  const isAbout = (call: AnsweringCall) =>
    call.isForMaintenance &&
    act.action === 'manutencao' &&
    call.machineKey === act.machineKey &&
    call.unitKey === act.unitKey &&
    call.presses.some(({ at }) => follows(at))
  const answering = calls.filter(
    (call) =>
      call.branch === act.branch &&
      call.state !== 'cancelado' &&
      (call.presses.some((press) => press.act === act.id) || isAbout(call)),
  )
  return answering.reduce<AnsweringCall | null>(
    (newest, call) => (newest === null || call.number > newest.number ? call : newest),
    null,
  )
}

type Answer = { isTreated: boolean; isMeasured: boolean; isCalled: boolean; receivedAt: number }

/** Nobody has done anything about it for too long. */
export const isUnanswered = ({ isTreated, isMeasured, isCalled, receivedAt }: Answer, now: number): boolean =>
  !isTreated && !isMeasured && !isCalled && now - receivedAt > ANSWER_MS

/** 'Altura 1,170; máximo 1,150'. Without a bound of the plan it was the order that asks for more. */
export function outsideText({ caracteristica, valores, minimo, maximo }: OutsideReading): string {
  const [first = 0, ...others] = valores
  const readings: Readings = [first, ...others]
  const { worst, beyond } = judge({ low: minimo, high: maximo, nominal: null }, readings)
  const textOf = (milli: number) => readingText(milli, caracteristica)
  const read = `${characteristicTexts[caracteristica]} ${textOf(worst)}`
  if (beyond === 0) return `${read}; abaixo do mínimo da ordem`
  return `${read}; ${beyond > 0 ? `máximo ${textOf(maximo ?? 0)}` : `mínimo ${textOf(minimo ?? 0)}`}`
}

/** The outcome alone; the page adds the link to it. */
export type Followed = {
  kind: 'taken-out' | 'measured' | 'called' | 'treated' | 'recorded' | 'nothing'
  text: string
  isBad: boolean
}

/** `ago` and `time` write an instant as who reads it does. */
type Write = { ago(instant: string): string; time(instant: string): string }

const callText = ({ numero, situacao, abertoEm }: NonNullable<OutsideReading['chamado']>, write: Write) =>
  `Chamado ${numero}: ${situacao === 'aberto' ? `aberto ${write.ago(abertoEm)}` : callStateTexts[situacao].toLowerCase()}`

/** The first that holds of a characteristic; what was recorded without measuring stands beside a call too. */
export function followedBy(
  { medida, chamado, apontadas }: OutsideReading,
  { tirada, tratamentos, recebidoEm }: Pick<OutsideAct, 'tirada' | 'tratamentos' | 'recebidoEm'>,
  { now, ...write }: Write & { now: number },
): Followed[] {
  if (tirada) {
    const who = tirada.porQuemMediu ? OWN_TAKEN_OUT : `Tirada das contas por ${tirada.por}`
    return [{ kind: 'taken-out', text: `${who}: ${tirada.motivo}`, isBad: tirada.porQuemMediu }]
  }
  if (medida) return [{ kind: 'measured', text: `Medida de novo às ${write.time(medida.em)}: dentro`, isBad: false }]
  const recorded: Followed[] =
    apontadas > 0
      ? [{ kind: 'recorded', text: `Apontado depois sem medir: ${piecesText(apontadas)}`, isBad: true }]
      : []
  if (chamado) return [{ kind: 'called', text: callText(chamado, write), isBad: false }, ...recorded]
  if (tratamentos.length > 0) return [{ kind: 'treated', text: treatedText(tratamentos), isBad: false }]
  if (recorded.length > 0) return recorded
  return [{ kind: 'nothing', text: 'Nada ainda', isBad: now - Date.parse(recebidoEm) > ANSWER_MS }]
}

/** `from` and `to`: days of the plant, `YYYY-MM-DD`. */
export const outsideFileName = (from: string, to: string): string => `medicoes_fora_${from}_${to}.csv`

/** A characteristic of an act is a line. */
export type OutsideLine = { act: OutsideAct; reading: OutsideReading }

export function outsideColumns(moment: (instant: string) => string, now: number): CsvColumns<OutsideLine> {
  const write = { now, ago: (instant: string) => `desde ${moment(instant)}`, time: moment }
  return [
    ['Data e hora', ({ act }) => moment(act.medidoEm)],
    ['Recebida em', ({ act }) => moment(act.recebidoEm)],
    ['Filial', ({ act }) => csvCode(act.filial)],
    ['Ordem', ({ act }) => csvCode(act.ordem)],
    ['Código de Barras', ({ act }) => csvCode(act.codigoBarras)],
    ['Posição', ({ act }) => csvCode(act.posicao)],
    ['Lado', ({ act }) => sideTexts[act.parte] ?? ''],
    ['Terminal', ({ act }) => csvCode(act.terminal)],
    ['Máquina', ({ act }) => csvCode(act.maquina)],
    ['Mini Aplicador', ({ act }) => csvCode(act.miniaplicador)],
    ['Medido', ({ reading }) => csvText(outsideText(reading))],
    ['O que fez', ({ act }) => (act.acao === null ? '' : csvText(actionTexts[act.acao]))],
    ['Operador', ({ act }) => csvText(act.operador)],
    ['Liberado por', ({ act }) => csvText(act.liberadoPor)],
    [
      'O que seguiu',
      ({ act, reading }) =>
        csvText(
          followedBy(reading, act, write)
            .map(({ text }) => text)
            .join(' · '),
        ),
    ],
    ['Situação', ({ act }) => situationTexts[act.situacao]],
    ['Tratamento', ({ act }) => csvText(treatmentsText(act.tratamentos))],
  ]
}
