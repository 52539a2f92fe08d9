/** After what waits for its turn, such as a tap. What a start does is done in turns: one long one would leave a slow tablet dead. */
export const nextTurn = (): Promise<void> => new Promise((go) => setTimeout(go))

/** A tab that nobody sees draws none. */
const FRAME_MS_MAX = 100

/** Within the next frame, before it is painted: a drawing that is scheduled there follows that paint, with no frame between. */
export const withinFrame = (): Promise<void> =>
  new Promise((go) => {
    requestAnimationFrame(() => go())
    setTimeout(go, FRAME_MS_MAX)
  })

/** After the next frame. */
export const nextFrame = (): Promise<void> => withinFrame().then(nextTurn)

/** For an effect, which returns it: what is read is taken, and a failure heard, unless another screen has come meanwhile. */
export function takeUnlessLeft<Read>(
  reading: Promise<Read>,
  take: (read: Read) => unknown,
  fail: (error: unknown) => unknown = () => undefined,
): () => void {
  let isLeft = false
  reading.then(
    (read) => isLeft || take(read),
    (error: unknown) => isLeft || fail(error),
  )
  return () => {
    isLeft = true
  }
}
