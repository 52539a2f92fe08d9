import type { Page } from '@playwright/test'

/** `nextFrame` goes on after a frame, or after so long where no frame comes. */
const FRAME_MS_MAX = 100

const hold = `{
  const { requestAnimationFrame: frame, setTimeout: set } = globalThis
  const held = []
  globalThis.requestAnimationFrame = (go) => held.push({ go: () => frame(go) })
  globalThis.setTimeout = (go, ms, ...given) =>
    ms === ${FRAME_MS_MAX} ? held.push({ go: () => go(...given), isWaited: true }) : set(go, ms, ...given)
  globalThis.drawFrames = () => {
    Object.assign(globalThis, { requestAnimationFrame: frame, setTimeout: set })
    for (const { go } of held) go()
    return new Promise((done) => frame(() => frame(() => done(held.some(({ isWaited }) => isWaited)))))
  }
}`

/**
 * Holds back what the page does after its next frame, as if it were too busy to draw one, until the returned function is called. That
 * throws where nothing has waited.
 */
export async function holdFrames(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(hold)
  return async () => {
    if (!(await page.evaluate('drawFrames()'))) throw new Error('Nothing has waited for a frame')
  }
}

const holdTurns = `{
  const { postMessage } = MessagePort.prototype
  const held = []
  MessagePort.prototype.postMessage = function (...sent) { held.push(() => postMessage.apply(this, sent)) }
  globalThis.drawDeferred = () => {
    MessagePort.prototype.postMessage = postMessage
    for (const go of held) go()
    return held.length > 0
  }
}`

/**
 * Holds back what React draws when it has time, such as deferred values, until the returned function is called. What a key or a tap
 * changes is drawn at once. That function throws where nothing has waited.
 */
export async function holdDeferred(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(holdTurns)
  return async () => {
    if (!(await page.evaluate('drawDeferred()'))) throw new Error('Nothing has waited for its turn')
  }
}
