import { expect, test } from 'vitest'
import type { ContainmentStep, ContainmentWindow } from '../../contract/containments.ts'
import { canUndo, endText, previewText, startText, stepText, writeOffText } from './containment-texts.ts'

const written = {
  characteristic: 'altura',
  forceUnit: 'N',
  time: (instant: string) => `${instant.slice(8, 10)}/${instant.slice(5, 7)} ${instant.slice(11, 16)}`,
} as const

const window: ContainmentWindow = {
  inicio: '2026-11-23T06:05:00.000Z',
  base: 'medicao',
  fim: '2026-11-23T08:48:00.000Z',
  aberta: false,
  motivo: '',
}

const measured = {
  medidoAntes: { valores: [1104], por: 'Maria Souza' },
  medidoDepois: { valores: [1101], por: 'Maria Souza' },
}
const unmeasured = { medidoAntes: null, medidoDepois: null }

test('a window says since which good reading, and until which', () => {
  expect(startText(window, measured, written)).toBe('Desde a última medição boa: 23/11 06:05, 1,104 mm (Maria Souza)')
  expect(endText(window, measured, written)).toBe('até a próxima medição boa: 23/11 08:48')
  const force = { ...written, characteristic: 'forca' as const }
  const several = { ...measured, medidoAntes: { valores: [92000, 95000], por: 'Ana' } }
  expect(startText(window, several, force)).toBe('Desde a última medição boa: 23/11 06:05, 92 · 95 N (Ana)')
})

test('one that was never measured, that is open, or that was widened by hand says so', () => {
  const never = { ...window, base: 'ordem' as const, inicio: null }
  expect(startText(never, unmeasured, written)).toBe('Nunca medida: só esta ordem')
  const open = { ...window, fim: null, aberta: true }
  expect(endText(open, unmeasured, written)).toBe('em aberto: cresce até alguém medir bem')
  expect(endText(open, unmeasured, { ...written, characteristic: null }), 'of a tool or a lot').toBe(
    'em aberto: cresce até alguém informar o fim',
  )
  const byHand = { ...window, base: 'mao' as const }
  expect(startText(byHand, unmeasured, written)).toBe('Desde (à mão): 23/11 06:05')
  expect(endText(byHand, unmeasured, written)).toBe('até (à mão): 23/11 08:48')
  expect(startText({ ...byHand, inicio: null }, unmeasured, written)).toBe('Desde o primeiro apontamento')
  expect(endText({ ...byHand, fim: null }, unmeasured, written)).toBe('até agora')
})

test('the figures count certain pieces first', () => {
  const certos = { apontamentos: 3, pecas: 436 }
  const none = { apontamentos: 0, pecas: 0 }
  expect(previewText({ certos, possiveis: { apontamentos: 2, pecas: 250 } })).toBe(
    '3 apontamentos, 436 peças; mais 250 que podem conter',
  )
  expect(previewText({ certos: { apontamentos: 1, pecas: 1 }, possiveis: { apontamentos: 1, pecas: 1 } })).toBe(
    '1 apontamento, 1 peça; mais 1 que pode conter',
  )
  expect(previewText({ certos, possiveis: none })).toBe('3 apontamentos, 436 peças')
})

const step: ContainmentStep = {
  ...{ id: 1, tipo: 'liberar', passo: null, pecas: 180, motivo: 'sem defeito', verificado: 'amostra', amostra: 13 },
  ...{ verificadoTexto: '', motivoRefugo: '', por: 'Rita Melo', em: '2026-11-23T09:00:00.000Z' },
}

test('a step is read with its check and reason, and is taken back once', () => {
  expect(stepText(step)).toBe('Liberadas: 180 peças · Amostra de 13 · sem defeito')
  const scrapped = { ...step, id: 2, tipo: 'sucatear' as const, pecas: 1, verificado: null, amostra: null }
  expect(stepText({ ...scrapped, motivoRefugo: 'Altura fora' })).toBe('Sucateadas: 1 peça · Altura fora · sem defeito')
  const back = { ...scrapped, id: 3, tipo: 'estornar' as const, passo: 1 }
  expect(canUndo(step, [step, scrapped])).toBe(true)
  expect(canUndo(step, [step, scrapped, back])).toBe(false)
  expect(canUndo(back, [step, back])).toBe(false)
})

test('the ERP hears of nothing: who closes is told what to write off there', () => {
  expect(writeOffText({ sucateadas: 32 }, 2)).toBe('Baixa no ERP: 32 peças em 2 itens. Avise o PCP.')
  expect(writeOffText({ sucateadas: 1 }, 1)).toBe('Baixa no ERP: 1 peça em 1 item. Avise o PCP.')
  expect(writeOffText({ sucateadas: 3 }, null)).toBe('Baixa no ERP: 3 peças. Avise o PCP.')
  expect(writeOffText({ sucateadas: 0 }, 0)).toBe('')
})
