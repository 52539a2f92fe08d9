import type { CallSymptom } from '../../contract/maintenance-calls.ts'

/** Apart from the rest of calls: what waits on a tablet is told by them, so that every page loads them first. */
export const symptomTexts: Record<CallSymptom, string> = {
  'altura-fora': 'Altura fora',
  'forca-baixa': 'Força baixa',
  'terminal-nao-avanca': 'Terminal não avança',
  'corte-do-talao': 'Corte do talão ruim',
  'selo-falha': 'Selo falha',
  'maquina-parada': 'Máquina parada',
  outro: 'Outro',
}
