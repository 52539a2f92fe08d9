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
} as const satisfies Dictionary

export const machineColumns = {
  ID: C(6),
  FABRICANTE: C(10),
  DESCRICAO: C(30),
  TIPOS: C(40),
} as const satisfies Dictionary

type RowOf<D extends Dictionary> = { -readonly [K in keyof D]: D[K] extends { kind: 'N' } ? number : string }
export type CutRow = RowOf<typeof cutColumns>
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

/** Adds pieces to a section; its percentage follows. */
export function register(row: CutRow, section: Section, pieces: number): void {
  const { registered, percent } = sections[section]
  row[registered] += pieces
  row[percent] = Math.round((row[registered] * 10000) / row.Z1_QUANT) / 100
}

export const isComplete = (row: CutRow): boolean =>
  sectionNames.every((section) => !hasSection(row, section) || row[sections[section].registered] >= row.Z1_QUANT)
