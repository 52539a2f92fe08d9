import type { NewScrap } from '../../src/server/store/scraps.ts'
import { NOON_MS } from './harness.ts'

/** Twelve crimps of MA-0001 with a bad height. */
export const scrapRow = (row: Partial<NewScrap> & { id: string }): NewScrap => ({
  ...{ content_hash: row.id, branch: '010101', part: 'l1', order_number: '1', barcode: 'b', position: '' },
  ...{ terminal: 'T', terminal_key: 't', gauge_milli: 500, unit: 'MA-0001', unit_key: 'ma-0001', machine: 'm' },
  ...{ lot: '', reason_code: 'altura-fora', note: '', is_rework: 0, pieces: 12, origin: 'operador', trusted: 1 },
  ...{ operator: 'Maria Souza', user_id: 1, recorded_at: NOON_MS, received_at: NOON_MS, production_day: '2026-11-21' },
  ...row,
})
