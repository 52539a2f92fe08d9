import {
  type CapabilityNaming,
  capabilityNamings,
  type PlanApproval,
  type PlanMode,
  planApprovals,
  planModes,
} from '../../contract/settings.ts'
import type { CallTeam, Role } from '../../contract/values.ts'
import { orderedTeams } from '../../domain/tools/maintenance-calls.ts'
import { compiled, type Place } from './db/compiled.ts'
import { changesOne, insertsNew, type Reader, type Tx } from './db/db.ts'

const ERP = 'erp'

/** Whether it was used with an ERP to try things with; null: with none yet. */
export async function findStandIn(db: Reader): Promise<boolean | null> {
  const used = await findSetting(db, ERP)
  return used === null ? null : used === 'stand-in'
}

export async function keepStandIn(tx: Tx, isStandIn: boolean): Promise<void> {
  await keepSetting(tx, ERP, isStandIn ? 'stand-in' : 'real')
}

/** The signing keys of a database without a key file. */
export const SIGNING_KEY = 'signing-key'
/** By which a database knows the keys in the file that belongs to it. */
export const KEY_FINGERPRINT = 'key-fingerprint'
/** Makes the marks in place of operators' names: no key to anything, and never another one. */
export const OPERATOR_MARKS_KEY = 'operator-marks-key'

/** By which a MariaDB knows the folder of documents that its servers share. */
export const FOLDER_MARKER = 'documents-folder'

export const LIMIT_ROLES = 'limit-roles'

/** Roles that may reset counters and change limits; null until an administrator has chosen. */
export async function findLimitRoles(db: Reader): Promise<Role[] | null> {
  const stored = await findSetting(db, LIMIT_ROLES)
  return stored === null ? null : JSON.parse(stored)
}

export const CALL_TEAMS = 'call-teams'

/** Until an administrator chooses, quality is called beside maintenance. */
export async function findCallTeams(db: Reader): Promise<CallTeam[]> {
  const stored = await findSetting(db, CALL_TEAMS)
  return stored === null ? ['manutencao', 'qualidade'] : orderedTeams(JSON.parse(stored))
}

/** The first of the words until somebody chooses, and where a later version knows more of them. */
async function findWord<Word extends string>(
  db: Reader,
  name: string,
  words: readonly [Word, ...Word[]],
): Promise<Word> {
  const stored = await findSetting(db, name)
  return words.find((word) => word === stored) ?? words[0]
}

export const CAPABILITY_NAMES = 'capability-names'

/** Until an administrator chooses, and where a later version knows more of them: the names in use for decades. */
export const findCapabilityNaming = (db: Reader): Promise<CapabilityNaming> =>
  findWord(db, CAPABILITY_NAMES, capabilityNamings)

export const PLAN_MODE = 'plan-mode'

/** Until an administrator chooses, work outside its plan is noted and nothing else. */
export const findPlanMode = (db: Reader): Promise<PlanMode> => findWord(db, PLAN_MODE, planModes)

export const PLAN_APPROVAL = 'plan-approval'

/** Until an administrator chooses, a version of a plan is in force once it is saved. */
export const findPlanApproval = (db: Reader): Promise<PlanApproval> => findWord(db, PLAN_APPROVAL, planApprovals)

export const INSTRUMENT_MODE = 'instrument-mode'

/** As of the plan, of what was measured with a gauge that is not good. */
export const findInstrumentMode = (db: Reader): Promise<PlanMode> => findWord(db, INSTRUMENT_MODE, planModes)

const INSTALLATION = 'installation'

/**
 * Values set by administrators in the page: texts by the names of variables. Never a secret: `secrets` names those in
 * the file that were saved with this row.
 */
export type StoredInstallation = { version: number; values: Partial<Record<string, string>>; secrets?: string }

export async function findInstallation(db: Reader): Promise<StoredInstallation> {
  const stored = await findSetting(db, INSTALLATION)
  return stored === null ? { version: 0, values: {} } : JSON.parse(stored)
}

/** False: somebody else has changed it since `seen` was read. */
export async function replaceInstallation(
  tx: Tx,
  seen: StoredInstallation,
  next: StoredInstallation,
): Promise<boolean> {
  const value = JSON.stringify(next)
  if (seen.version === 0) return (await keepSetting(tx, INSTALLATION, value)) === value
  return await replaceSetting(tx, INSTALLATION, JSON.stringify(seen), value)
}

/** Setting that says whether the database is a demonstration's or a plant's. */
export const KIND = 'kind'

const settingOf = compiled((db, value: Place<{ name: string }>) =>
  db.selectFrom('settings').select('value').where('name', '=', value('name')),
)

export async function findSetting(db: Reader, name: string): Promise<string | null> {
  const [row] = await settingOf(db, { name })
  return row?.value ?? null
}

/** Whether the database is a panel's, of whatever version. */
export const hasTables = async (db: Reader): Promise<boolean> =>
  (await db.introspection.getTables()).some(({ name }) => name === 'settings')

/** No panel has worked on it yet. */
export const isNew = async (db: Reader): Promise<boolean> =>
  !(await hasTables(db)) || (await findSetting(db, 'epoch')) === null

/** Inserts unless another server was first, and returns the stored value. */
export async function keepSetting(tx: Tx, name: string, value: string): Promise<string> {
  const earlier = await findSetting(tx, name)
  if (earlier !== null) return earlier
  const isFirst = await tx.insertInto('settings').values({ name, value }).$call(insertsNew)
  return isFirst ? value : ((await findSetting(tx, name)) ?? value)
}

/** False: it is not as it was seen any more. */
export const replaceSetting = (tx: Tx, name: string, seen: string, value: string): Promise<boolean> =>
  tx
    .updateTable('settings')
    .set({ value })
    .where((e) => e.and({ name, value: seen }))
    .$call(changesOne)

export const deleteSetting = (tx: Tx, name: string): Promise<boolean> =>
  tx.deleteFrom('settings').where('name', '=', name).$call(changesOne)

export async function saveSetting(tx: Tx, name: string, value: string): Promise<void> {
  const update = () => tx.updateTable('settings').set({ value }).where('name', '=', name).executeTakeFirst()
  const { numUpdatedRows } = await update()
  if (numUpdatedRows > 0n || (await keepSetting(tx, name, value)) === value) return
  await update()
}
