/** A column of the ERP: CHAR of a width, or a number with decimals. Widths are plausible, nobody may rely on them. */
export type Column = { kind: 'C'; width: number } | { kind: 'N'; decimals: number }
export type Dictionary = Readonly<Record<string, Column>>

const C = (width: number) => ({ kind: 'C', width }) as const
const N = (decimals: number) => ({ kind: 'N', decimals }) as const

/** SZ1: what is to be cut and crimped, one row per circuit of an order. */
export const cutColumns = {
  Z1_FILIAL: C(6),
  Z1_CLIENTE: C(40),
  Z1_CNPJCLI: C(14),
  Z1_PRODUTO: C(15),
  Z1_REVCLI: C(3),
  Z1_REVLTM: C(3),
  Z1_DESCPRO: C(40),
  Z1_OP: C(14),
  Z1_QUANT: N(2),
  Z1_ITEMEST: C(6),
  Z1_COR: C(8),
  Z1_BITOLA: C(6),
  Z1_GRAVA: C(20),
  Z1_CODBAR: C(22),
  Z1_CODCABO: C(15),
  Z1_DESCABO: C(40),
  Z1_COMPR: N(1),
  Z1_PCORTE: N(2),
  Z1_PCRIML1: N(2),
  Z1_PCRIML2: N(2),
  Z1_QTREGCO: N(2),
  Z1_QTREGL1: N(2),
  Z1_QTREGL2: N(2),
  Z1_TERML1: C(15),
  Z1_TERML2: C(15),
  Z1_SELOL1: C(15),
  Z1_SELOL2: C(15),
  Z1_RMINL1: N(0),
  Z1_RMINL2: N(0),
  Z1_DECAL1: N(2),
  Z1_DECAL2: N(2),
  Z1_CONFERE: C(1),
  Z1_DE: C(20),
  Z1_PARA: C(20),
} as const satisfies Dictionary

/** What is told of a wire where it is joined with others. */
export const circuitColumns = {
  Z1_FILIAL: cutColumns.Z1_FILIAL,
  Z1_DE: cutColumns.Z1_DE,
  Z1_PARA: cutColumns.Z1_PARA,
  Z1_ITEMEST: cutColumns.Z1_ITEMEST,
  Z1_COR: cutColumns.Z1_COR,
  Z1_BITOLA: cutColumns.Z1_BITOLA,
  Z1_GRAVA: cutColumns.Z1_GRAVA,
  Z1_CODBAR: cutColumns.Z1_CODBAR,
  Z1_CODCABO: cutColumns.Z1_CODCABO,
} as const satisfies Dictionary

/** SZ8: where wires of an order are joined. */
export const junctionColumns = {
  Z8_FILIAL: C(6),
  Z8_OP: C(14),
  Z8_POSICAO: C(10),
  Z8_TERMINA: C(15),
  Z8_GRUPOMP: C(15),
  Z8_ESTANQU: C(1),
  Z8_CABOESP: C(1),
  Z8_PJUNCAO: N(2),
  Z8_QTDPECA: N(2),
  Z8_CLIENTE: C(40),
  Z8_PRODUTO: C(15),
  Z8_REVCLI: C(3),
  Z8_REVLTM: C(3),
  Z8_DESCPRO: C(40),
} as const satisfies Dictionary

/** SZ9: what material a position takes, and what was reported of it. */
export const materialColumns = {
  Z9_FILIAL: C(6),
  Z9_POSICAO: C(10),
  Z9_GRUPOMP: C(15),
  Z9_QTDAPO: N(2),
  Z9_QTDPECA: N(2),
} as const satisfies Dictionary

/** ZTB: what the pull test of a joint asks for. */
export const pullTestColumns = { ZTB_BITOLA: C(6), ZTB_FORCA: N(0) } as const satisfies Dictionary

export const machineColumns = {
  ID: C(6),
  FABRICANTE: C(10),
  DESCRICAO: C(30),
  TIPOS: C(40),
} as const satisfies Dictionary

type RowOf<D extends Dictionary> = { -readonly [K in keyof D]: D[K] extends { kind: 'N' } ? number : string }
export type CutRow = RowOf<typeof cutColumns>
export type JunctionRow = RowOf<typeof junctionColumns>
export type MaterialRow = RowOf<typeof materialColumns>
export type PullTestRow = RowOf<typeof pullTestColumns>
export type MachineRow = RowOf<typeof machineColumns>

/** What can be reported on one row, and where the ERP keeps it. */
export const sections = {
  cable: { registered: 'Z1_QTREGCO', percent: 'Z1_PCORTE', terminal: null },
  side1: { registered: 'Z1_QTREGL1', percent: 'Z1_PCRIML1', terminal: 'Z1_TERML1' },
  side2: { registered: 'Z1_QTREGL2', percent: 'Z1_PCRIML2', terminal: 'Z1_TERML2' },
} as const
export type Section = keyof typeof sections
export const sectionNames = Object.keys(sections) as Section[]

/** How the ERP writes "no terminal", "no seal". */
export const NONE = '0'

export const hasSection = (row: CutRow, section: Section): boolean => {
  const { terminal } = sections[section]
  return terminal === null || row[terminal] !== NONE
}

export const percentOf = (pieces: number, quantity: number): number => Math.round((pieces * 10000) / quantity) / 100

/** Adds pieces to a section; its percentage follows. */
export function register(row: CutRow, section: Section, pieces: number): void {
  const { registered, percent } = sections[section]
  row[registered] += pieces
  row[percent] = percentOf(row[registered], row.Z1_QUANT)
}

export const isComplete = (row: CutRow): boolean =>
  sectionNames.every((section) => !hasSection(row, section) || row[sections[section].registered] >= row.Z1_QUANT)
