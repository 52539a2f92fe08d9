/** Whether this person has asked for nothing to move. */
export const isStill = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches
