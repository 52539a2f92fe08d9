import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import type { Input } from '../../contract/endpoint.ts'
import { type Plant, type Settings, settings, status } from '../../contract/settings.ts'
import { settingsChanges } from '../../contract/settings-changes.ts'
import { type Role, roles } from '../../contract/values.ts'
import { idleMinutesOf } from '../../domain/people/idleness.ts'
import { isAllowed } from '../../domain/people/permissions.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { orderedTeams } from '../../domain/tools/maintenance-calls.ts'
import type { Config } from '../config.ts'
import { bind } from '../http/bind.ts'
import { readDevice } from '../http/devices.ts'
import { Refused } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import { listOtherReports } from '../store/alarms.ts'
import type { Db, Reader } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import { findOldestOpenAt } from '../store/outbox.ts'
import { countPending } from '../store/recordings.ts'
import { countRetained } from '../store/retained-deliveries.ts'
import {
  CALL_TEAMS,
  CAPABILITY_NAMES,
  findCallTeams,
  findCapabilityNaming,
  findInstrumentMode,
  findLimitRoles,
  findPlanApproval,
  findPlanMode,
  findSetting,
  INSTRUMENT_MODE,
  LIMIT_ROLES,
  PLAN_APPROVAL,
  PLAN_MODE,
  saveSetting,
} from '../store/settings.ts'
import { isSharedDevice } from '../store/stations.ts'
import { type Actor, recordAuditEvent } from '../upkeep/audit.ts'
import { findCoveredUntil } from '../upkeep/backups.ts'
import { ownProgram } from '../upkeep/identity.ts'

/** Until an administrator sets another one. */
const LIMIT_WARNING_PERCENT = 80

const WARNING = 'limit-warning-percent'
/** The names of plants that administrators have given beside the configured ones. */
export const LABELS = 'plant-labels'

const Labels = z.record(z.string(), z.string())

/** An administrator's label overrides the configured one. The list of plants is configuration only. */
export async function readPlants(db: Reader, { plants }: Pick<Config, 'plants'>): Promise<Plant[]> {
  const stored = await findSetting(db, LABELS)
  const labels = stored === null ? {} : Labels.parse(JSON.parse(stored))
  return plants.map(({ code, label }) => ({ code, label: labels[code] ?? label }))
}

const readWarningPercent = async (db: Reader): Promise<number> =>
  Number((await findSetting(db, WARNING)) ?? LIMIT_WARNING_PERCENT)

const findIdleMinutes = async (db: Reader, { idleMinutes, mode }: Config, device: string | null): Promise<number> =>
  idleMinutesOf({ chosen: idleMinutes, mode, isSharedStation: await isSharedDevice(db, device) })

/** Whether all servers tell teams apart: one of the version before would let a call of any join one of maintenance. */
async function knowCallTeams({ db, now, serverWatch }: Pick<Call, 'now' | 'serverWatch'> & { db: Reader }) {
  const others = await listOtherReports(db, serverWatch.by.server, now())
  return others.every(({ knowsCallTeams }) => knowsCallTeams === true)
}

/** As the device that asks is told. */
const readSettings = async ({ db: { read: db }, config, request, now, serverWatch }: Call): Promise<Settings> => ({
  siteName: config.siteName,
  plants: await readPlants(db, config),
  timeZone: config.timeZone,
  shifts: [...config.shifts],
  forceUnit: config.erpSettings.forceUnit,
  limitWarningPercent: await readWarningPercent(db),
  idleMinutes: await findIdleMinutes(db, config, readDevice(request)),
  confirmsByQuantity: config.erpLookup === 'none',
  limitRoles: await readLimitRoles(db),
  capabilityNames: await findCapabilityNaming(db),
  planMode: await findPlanMode(db),
  planApproval: await findPlanApproval(db),
  instrumentMode: await findInstrumentMode(db),
  ...((await knowCallTeams({ db, now, serverWatch })) ? { callTeams: await findCallTeams(db) } : {}),
})

const rolesOf = (chosen: readonly Role[] | null): Role[] => roles.filter((role) => isAllowed(role, 'limits', chosen))

/** Until an administrator chooses, everybody whom the table of permissions allows it. */
const readLimitRoles = async (db: Reader): Promise<Role[]> => rolesOf(await findLimitRoles(db))

type Change = Partial<Input<typeof settingsChanges.change>['body']>

const labelled = (plants: readonly Plant[], changed: readonly Plant[]): Plant[] =>
  plants.map(({ code, label }) => ({ code, label: changed.find((one) => one.code === code)?.label ?? label }))

/** Settings beside the plants' names: a word is stored as it is, anything else as JSON. */
const table = [
  { name: 'limitWarningPercent', id: WARNING, find: readWarningPercent },
  { name: 'limitRoles', id: LIMIT_ROLES, find: readLimitRoles },
  { name: 'capabilityNames', id: CAPABILITY_NAMES, find: findCapabilityNaming },
  { name: 'planMode', id: PLAN_MODE, find: findPlanMode },
  { name: 'planApproval', id: PLAN_APPROVAL, find: findPlanApproval },
  { name: 'instrumentMode', id: INSTRUMENT_MODE, find: findInstrumentMode },
  { name: 'callTeams', id: CALL_TEAMS, find: findCallTeams },
] as const satisfies { name: keyof Change; id: string; find: (db: Reader) => Promise<unknown> }[]

