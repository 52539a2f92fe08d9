import type { Outside } from '../outside.ts'
import { isUniqueViolation } from '../store/db/db.ts'
import { findNewestMeasurement, findSeenId, insertOutside, listMissed, saveSeenId } from '../store/outside-acts.ts'

const ROWS_AT_ONCE = 5000

type Needs = Pick<Outside, 'db' | 'log'>

/**
 * Lists what a server of the version before stored beside this one. MariaDB commits rows in another order than it numbers them,
 * so each is looked at again a look later, when no commit can still be under way.
 */
export function openOutsideActs({ db, log }: Needs): () => Promise<void> {
  let before = 0
  const look = async () => {
    const [newest, seen] = [await findNewestMeasurement(db.read), await findSeenId(db.read)]
    for (let after = seen; after < newest; after += ROWS_AT_ONCE) {
      const upTo = Math.min(after + ROWS_AT_ONCE, newest)
      const missed = await listMissed(db.read, { after, upTo })
      if (missed.length > 0) await db.transaction((tx) => insertOutside(tx, missed))
    }
    // of a database that went back there are fewer
    const sure = Math.min(before, newest)
    if (sure > seen) await db.transaction((tx) => saveSeenId(tx, sure))
    before = newest
  }
  return async () => {
    try {
      await look()
    } catch (error) {
      // another server lists the same at this moment
      if (isUniqueViolation(error)) return
      log.warn({ err: error, repeats: true }, 'samples outside their plan could not be listed')
    }
  }
}
