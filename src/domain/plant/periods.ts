/** Days (`YYYY-MM-DD`), both of which belong to it; an empty bound leaves it open. */
export type Period = { start: string; end: string }

export const isReversed = ({ start, end }: Period): boolean => start !== '' && end !== '' && end < start
