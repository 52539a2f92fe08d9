import type { ScrapForm, ScrapPart } from '../../contract/scraps.ts'
import { captureOf } from '../../domain/acts/recordings.ts'
import { piecesText } from '../../domain/text/numbers.ts'
import { deferred } from '../device/deferred.ts'
import { links } from '../text/links.ts'
import type { Act, Frozen } from './act.ts'
import { placedOf, placeText } from './act-texts.ts'

/** Scrap of a part of an item, or of a junction; texts are empty where there is no such thing. */
export type FrozenScrap = Frozen<ScrapForm> & {
  kind: 'scrap'
  barcode: string
  part: ScrapPart
  order: string
  junction: string
}

/** No recording names a scrap, so it has a delivery key of its own and holds up none. */
export const scrap: Act<FrozenScrap, Omit<ScrapForm, 'captura'>> = {
  endpoint: deferred(async () => (await import('../../contract/scraps.ts')).scraps.create).load,
  placeOf: (form) => ({ kind: 'scrap', ...placedOf(form) }),
  deliveryKeyOf: ({ branch, barcode, part, order, junction: position }) =>
    ['refugo', branch, barcode || order, position || part].join('|'),
  pathOf: () => links.pending,
  payloadOf: (form, author) => ({ ...form, captura: captureOf(author) }),
  titleOf: ({ retrabalho, parte, posicao, pecas }) =>
    `${retrabalho ? 'Retrabalho' : 'Refugo'} · ${placeText(parte, posicao)} · ${piecesText(pecas)}`,
  factsOf: ({ ordem, codigoBarras, lote, miniaplicador, maquina }) => [
    ['OP', ordem],
    ['Código de barras', codigoBarras],
    ['Lote', lote],
    ['Mini aplicador', miniaplicador],
    ['Máquina', maquina],
  ],
  messages: {
    recorded: 'Refugo salvo.',
    saved: 'Refugo salvo neste dispositivo. Será enviado quando a rede voltar.',
    notKept: 'Não foi possível guardar o refugo neste dispositivo. Anote as peças.',
    refused: ({ message }) => message || 'Erro ao salvar o refugo',
    takenBack: 'O refugo sai da fila e não conta. Se ainda for preciso, lance de novo.',
  },
}