/** Each thing that changes is a line of the audit trail; every page reads the settings again. */
async function changeSettings(call: Actor & { db: Db; config: Config }, change: Change): Promise<void> {
  const { db, config, now } = call
  await db.transaction(async (tx) => {
    const was = await readPlants(tx, config)
    const changed = change.plants ?? []
    if (changed.some(({ code }) => was.every((plant) => plant.code !== code))) throw new Refused('unknown_plant')
    const is = labelled(was, changed)
    if (new Set(is.map(({ label }) => label.toLowerCase())).size < is.length) throw new Refused('plant_labels_alike')
    const renamed = is.filter(({ label }, at) => label !== was[at]?.label)
    for (const { code, label } of renamed) {
      const event = { action: 'settings_changed', kind: 'settings', id: LABELS, name: `Filial ${code}` } as const
      const old = was.find((plant) => plant.code === code)?.label
      await recordAuditEvent(tx, call, { ...event, was: { label: old }, is: { label } })
    }
    if (renamed.length > 0) {
      await saveSetting(tx, LABELS, JSON.stringify(Object.fromEntries(is.map(({ code, label }) => [code, label]))))
    }
    const wanted = {
      ...change,
      limitRoles: change.limitRoles && rolesOf(change.limitRoles),
      callTeams: change.callTeams && orderedTeams(change.callTeams),
    }
    let isChanged = renamed.length > 0
    for (const { name, id, find } of table) {
      const [was, is] = [await find(tx), wanted[name]]
      if (is === undefined || isDeepStrictEqual(is, was)) continue
      const event = { action: 'settings_changed', kind: 'settings', id } as const
      await recordAuditEvent(tx, call, { ...event, was: { [name]: was }, is: { [name]: is } })
      await saveSetting(tx, id, typeof is === 'string' ? is : JSON.stringify(is))
      isChanged = true
    }
    if (isChanged) await noteChanges(tx, [{ topic: 'settings', key: '' }], now())
  })
}

/** Each tablet asks every ten seconds, and backups are made once a day. */
const BACKUPS_LOOKED_AT_EVERY_MS = 60_000

function openCoverage({ config, log }: Pick<Context, 'config' | 'log'>): (now: number) => Promise<string | null> {
  let lookedAt = Number.NEGATIVE_INFINITY
  let coveredUntil: number | null = null
  return async (now) => {
    if (Math.abs(now - lookedAt) >= BACKUPS_LOOKED_AT_EVERY_MS) {
      lookedAt = now
      coveredUntil = await findCoveredUntil(config.backupDir, now).catch((error: unknown) => {
        log.warn({ err: error, repeats: true }, 'the backups could not be looked at')
        return null
      })
    }
    return coveredUntil === null ? null : toInstant(coveredUntil)
  }
}

export function settingsRoutes(app: FastifyInstance, context: Context): void {
  const coveredUntil = openCoverage(context)
  bind(app, context, settings.get, (_, call) => readSettings(call))

  bind(app, context, settingsChanges.change, async ({ body }, call) => {
    await changeSettings(call, body)
    return await readSettings(call)
  })

  bind(app, context, status.get, async (_, call) => {
    const stored = await readStored(call).catch((error: unknown) => {
      call.log.warn({ err: error, repeats: true }, 'the database did not answer the status call')
      return null
    })
    const { online, isStandIn, access, isConfigured } = call.erp.health()
    const { version, day: versionDay } = ownProgram()
    return {
      api: 'online' as const,
      database: stored === null ? ('offline' as const) : call.db.kind,
      erp: online ? ('online' as const) : ('offline' as const),
      erpStandIn: isStandIn === true,
      erpAccess: access,
      pending: stored?.pending ?? 0,
      needPerson: stored?.needPerson ?? 0,
      version,
      versionDay,
      epoch: stored?.epoch ?? null,
      waitingSince: stored?.waitingSince ?? null,
      coveredUntil: await coveredUntil(call.now()),
      erpConfigured: isConfigured,
      ...(call.outbox.isPaused() && { sendingPaused: true as const }),
    }
  })
}

/** The epoch is read each time: a backup may be put back under a running server. */
async function readStored({ db }: Pick<Context, 'db'>) {
  const { pending, needPerson } = await countPending(db.read)
  const retained = await countRetained(db.read)
  const oldestAt = await findOldestOpenAt(db.read)
  return {
    pending: pending + retained,
    needPerson: needPerson + retained,
    epoch: await findSetting(db.read, 'epoch'),
    waitingSince: oldestAt === null ? null : toInstant(oldestAt),
  }
}
