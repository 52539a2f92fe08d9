import { column, type Step } from './steps.ts'

/** 1: read together with the rest of its order; null: alone, by its barcode. */
export const wholeOrders: Record<string, Step> = {
  erp_items_of_order: column('of_order', 'erp_items', (c) => c.integer),
}
