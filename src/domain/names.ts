const collator = new Intl.Collator('pt-BR', { numeric: true })

/** As a person counts: MA-2 comes before MA-10. */
export const compareNames = (one: string, other: string): number => collator.compare(one, other)
