import { UNREGISTERED } from '../../contract/applicators.ts'
import type {
  CallCause,
  CallState,
  CallSymptom,
  CallTotals,
  MaintenanceCall,
} from '../../contract/maintenance-calls.ts'
import { type CallTeam, callTeams, type Permission, type Role } from '../../contract/values.ts'
import { nameKey } from '../acts/recordings.ts'
import { isAllowed } from '../people/permissions.ts'
import { type CsvColumns, csvCode, csvText } from '../text/csv.ts'
import { symptomTexts } from './call-symptoms.ts'
import { teamOf, teamTexts, topicTexts } from './call-topics.ts'
import { partName } from './wear-parts.ts'

const MINUTE_MS = 60_000

/** A press joins the open call of the same thing for so long after it. */
export const CALL_JOIN_MS = 5 * MINUTE_MS
/** A call older than this when the server hears of it comes too late to be answered. */
export const CALL_LATE_MS = 15 * MINUTE_MS
/** Its author takes a slip of the finger back. */
export const CALL_UNDO_MS = 30_000
/** Age from which an open call that nobody attends to is overdue. */
const CALL_OVERDUE_MS = 10 * MINUTE_MS

export const causeTexts: Record<CallCause, string> = {
  ajuste: 'Desajuste',
  'crimpador-gasto': 'Crimpador gasto',
  'bigorna-gasta': 'Bigorna gasta',
  'cortador-gasto': 'Cortador gasto',
  'peca-quebrada': 'Peça quebrada',
  avanco: 'Avanço do terminal',
  sujeira: 'Sujeira ou cavaco',
  'terminal-ou-lote': 'Terminal errado ou lote ruim',
  'cabo-ou-decape': 'Cabo ou decape',
  'selo-ou-lote': 'Selo errado ou lote ruim',
  eletrica: 'Elétrica',
  pneumatica: 'Pneumática',
  mecanica: 'Mecânica',
  'sensor-ou-seguranca': 'Sensor ou segurança',
  'sem-defeito': 'Sem defeito encontrado',
  outra: 'Outra',
  'medicao-refeita': 'Medição refeita',
  'contencao-aberta': 'Contenção aberta',
  'plano-corrigido': 'Plano corrigido',
  entregue: 'Entregue',
  'lote-trocado': 'Lote trocado',
  'sem-material': 'Sem material',
  orientado: 'Orientado',
}

const machineCauses = ['eletrica', 'pneumatica', 'mecanica', 'sensor-ou-seguranca'] as const

const causesBySymptom: Record<CallSymptom, readonly CallCause[]> = {
  'altura-fora': ['ajuste', 'crimpador-gasto', 'bigorna-gasta', 'peca-quebrada', 'terminal-ou-lote', 'cabo-ou-decape'],
  'forca-baixa': ['ajuste', 'crimpador-gasto', 'bigorna-gasta', 'cabo-ou-decape', 'terminal-ou-lote'],
  'terminal-nao-avanca': ['avanco', 'sujeira', 'peca-quebrada', 'terminal-ou-lote', 'ajuste'],
  'corte-do-talao': ['cortador-gasto', 'ajuste', 'sujeira', 'peca-quebrada'],
  'selo-falha': ['ajuste', 'selo-ou-lote', 'sujeira', 'peca-quebrada', 'cabo-ou-decape'],
  'maquina-parada': [...machineCauses, 'peca-quebrada', 'sujeira'],
  outro: [...machineCauses, 'ajuste', 'peca-quebrada', 'sujeira'],
}

const causesByTeam: Record<Exclude<CallTeam, 'manutencao'>, readonly CallCause[]> = {
  qualidade: ['medicao-refeita', 'contencao-aberta', 'plano-corrigido', 'sem-defeito', 'outra'],
  material: ['entregue', 'lote-trocado', 'sem-material', 'outra'],
  lider: ['orientado', 'outra'],
}
const causesOfOthers = new Set(Object.values(causesByTeam).flat())

type About = { sintoma: CallSymptom; equipe?: CallTeam }

/** Possible causes of a call, the likeliest first. */
export function causesOf(call: About): readonly CallCause[] {
  const team = teamOf(call)
  return team === 'manutencao' ? [...causesBySymptom[call.sintoma], 'sem-defeito', 'outra'] : causesByTeam[team]
}

/** Any cause of maintenance, whatever the symptom: people find other things than they are called for. */
export function isCauseOf(team: CallTeam, cause: CallCause): boolean {
  if (team !== 'manutencao') return causesByTeam[team].includes(cause)
  return cause === 'sem-defeito' || cause === 'outra' || !causesOfOthers.has(cause)
}

/** Permission to acknowledge, resolve and cancel a call of each team. */
const teamPermissions: Record<CallTeam, Permission> = {
  manutencao: 'maintain',
  qualidade: 'plans',
  material: 'record',
  lider: 'correct',
}

