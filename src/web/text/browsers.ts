/** The oldest that are tried (decision 118). An older one may work until it meets what it lacks. */
const needed = 'Chrome ou Edge 119, Firefox 124 ou Safari 17.4'

/** `purpose`: 'o painel', 'os PDF'. */
export const tooOldText = (purpose: string): string =>
  `Este navegador é antigo demais para ${purpose}. Atualize-o: são precisos ${needed}, ou mais novos.`
