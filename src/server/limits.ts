/** What one person may do at most, with what it is, for a page that shows it. */
export const limits = {
  newPairsAnHour: { max: 200, sentence: 'Pares que um operador cadastra em uma hora' },
} as const
