import { createHmac } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { addMonths, dayStartMs, plantDay } from '../../domain/plant/plant-time.ts'
import type { Outside } from '../outside.ts'
import { actKinds } from '../store/act-kinds.ts'
import type { Tx } from '../store/db/db.ts'
import { findFirstDay, type Unnaming, unnameActs, unnameProduction } from '../store/operators.ts'
import { listKnown, type Marking, markAccounts, markPersons, namesReplaced } from '../store/person-names.ts'
import { persons } from '../store/persons.ts'
import { deleteDecided } from '../store/retained-deliveries.ts'
import { findSetting, OPERATOR_MARKS_KEY, saveSetting } from '../store/settings.ts'

const SETTING = 'operators-unnamed-before'
const MARK = /^Operador \[[0-9A-F]{8}\]$/

/** The same for the same name, as the secret never changes; nothing leads back from it without that. */
const markOf = (secret: Buffer, operator: string): string =>
  MARK.test(operator)
    ? operator
    : `Operador [${createHmac('sha256', secret).update(`operator.${operator}`).digest('hex').slice(0, 8).toUpperCase()}]`

type Needs = Pick<Outside, 'db' | 'config' | 'now'>

type Key = string | number | null

async function inPages(
  { transaction }: Pick<Needs['db'], 'transaction'>,
  markPage: (tx: Tx, after: Key) => Promise<Key>,
) {
  let after: Key = null
  do {
    const from: Key = after
    after = await transaction((tx) => markPage(tx, from))
    // on SQLite nobody else would be answered meanwhile
    await setImmediate()
  } while (after !== null)
}

/**
 * Replaces names by marks in all that is older than the retention (LGPD): acts, trails, texts, and accounts that are over. It stays
 * and counts as before. Decided retained deliveries are deleted whole. A stopped run resumes.
 */
export async function unnameOldOperators({ db, config, now }: Needs): Promise<void> {
  const before = addMonths(plantDay(now(), config.timeZone), -config.operatorRetentionMonths)
  await db.transaction((tx) => deleteDecided(tx, dayStartMs(before, config.timeZone)))
  const [done, firstAt] = [await findSetting(db.read, SETTING), await findFirstDay(db.read)]
  if (firstAt === null || plantDay(firstAt, config.timeZone) >= before || (done !== null && done >= before)) return
  const secret = Buffer.from((await findSetting(db.read, OPERATOR_MARKS_KEY)) ?? '', 'base64')
  const unnaming: Unnaming = {
    before,
    markOf: (operator) => markOf(secret, operator),
    isMark: (operator) => MARK.test(operator),
  }
  const beforeMs = dayStartMs(before, config.timeZone)
  const replaced = namesReplaced(await listKnown(db.read), unnaming)
  const marking: Marking = { ...unnaming, beforeMs, replaced }
  for (const kind of actKinds) await inPages(db, (tx, after) => unnameActs(tx, kind, unnaming, after))
  for (const rows of persons) await inPages(db, (tx, after) => markPersons(tx, rows, marking, after))
  while (await db.transaction((tx) => unnameProduction(tx, unnaming))) await setImmediate()
  await db.transaction((tx) => markAccounts(tx, marking))
  await db.transaction((tx) => saveSetting(tx, SETTING, before))
}
