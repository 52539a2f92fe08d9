import type { Outside } from '../outside.ts'
import type { Accesses } from './accesses.ts'
import type { DeliveryBudgets } from './delivery-budgets.ts'
import type { Marks } from './marks.ts'
import type { Passwords } from './passwords.ts'
import type { Keys } from './signatures.ts'

/** What authentication needs. */
export type Entrance = Outside & {
  passwords: Passwords
  accesses: Accesses
  marks: Marks
  budgets: DeliveryBudgets
  /** Sign delivery grants, receipts and marks; the same for all servers of a plant. */
  keys: Keys
}