/** `limitRoles`: as `isAllowed` takes them. */
export const mayAnswer = (role: string, team: CallTeam, limitRoles: readonly Role[] | null): boolean =>
  isAllowed(role, teamPermissions[team], limitRoles)

/** The teams of the plant in their order: as many as an administrator has chosen, and maintenance always. */
export const orderedTeams = (chosen: readonly string[]): CallTeam[] =>
  callTeams.filter((team) => team === 'manutencao' || chosen.includes(team))

/** Cause of a call, from the list of causes or in a person's words. */
export const causeText = ({ causa, causaTexto }: Pick<MaintenanceCall, 'causa' | 'causaTexto'>): string => {
  if (causa === null) return ''
  const isSaid = causaTexto.trim() !== ''
  if (causa === 'outra' && isSaid) return causaTexto
  return isSaid ? `${causeTexts[causa]}: ${causaTexto}` : causeTexts[causa]
}

/** 'Bigorna 1-456, Cortador 9-77': what went when it was resolved. */
export const changedPartsText = ({ trocadas = [] }: Pick<MaintenanceCall, 'trocadas'>): string =>
  trocadas.map(partName).join(', ')

export const callStateTexts: Record<CallState, string> = {
  aberto: 'Aberto',
  atendido: 'Em atendimento',
  resolvido: 'Resolvido',
  cancelado: 'Cancelado',
}

export const isOpenCall = ({ situacao }: Pick<MaintenanceCall, 'situacao'>): boolean =>
  situacao === 'aberto' || situacao === 'atendido'

/** Nobody has come for so long that everybody should see it. */
export const isOverdue = ({ situacao, abertoEm }: Pick<MaintenanceCall, 'situacao' | 'abertoEm'>, nowMs: number) =>
  situacao === 'aberto' && nowMs - Date.parse(abertoEm) >= CALL_OVERDUE_MS

type Written = Pick<MaintenanceCall, 'situacao' | 'abertoEm' | 'atendidoEm' | 'atendidoPor' | 'encerradoEm'>

/** 'aberto há 3 min', 'Carlos atende desde 14:36', 'Resolvido 14:51'. `ago` and `time` write an instant as the page does. */
export function callStateText(call: Written, write: { ago(instant: string): string; time(instant: string): string }) {
  const { situacao, abertoEm, atendidoEm, atendidoPor, encerradoEm } = call
  if (situacao === 'aberto') return `aberto ${write.ago(abertoEm)}`
  if (situacao === 'atendido') return `${atendidoPor} atende desde ${write.time(atendidoEm ?? abertoEm)}`
  return `${callStateTexts[situacao]} ${write.time(encerradoEm ?? abertoEm)}`
}

export const callOpenedText = (number: number, team: CallTeam): string =>
  team === 'manutencao' ? `Chamado ${number} aberto.` : `Chamado ${number} aberto: ${teamTexts[team]}.`
export const callJoinedText = (number: number): string => `Já há um chamado: ${number}.`

/** By what two presses are about the same tool; empty where none is named. */
export const calledUnitKey = (unit: string): string => (nameKey(unit) === nameKey(UNREGISTERED) ? '' : nameKey(unit))

/** When the server heard of a press (epoch ms), and whether that was too late for it to be answered. */
type Arrival = { receivedAt: number; isLate: boolean }

/** `openedAt`: the press. What comes without a session to be trusted makes no noise either. */
export const isLateCall = (press: { openedAt: number; receivedAt: number; isTrusted: boolean }): boolean =>
  !press.isTrusted || press.receivedAt - press.openedAt > CALL_LATE_MS

/** Whether a press joins an open call about the same. Never one that made no sound, unless it makes none itself. */
export const joinsCall = (press: Arrival, open: Arrival): boolean =>
  // the clocks of two servers differ a little
  Math.abs(press.receivedAt - open.receivedAt) <= CALL_JOIN_MS && (press.isLate || !open.isLate)

type Cancelled = {
  state: CallState
  openedByUserId: number
  receivedAt: number
  joined: number
}
type Canceller = { userId: number; mayAnswer: boolean; hasReason: boolean; now: number }

/** `undo` needs no reason: nobody can have heard of it yet. */
export function decideCancel(call: Cancelled, by: Canceller): 'undo' | 'cancel' | 'not_allowed' | 'reason_missing' {
  const isAuthor = call.openedByUserId === by.userId
  const isFresh = call.state === 'aberto' && call.joined === 0 && by.now - call.receivedAt <= CALL_UNDO_MS
  if (isAuthor && isFresh && !by.hasReason) return 'undo'
  if (!isAuthor && !by.mayAnswer) return 'not_allowed'
  return by.hasReason ? 'cancel' : 'reason_missing'
}

