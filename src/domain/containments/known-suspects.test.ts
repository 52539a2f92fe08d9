import { expect, test } from 'vitest'
import { knownSuspects, savedOutsideText } from './known-suspects.ts'

const bad = { at: 100, order: 'A' }
const recordings = [
  { at: 10, pieces: 5, order: 'A' },
  { at: 50, pieces: 20, order: 'A' },
  { at: 60, pieces: 40, order: 'B' },
  { at: 120, pieces: 80, order: 'A' },
]

test('a tablet without network counts what it recorded since it last measured that characteristic well', () => {
  const readings = [
    { at: 30, characteristic: 'altura', verdict: 'dentro' },
    { at: 55, characteristic: 'altura', verdict: 'fora' },
    { at: 70, characteristic: 'forca', verdict: 'dentro' },
    { at: 110, characteristic: 'altura', verdict: 'dentro' },
  ] as const
  expect(knownSuspects(['altura'], bad, { recordings, readings })).toBe(60)
  expect(knownSuspects(['forca'], bad, { recordings, readings })).toBe(0)
  expect(knownSuspects(['altura', 'forca'], bad, { recordings, readings }), 'each recording once').toBe(60)
})

test('never measured well there, only its order counts', () => {
  expect(knownSuspects(['altura'], bad, { recordings, readings: [] })).toBe(25)
})

test('the toast says that there may be more', () => {
  expect(savedOutsideText(60)).toBe(
    'Medição salva neste dispositivo: fora do plano. Pelo menos 60 peças; o resto quando houver rede.',
  )
  expect(savedOutsideText(1)).toContain('Pelo menos 1 peça; o resto')
  expect(savedOutsideText(0)).toContain('contadas quando houver rede.')
})
