import { expect, test } from 'vitest'
import { deviceNameOf, readPreferences } from './preferences.ts'

const usual = {
  theme: 'system',
  textSize: '100',
  hasScanSound: true,
  readerSigns: '',
  confirmsBySecondScan: false,
  deviceName: '',
  workplace: { name: '', machines: [] },
  isFrameShown: true,
  equipmentView: 'cards',
  soundingTeams: [],
}

test.each([null, '', '{', 'null', '[]', '7', '{"theme":"pink","textSize":115,"hasScanSound":"yes","deviceName":4}'])(
  'what is stored as %j gives the usual ones',
  (stored) => {
    expect(readPreferences(stored)).toEqual(usual)
  },
)

test('what was chosen is read again, each by itself', () => {
  expect(
    readPreferences(
      '{"theme":"dark","textSize":"130","isFrameShown":false,"equipmentView":"rows","confirmsBySecondScan":true,"hasCallSound":true,"old":1}',
    ),
  ).toEqual({
    ...usual,
    theme: 'dark',
    textSize: '130',
    isFrameShown: false,
    equipmentView: 'rows',
    confirmsBySecondScan: true,
    soundingTeams: ['manutencao'],
  })
})

test('a device rings for the teams that were chosen, of which a page of the version before knows maintenance', () => {
  const teams = (stored: string) => readPreferences(stored).soundingTeams
  expect(teams('{"hasCallSound":true,"soundingTeams":["ti","qualidade"]}')).toEqual(['qualidade'])
  expect(teams('{"hasCallSound":true,"soundingTeams":"qualidade"}')).toEqual(['manutencao'])
  expect(teams('{"hasCallSound":false}')).toEqual([])
})

test.each([
  ['{"name":" Bancada 2 ","machines":["PR0001",7]}', { name: 'Bancada 2', machines: ['PR0001'] }],
  ['{"name":"Bancada 2"}', { name: 'Bancada 2', machines: [] }],
  ['{"name":"","machines":["PR0001"]}', usual.workplace],
  ['"Bancada 2"', usual.workplace],
])('a workplace stored as %s is read as it can be', (stored, workplace) => {
  expect(readPreferences(`{"workplace":${stored}}`).workplace).toEqual(workplace)
})

test('the name of a device is one line that the server takes', () => {
  expect(deviceNameOf('  Tablet 3\n bancada\u0000 ')).toBe('Tablet 3  bancada')
  expect(deviceNameOf('x'.repeat(200))).toHaveLength(80)
})
