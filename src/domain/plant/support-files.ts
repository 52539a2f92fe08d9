/** `day` is the plant's, `YYYY-MM-DD`. */
export const supportFileName = (day: string): string => `painel-suporte-${day}.json`
