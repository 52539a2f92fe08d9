import type { Source } from './source.ts'

const codeHead = /\['(Filial|Ordem|Item|Código|Posição|Terminal|Máquina|Mini apl|Lote|Sel|Instrum).*csvText/i

/** A spreadsheet makes a day of MAR-01. */
export const codesAreWrittenAsCodes = ({ path, text }: Source): string[] =>
  text.split('\n').flatMap((line, at) => (codeHead.test(line) ? [`${path}:${at + 1} a code by csvText: csvCode`] : []))
