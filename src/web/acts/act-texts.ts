import type { Part } from '../../contract/items.ts'
import { formatCount } from '../text/format.ts'

/** Words that several kinds of acts say. */

export const partNames: Record<Part, string> = { cabo: 'Cabo', l1: 'Terminal Lado 1', l2: 'Terminal Lado 2' }

export const piecesText = (count: number) => (count === 1 ? '1 peça' : `${formatCount(count)} peças`)

export const recordingMessages = {
  saved: 'Salvo neste dispositivo. Será enviado quando a rede voltar.',
  notKept: 'Não foi possível guardar o apontamento neste dispositivo. Nada foi enviado.',
}

export const goesBackTo = (form: string) =>
  `O apontamento sai da fila e volta ao formulário ${form}. Ele só conta depois que você corrigir e registrar.`
