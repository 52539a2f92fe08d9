import { addProduction, type ProductionOfDay } from '../../src/server/store/daily-production.ts'
import type { Db } from '../../src/server/store/db/db.ts'

export const usualProduction: ProductionOfDay = {
  productionDay: '2026-11-20',
  branch: '010101',
  part: 'l1',
  orderNumber: '01621401001',
  machine: 'KX0001 - Komax',
  operator: 'Maria Souza',
  unitKey: 'ma-0001',
  terminal: 'T1326030',
}

/** Rolls up one recording that differs from the usual one in what is given. */
export const produce = (db: Db, pieces: number, differs: Partial<ProductionOfDay> = {}) =>
  db.transaction((tx) => addProduction(tx, { ...usualProduction, ...differs }, { pieces, recordings: 1 }))
