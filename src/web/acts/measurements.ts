import type { Characteristic, MeasurementAnswer, MeasurementForm } from '../../contract/measurements.ts'
import { captureOf, naturalKey } from '../../domain/acts/recordings.ts'
import { deferred } from '../device/deferred.ts'
import { links } from '../text/links.ts'
import type { Act, Frozen } from './act.ts'
import { placedOf, placeText } from './act-texts.ts'
import { junction } from './junctions.ts'

/** Measurement of an end of an item, or of a junction; texts are empty where there is no such thing. */
export type FrozenMeasurement = Frozen<MeasurementForm> & {
  kind: 'measurement'
  barcode: string
  part: MeasurementForm['parte']
  order: string
  junction: string
}

/** Names of the characteristics measured on a tablet. */
const characteristicNames: Partial<Record<Characteristic, string>> = { altura: 'Altura', forca: 'Força' }
/** Without a sign for thousands: '1.250' in a box is 1,250 (decision 024). */
const milliText = (milli: number) =>
  (milli / 1000).toLocaleString('pt-BR', { maximumFractionDigits: 3, useGrouping: false })

/** Shares the delivery key of its crimp's recordings, so that it arrives before the one that names it. */
export const measurement: Act<FrozenMeasurement, Omit<MeasurementForm, 'captura'>> = {
  endpoint: deferred(async () => (await import('../../contract/measurements.ts')).measurements.create).load,
  placeOf: (form) => ({ kind: 'measurement', ...placedOf(form) }),
  deliveryKeyOf: ({ branch, barcode, part, order, junction: position }) =>
    part === 'juncao'
      ? junction.deliveryKeyOf({ kind: 'junction', branch, order, junction: position })
      : naturalKey(branch, barcode, part),
  pathOf: () => links.pending,
  payloadOf: (form, author) => ({ ...form, captura: captureOf(author) }),
  titleOf: ({ parte, posicao }) => `Medição · ${placeText(parte, posicao)}`,
  factsOf: ({ ordem, codigoBarras, miniaplicador, lote, instrumento, leituras }) => [
    ...leituras.map(({ caracteristica, valores }): [string, string] => [
      characteristicNames[caracteristica] ?? caracteristica,
      valores.map(milliText).join(' · '),
    ]),
    ['OP', ordem],
    ['Código de barras', codigoBarras],
    ['Lote', lote],
    ['Mini aplicador', miniaplicador],
    ['Instrumento', instrumento],
  ],
  isWarning: (answer) => (answer as MeasurementAnswer).medicoes.some(({ veredito }) => veredito === 'fora'),
  messages: {
    recorded: 'Medição salva.',
    saved: 'Medição salva neste dispositivo. Será enviada quando a rede voltar.',
    notKept: 'Não foi possível guardar a medição neste dispositivo. Anote as leituras.',
    refused: ({ message }) => message || 'Erro ao salvar a medição',
    takenBack: 'A medição sai da fila e não fica guardada. Se ainda for preciso, meça de novo.',
  },
}
