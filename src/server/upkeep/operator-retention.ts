import { createHmac } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { addMonths, dayStartMs, plantDay } from '../../domain/plant-time.ts'
import type { Outside } from '../outside.ts'
import { actKinds } from '../store/act-kinds.ts'
import { findFirstDay, type Unnaming, unnameActs, unnameCare, unnameProduction } from '../store/operators.ts'
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

/**
 * Replaces operators' names by marks in recordings, calls and measurements older than the retention (LGPD), and in what was
 * mounted and done before it. They stay and count as before. Decided retained deliveries are deleted whole. The trails of audit and
 * maintenance keep their names. A stopped run resumes.
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
  for (const kind of actKinds) {
    let after: string | number | null = null
    do {
      const from: string | number | null = after
      after = await db.transaction((tx) => unnameActs(tx, kind, unnaming, from))
      // on SQLite nobody else would be answered meanwhile
      await setImmediate()
    } while (after !== null)
  }
  while (await db.transaction((tx) => unnameProduction(tx, unnaming))) await setImmediate()
  await db.transaction((tx) => unnameCare(tx, unnaming, dayStartMs(before, config.timeZone)))
  await db.transaction((tx) => saveSetting(tx, SETTING, before))
}
