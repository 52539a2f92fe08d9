/** After what waits for its turn, such as a tap. What a start does is done in turns: one long one would leave a slow tablet dead. */
export const nextTurn = (): Promise<void> => new Promise((go) => setTimeout(go))

/** Once the next frame is drawn. Never in a tab that nobody sees. */
export const afterFrame = (act: () => void): void => void requestAnimationFrame(() => setTimeout(act))
