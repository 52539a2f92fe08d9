import type { DirectoryFault, DirectoryTrial } from '../../contract/health.ts'
import type { DirectoryFacts } from '../../domain/plant/alarms.ts'
import type { Outside } from '../outside.ts'
import type { User } from '../store/users.ts'
import type { Accesses } from './accesses.ts'
import type { Budgets } from './limits.ts'
import type { Marks } from './marks.ts'
import type { Passwords } from './passwords.ts'
import type { Keys } from './signatures.ts'
import type { Slots } from './slots.ts'

/** The company's directory gave no answer that decides anything. */
export class DirectoryAway extends Error {
  readonly fault: DirectoryFault
  constructor(fault: DirectoryFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}

/** Knows people who are not local users. */
export type Directory = {
  /** The name that is looked for where this was typed: without the domain, where that is the directory's own. */
  accountNameOf(typed: string): string
  /** Whether its domain is why nobody of the directory can have this name. */
  isNameWithDomain(name: string): boolean
  /** The user with this name and password, who is created or brought up to date; null for anybody else. Throws DirectoryAway. */
  enter(credentials: { username: string; password: string }): Promise<User | null>
  /** Ends the sessions of whoever is not in it any more, where the last look is long ago. No answer changes nothing. */
  look(): Promise<void>
  /** Whether somebody who comes in without the directory may: asks where the last look at this person is long ago. No answer is a yes. */
  isStillThere(user: Pick<User, 'id'>): Promise<boolean>
  /** Finds out whether somebody answers there, without a password. */
  watch(): Promise<void>
  facts(): DirectoryFacts
  /** Tries the steps of a log-in with this name, and says why one would fail. */
  tryOut(username: string): Promise<DirectoryTrial>
}

/** Dependencies of authentication. */
export type Entrance = Outside & {
  passwords: Passwords
  accesses: Accesses
  marks: Marks
  budgets: Budgets
  /** Reads that keep the database busy. */
  heavyReads: Slots
  /** Null where all users are local. */
  directory: Directory | null
  /** Sign delivery grants, receipts and marks; the same for all servers of a plant. */
  keys: Keys
}
