import type { Page } from '@playwright/test'

/** To be called before the page is opened: a browser without loudspeaker plays nothing, so what it would play is noted. */
export const watchSounds = (page: Page): Promise<unknown> =>
  page.addInitScript(`window.heard = []
    const start = OscillatorNode.prototype.start
    OscillatorNode.prototype.start = function (...at) {
      window.heard.push(this.frequency.value)
      return start.apply(this, at)
    }`)

/** The frequencies, in hertz, since it was last asked. */
export const heard = async (page: Page): Promise<number[]> =>
  (await page.evaluate('window.heard.splice(0)')) as number[]

/** As a browser with a window does; one without lets every page sound. To be called before the page is opened. */
export const silenceUntilTouched = (page: Page): Promise<unknown> =>
  page.addInitScript(`{
    const Free = AudioContext
    let isTouched = false
    addEventListener('pointerdown', () => { isTouched = true }, { capture: true })
    window.AudioContext = class extends Free {
      constructor() {
        super()
        if (!isTouched) void this.suspend()
      }
      resume() {
        return isTouched ? super.resume() : new Promise(() => undefined)
      }
    }
  }`)