/** Epoch ms; null where it has not happened. */
export type CallTimes = {
  state: CallState
  openedAt: number
  acknowledgedAt: number | null
  settledAt: number | null
  isLate: boolean
}

const meanMin = (spansMs: readonly number[]): number | null =>
  spansMs.length === 0 ? null : spansMs.reduce((sum, span) => sum + Math.max(0, span), 0) / spansMs.length / MINUTE_MS

/** Totals of the calls opened in a period. Open ones are counted beside, never estimated. */
export function callTotals(calls: readonly CallTimes[]): CallTotals {
  const counted = calls.filter(({ state }) => state !== 'cancelado')
  const resolved = counted.flatMap(({ openedAt, acknowledgedAt, settledAt }) =>
    settledAt === null ? [] : [{ openedAt, acknowledgedAt: acknowledgedAt ?? settledAt, settledAt }],
  )
  return {
    chamados: counted.length,
    abertos: counted.length - resolved.length,
    mttaMin: meanMin(
      counted.flatMap(({ openedAt, acknowledgedAt, isLate }) =>
        acknowledgedAt === null || isLate ? [] : [acknowledgedAt - openedAt],
      ),
    ),
    mttrMin: meanMin(resolved.map(({ acknowledgedAt, settledAt }) => settledAt - acknowledgedAt)),
    paradoMin: meanMin(resolved.map(({ openedAt, settledAt }) => settledAt - openedAt)),
  }
}

const minutes = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })

/** '7,2 min', '2 h 5 min' */
export function minutesText(min: number): string {
  const whole = Math.round(min)
  return whole < 60 ? `${minutes.format(min)} min` : `${Math.floor(whole / 60)} h ${whole % 60} min`
}

/** `from` and `to`: days of the plant, `YYYY-MM-DD`. */
export const callsFileName = (from: string, to: string): string => `chamados_${from}_${to}.csv`

const minutesBetween = (from: string | null, to: string | null): string =>
  from === null || to === null
    ? ''
    : String(Math.round((Date.parse(to) - Date.parse(from)) / (MINUTE_MS / 10)) / 10).replace('.', ',')

/** `momentText` writes an instant as people at the plant do. */
export function callColumns(momentText: (instant: string) => string): CsvColumns<MaintenanceCall> {
  const moment = (instant: string | null) => (instant === null ? '' : momentText(instant))
  const resolvedAt = (call: MaintenanceCall) => (call.situacao === 'resolvido' ? call.encerradoEm : null)
  return [
    ['Chamado', ({ numero }) => String(numero)],
    ['Situação', ({ situacao }) => callStateTexts[situacao]],
    ['Aberto em', ({ abertoEm }) => moment(abertoEm)],
    ['Aberto por', ({ abertoPor }) => csvText(abertoPor)],
    ['Máquina', ({ maquina }) => csvCode(maquina)],
    ['Mini Aplicador', ({ miniaplicador }) => csvCode(miniaplicador)],
    ['Ordem', ({ ordem }) => csvCode(ordem)],
    ['Código de Barras', ({ codigoBarras }) => csvCode(codigoBarras)],
    ['Posição', ({ posicao }) => csvCode(posicao)],
    ['Lado', ({ lado }) => lado],
    ['Sintoma', ({ equipe, sintoma }) => (equipe === 'manutencao' ? symptomTexts[sintoma] : '')],
    ['Nota', ({ nota }) => csvText(nota)],
    ['Atendido em', ({ atendidoEm }) => moment(atendidoEm)],
    ['Atendido por', ({ atendidoPor }) => csvText(atendidoPor)],
    ['Encerrado em', ({ encerradoEm }) => moment(encerradoEm)],
    ['Encerrado por', ({ encerradoPor }) => csvText(encerradoPor)],
    ['Causa', (call) => csvText(causeText(call))],
    ['O que foi feito', ({ feito }) => csvText(feito)],
    ['Motivo do Cancelamento', ({ motivo }) => csvText(motivo)],
    ['Até Atender (min)', ({ abertoEm, atendidoEm }) => minutesBetween(abertoEm, atendidoEm)],
    ['Reparo (min)', (call) => minutesBetween(call.atendidoEm, resolvedAt(call))],
    ['Parado (min)', (call) => minutesBetween(call.abertoEm, resolvedAt(call))],
    ['Enviado Depois', ({ enviadoDepois }) => (enviadoDepois ? 'Sim' : 'Não')],
    ['Autor Confirmado', ({ autorConfirmado }) => (autorConfirmado ? 'Sim' : 'Não')],
    ['Chamadas Juntadas', ({ juntados }) => String(juntados)],
    ['Peças Trocadas', (call) => csvText(changedPartsText(call))],
    ['Equipe', ({ equipe }) => teamTexts[equipe]],
    ['Assunto', ({ assunto }) => (assunto === '' ? '' : topicTexts[assunto])],
  ]
}
