import type { Part } from '../../contract/items.ts'

/** Words that several kinds of acts say. */

export const partNames: Record<Part, string> = { cabo: 'Cabo', l1: 'Terminal Lado 1', l2: 'Terminal Lado 2' }

/** 'Terminal Lado 1', 'Junção J01' */
export const placeText = (part: Part | 'juncao', junction = ''): string =>
  part === 'juncao' ? `Junção ${junction}` : partNames[part]

type PlacedForm<P> = {
  filial: string
  parte: P
  ordem: string
  codigoBarras?: string | undefined
  posicao?: string | undefined
}

/** Place of what is done to a part of an item, or to a junction; texts are empty where there is no such thing. */
export const placedOf = <P>({ filial, parte, ordem, codigoBarras = '', posicao = '' }: PlacedForm<P>) => ({
  branch: filial,
  barcode: codigoBarras,
  part: parte,
  order: ordem,
  junction: posicao,
})

export const recordingMessages = {
  saved: 'Salvo neste dispositivo. Será enviado quando a rede voltar.',
  notKept: 'Não foi possível guardar o apontamento neste dispositivo. Nada foi enviado.',
}

export const goesBackTo = (form: string) =>
  `O apontamento sai da fila e volta ao formulário ${form}. Ele só conta depois que você corrigir e registrar.`
