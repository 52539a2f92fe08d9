import { onTestFinished } from 'vitest'
import type { ErpItem } from '../../src/contract/items.ts'
import { type Db, openMysql } from '../../src/server/store/db/db.ts'
import { saveItems } from '../../src/server/store/items.ts'
import { migratedDatabase } from './mariadb.ts'

export const BRANCH = '010101'

/** Another server on the same MariaDB. */
export function openAnother(url: string): Db {
  const db = openMysql(url)
  onTestFinished(() => db.close())
  return db
}

/** Two servers of one plant. */
export async function openTwo(): Promise<[Db, Db]> {
  const url = await migratedDatabase()
  return [openAnother(url), openAnother(url)]
}

const text = { Z1_CLIENTE: '', Z1_CNPJCLI: '', Z1_PRODUTO: '', Z1_REVCLI: '', Z1_REVLTM: '', Z1_DESCPRO: '' }

/** An item of which nothing is recorded yet. */
export const itemOf = (barcode: string, ordered: number): ErpItem => ({
  ...text,
  Z1_FILIAL: BRANCH,
  Z1_OP: '01621401001',
  Z1_QUANT: ordered,
  Z1_ITEMEST: '000010',
  Z1_COR: 'am/vd',
  Z1_BITOLA: '0,50',
  Z1_GRAVA: '',
  Z1_CODBAR: barcode,
  Z1_CODCABO: '',
  Z1_DESCABO: '',
  Z1_COMPR: 1250,
  Z1_PCORTE: 0,
  Z1_PCRIML1: 0,
  Z1_PCRIML2: 0,
  Z1_QTREGCO: 0,
  Z1_QTREGL1: 0,
  Z1_QTREGL2: 0,
  Z1_TERML1: 'T1326030',
  Z1_TERML2: 'T0925590',
  Z1_SELOL1: '0',
  Z1_SELOL2: '0',
  Z1_RMINL1: null,
  Z1_RMINL2: null,
  Z1_DECAL1: null,
  Z1_DECAL2: null,
  Z1_CONFERE: 'S',
})

export const keepItem = (db: Db, item: ErpItem, when = { readBegunAt: 1, fetchedAt: 2 }) =>
  db.transaction((tx) => saveItems(tx, BRANCH, [item], when))
