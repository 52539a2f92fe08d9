/** The calendar day (`YYYY-MM-DD`) an instant (epoch ms) falls on at the plant. 22:30 in São Paulo is already tomorrow in UTC. */
export const plantDay = (instantMs: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(instantMs)

/** Epoch ms as the UTC text that travels on the wire. */
export const toInstant = (instantMs: number): string => new Date(instantMs).toISOString()
