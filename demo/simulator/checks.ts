import { type CutRow, NONE, type Section, sectionNames, sections } from './dictionary.ts'
import { type RecordRequest, Refusal, textOf } from './requests.ts'
import { sampleBlockedLot, sampleMachines } from './sample-catalogue.ts'
import type { SampleJunction, SampleOrder } from './sample-junctions.ts'

const markers: Record<Section, string> = { cable: 'COD_CABO', side1: 'TERM_LD1', side2: 'TERM_LD2' }
const lotKeys: Record<Section, string> = { cable: 'LOTE_CABO', side1: 'LOTE_TERM_LD1', side2: 'LOTE_TERM_LD2' }

export function sectionOf(body: RecordRequest): Section {
  const section = sectionNames.find((name) => textOf(body[markers[name]]) !== '')
  if (!section) throw new Refusal('Informe o cabo ou o terminal do apontamento')
  return section
}

export const balanceOf = (row: CutRow, section: Section) => row.Z1_QUANT - row[sections[section].registered]

function checkMachine(body: RecordRequest): void {
  const id = textOf(body.MAQUINA).split(' ')[0]
  if (!sampleMachines.some((machine) => machine.id === id)) throw new Refusal('Máquina não cadastrada')
}

function checkLot(lot: unknown): void {
  if (textOf(lot) === sampleBlockedLot) throw new Refusal('Lote bloqueado')
}

function piecesOf(value: unknown): number {
  const pieces = Number(value)
  if (!(pieces > 0)) throw new Refusal('Quantidade inválida')
  return pieces
}

/** What a recording of cut or crimp comes to, or a Refusal. */
export function checkCutCrimp(
  order: SampleOrder,
  row: CutRow,
  body: RecordRequest,
): { section: Section; pieces: number } {
  if (order.closed) throw new Refusal('Ordem de produção encerrada')
  checkMachine(body)
  const section = sectionOf(body)
  const { terminal } = sections[section]
  if (terminal && (row[terminal] === NONE || row[terminal] !== textOf(body[markers[section]]))) {
    throw new Refusal('Terminal informado difere da estrutura')
  }
  checkLot(body[lotKeys[section]])
  const pieces = piecesOf(body.QTD_REALIZADA)
  const balance = balanceOf(row, section)
  if (pieces > balance) throw new Refusal(`Quantidade excede o saldo da ordem (saldo ${balance})`)
  return { section, pieces }
}

/** How many pieces a junction recording adds, or a Refusal. */
export function checkJunction(order: SampleOrder, { row, joined }: SampleJunction, body: RecordRequest): number {
  if (order.closed) throw new Refusal('Ordem de produção encerrada')
  checkMachine(body)
  if (textOf(body.TERMINAL) !== row.Z8_TERMINA) throw new Refusal('Terminal informado difere da estrutura')
  checkLot(body.LOTE_TERMINAL)
  const pieces = piecesOf(body.QTD_APONTADA)
  if (joined >= row.Z8_QTDPECA) throw new Refusal('Junção já concluída')
  return pieces
}
