import * as z from 'zod/mini'
import type { Plant, Settings } from '../contract/settings.ts'
import type { Config } from './config.ts'
import { Refused } from './refused.ts'
import { type Doer, noteDeed } from './registers.ts'
import type { Db, Reader } from './store/db.ts'
import { noteChanges } from './store/live-changes.ts'
import { findSetting, saveSetting } from './store/settings.ts'

/** Until an administrator sets another one. */
const LIMIT_WARNING_PERCENT = 80

const WARNING = 'limit-warning-percent'
const LABELS = 'plant-labels'

const Labels = z.record(z.string(), z.string())

/** What an administrator calls a plant wins over what the configuration calls it; which plants there are, it says. */
export async function readPlants(db: Reader, { plants }: Pick<Config, 'plants'>): Promise<Plant[]> {
  const stored = await findSetting(db, LABELS)
  const labels = stored === null ? {} : Labels.parse(JSON.parse(stored))
  return plants.map(({ code, label }) => ({ code, label: labels[code] ?? label }))
}

const readWarningPercent = async (db: Reader): Promise<number> =>
  Number((await findSetting(db, WARNING)) ?? LIMIT_WARNING_PERCENT)

export const readSettings = async (db: Reader, config: Config): Promise<Settings> => ({
  siteName: config.siteName,
  plants: await readPlants(db, config),
  timeZone: config.timeZone,
  forceUnit: config.erpSettings.forceUnit,
  limitWarningPercent: await readWarningPercent(db),
  idleMinutes: config.idleMinutes,
  confirmsByQuantity: config.erpLookup === 'none',
})

type Change = { plants?: Plant[] | undefined; limitWarningPercent?: number | undefined }

const labelled = (plants: readonly Plant[], changed: readonly Plant[]): Plant[] =>
  plants.map(({ code, label }) => ({ code, label: changed.find((one) => one.code === code)?.label.trim() || label }))

/** Each thing that changes is a line of the audit trail; every page reads the settings again. */
export async function changeSettings(call: Doer & { db: Db; config: Config }, change: Change): Promise<void> {
  const { db, config, now } = call
  await db.transaction(async (tx) => {
    const was = await readPlants(tx, config)
    const changed = change.plants ?? []
    if (changed.some(({ code }) => was.every((plant) => plant.code !== code))) throw new Refused('unknown_plant')
    const is = labelled(was, changed)
    if (new Set(is.map(({ label }) => label.toLowerCase())).size < is.length) throw new Refused('plant_labels_alike')
    const renamed = is.filter(({ label }, at) => label !== was[at]?.label)
    for (const { code, label } of renamed) {
      const deed = { action: 'settings_changed', kind: 'settings', id: LABELS, name: `Filial ${code}` } as const
      const old = was.find((plant) => plant.code === code)?.label
      await noteDeed(tx, call, { ...deed, was: { label: old }, is: { label } })
    }
    if (renamed.length > 0) {
      await saveSetting(tx, LABELS, JSON.stringify(Object.fromEntries(is.map(({ code, label }) => [code, label]))))
    }
    const percent = await readWarningPercent(tx)
    const { limitWarningPercent = percent } = change
    if (limitWarningPercent !== percent) {
      const deed = { action: 'settings_changed', kind: 'settings', id: WARNING } as const
      await noteDeed(tx, call, { ...deed, was: { limitWarningPercent: percent }, is: { limitWarningPercent } })
      await saveSetting(tx, WARNING, String(limitWarningPercent))
    }
    if (renamed.length > 0 || limitWarningPercent !== percent) {
      await noteChanges(tx, [{ topic: 'settings', key: '' }], now())
    }
  })
}
