type Polls = { sent: number; answered: number }

/** The share of polls that were answered, cut off; not 100 while something is down, however well it went before. */
export const connectivityPercent = ({ sent, answered }: Polls, isAllUp: boolean): number | null =>
  sent === 0 ? null : Math.min(isAllUp ? 100 : 99, Math.floor((100 * answered) / sent))
