import { expect, test } from 'vitest'
import { toastsAbove } from './toast-place.ts'

const toasts = { left: 450, right: 830, height: 100 }
const at = (top: number, left = 300, right = 900) => ({ top, bottom: top + 48, left, right })

test.each([
  ['nothing is there', [], 16],
  ['the button stands higher', [at(500)], 16],
  ['the button stands beside them', [at(720, 900, 1200)], 16],
  ['the button stands where they would', [at(700)], 116],
  ['the button is half below the screen', [at(780)], 36],
  ['above one button there is another', [at(700), at(560)], 256],
  ['between two buttons there is room', [at(700), at(500)], 116],
  ['there is no room anywhere', [at(700), at(580), at(460), at(340), at(220), at(100), at(10)], 16],
])('the toasts stand at the lower edge, and above what they would cover: %s', (_, buttons, above) => {
  expect(toastsAbove(buttons, toasts, 800)).toBe(above)
})
