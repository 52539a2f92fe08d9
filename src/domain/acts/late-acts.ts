const MINUTE_MS = 60_000

/** A clock that is a little off, a network that comes and goes. */
const AT_ONCE_MS = 10 * MINUTE_MS

/** Minutes from an act to its receipt (epoch ms); null: it was received at once. */
export const delayMinutes = (doneAt: number, receivedAt: number): number | null =>
  receivedAt - doneAt > AT_ONCE_MS ? Math.round((receivedAt - doneAt) / MINUTE_MS) : null

/** '3 d 4 h', '2 h 5 min', '12 min' */
export function delayText(minutes: number): string {
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60]
  if (days > 0) return [`${days} d`, hours > 0 && `${hours} h`].filter(Boolean).join(' ')
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ')
}

/**
 * Whether an act was dated back: it came at once and says that it was done long before. What a tablet has saved waited in its queue,
 * which explains any time.
 */
export const isDatedBack = ({
  doneAt,
  receivedAt,
  isSaved,
}: {
  doneAt: number
  receivedAt: number
  isSaved: boolean
}) => !isSaved && delayMinutes(doneAt, receivedAt) !== null
