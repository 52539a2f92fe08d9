/** After what waits for its turn, such as a tap. What a start does is done in turns: one long one would leave a slow tablet dead. */
export const nextTurn = (): Promise<void> => new Promise((go) => setTimeout(go))

/** A tab that nobody sees draws none. */
const FRAME_MS_MAX = 100

/** After the next frame. */
export const nextFrame = (): Promise<void> =>
  new Promise((go) => {
    requestAnimationFrame(() => setTimeout(go))
    setTimeout(go, FRAME_MS_MAX)
  })
