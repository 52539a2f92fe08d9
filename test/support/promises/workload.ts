import { makeSampleOrders } from '../../../demo/simulator/sample-orders.ts'
import type { CutItem, Part } from '../../../src/contract/items.ts'
import type { CutCrimpRecording } from '../../../src/contract/recordings.ts'
import { openPieces, sectionOf } from '../../../src/domain/acts/recordings.ts'

export const BRANCH = '010101'
export const APPLICATOR = 'MA-0001'
const MACHINE = 'KX0001 - Komax'

/** Something that can be recorded: a part of an item with pieces left. */
export type Section = { item: CutItem; part: Part; open: number }

/** Orders of the sample with most rows, in that order: 250 in the first. */
export const largeOrders: string[] = makeSampleOrders()
  .filter(({ branch, closed, rows }) => branch === BRANCH && !closed && rows.length > 0)
  .sort((a, b) => b.rows.length - a.rows.length)
  .map(({ number }) => number)

/** The first order has 690 sections with about 41,000 pieces; more sections than those need more orders. */
export const searchPath = (order: string) => `/api/apontamentos/itens?filial=${BRANCH}&termo=${order}&modo=APONTAMENTO`

export const sectionsOf = (items: readonly CutItem[]): Section[] =>
  items.flatMap((item) =>
    (['cabo', 'l1', 'l2'] as const)
      .filter((part) => part === 'cabo' || sectionOf(item, part).terminal !== null)
      .map((part) => ({ item, part, open: sectionOf(item, part).percent >= 100 ? 0 : openPieces(item, part) }))
      .filter(({ open }) => open > 0),
  )

export function recordingOf({ item, part }: Pick<Section, 'item' | 'part'>, pieces: number): CutCrimpRecording {
  const common = {
    EMPRESA: item.Z1_FILIAL,
    ORDEM_PROD: item.Z1_OP,
    QTD_ORDEM_PROD: item.Z1_QUANT,
    QTD_REALIZADA: pieces,
    COD_BARRA: item.Z1_CODBAR,
    MAQUINA: MACHINE,
  }
  if (part === 'cabo') {
    return { ...common, COD_CABO: item.Z1_CODCABO, LOTE_CABO: 'L261118004', COMPRIMENTO_CABO: item.Z1_COMPR }
  }
  const lot = 'B23-004517/2'
  return part === 'l1'
    ? { ...common, TERM_LD1: item.Z1_TERML1, FORCA_LD1: 70, ALTURA_LD1: 1.1, LOTE_TERM_LD1: lot, MA_LD1: APPLICATOR }
    : { ...common, TERM_LD2: item.Z1_TERML2, FORCA_LD2: 70, ALTURA_LD2: 1.1, LOTE_TERM_LD2: lot, MA_LD2: APPLICATOR }
}

/** Works through `jobs` with so many hands at once. */
export async function inLanes<T>(jobs: readonly T[], lanes: number, work: (job: T) => Promise<void>): Promise<void> {
  const left = jobs.values()
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const job of left) await work(job)
    }),
  )
}
