import { expect, test } from 'vitest'
import { deviceNameOf, readPreferences } from './preferences.ts'

const usual = {
  theme: 'system',
  textSize: '100',
  hasScanSound: true,
  confirmsBySecondScan: false,
  deviceName: '',
  isFrameShown: true,
  equipmentView: 'cards',
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
      '{"theme":"dark","textSize":"130","isFrameShown":false,"equipmentView":"rows","confirmsBySecondScan":true,"old":1}',
    ),
  ).toEqual({
    ...usual,
    theme: 'dark',
    textSize: '130',
    isFrameShown: false,
    equipmentView: 'rows',
    confirmsBySecondScan: true,
  })
})

test('the name of a device is one line that the server takes', () => {
  expect(deviceNameOf('  Tablet 3\n bancada\u0000 ')).toBe('Tablet 3  bancada')
  expect(deviceNameOf('x'.repeat(200))).toHaveLength(80)
})
