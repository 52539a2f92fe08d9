import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import type { Input } from '../../contract/endpoint.ts'
import { type Plant, type Settings, settings, status } from '../../contract/settings.ts'
import { settingsChanges } from '../../contract/settings-changes.ts'
import { type CallTeam, type Role, roles } from '../../contract/values.ts'
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
import type { Db, Reader, Tx } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import { findOldestOpenAt } from '../store/outbox.ts'
import { countPending } from '../store/recordings.ts'
import { countRetained } from '../store/retained-deliveries.ts'
import {
  CAPABILITY_NAMES,
  findCallTeams,
  findCapabilityNaming,
  findInstrumentMode,
  findLimitRoles,
  findPlanApproval,
  findPlanMode,
  findSetting,
  INSTRUMENT_MODE,
  PLAN_APPROVAL,
  PLAN_MODE,
  saveCallTeams,
  saveLimitRoles,
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

/** Until an administrator chooses, everybody whom the table of permissions allows it. */
const readLimitRoles = async (db: Reader): Promise<Role[]> => {
  const chosen = await findLimitRoles(db)
  return roles.filter((role) => isAllowed(role, 'limits', chosen))
}

type Change = Partial<Input<typeof settingsChanges.change>['body']>

const labelled = (plants: readonly Plant[], changed: readonly Plant[]): Plant[] =>
  plants.map(({ code, label }) => ({ code, label: changed.find((one) => one.code === code)?.label.trim() || label }))

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
    const percent = await readWarningPercent(tx)
    const { limitWarningPercent = percent } = change
    if (limitWarningPercent !== percent) {
      const event = { action: 'settings_changed', kind: 'settings', id: WARNING } as const
      await recordAuditEvent(tx, call, { ...event, was: { limitWarningPercent: percent }, is: { limitWarningPercent } })
      await saveSetting(tx, WARNING, String(limitWarningPercent))
    }
    const isOtherRoles = await changeLimitRoles(tx, call, change.limitRoles)
    const naming = { was: await findCapabilityNaming(tx), is: change.capabilityNames }
    const isOtherNaming = await changeWord(tx, call, { name: 'capabilityNames', id: CAPABILITY_NAMES }, naming)
    const mode = { was: await findPlanMode(tx), is: change.planMode }
    const isOtherMode = await changeWord(tx, call, { name: 'planMode', id: PLAN_MODE }, mode)
    const approval = { was: await findPlanApproval(tx), is: change.planApproval }
    const isOtherApproval = await changeWord(tx, call, { name: 'planApproval', id: PLAN_APPROVAL }, approval)
    const ofGauges = { was: await findInstrumentMode(tx), is: change.instrumentMode }
    const isOtherOfGauges = await changeWord(tx, call, { name: 'instrumentMode', id: INSTRUMENT_MODE }, ofGauges)
    const areOtherTeams = await changeCallTeams(tx, call, change.callTeams)
    const isOther = [
      ...[isOtherRoles, isOtherNaming, isOtherMode, isOtherApproval],
      ...[isOtherOfGauges, areOtherTeams],
    ].includes(true)
    if (renamed.length > 0 || limitWarningPercent !== percent || isOther) {
      await noteChanges(tx, [{ topic: 'settings', key: '' }], now())
    }
  })
}

/** Whether anything is another now. */
async function changeLimitRoles(tx: Tx, actor: Actor, wanted: readonly Role[] | undefined): Promise<boolean> {
  if (!wanted) return false
  const was = await readLimitRoles(tx)
  const is = roles.filter((role) => isAllowed(role, 'limits', wanted))
  if (is.join() === was.join()) return false
  const event = { action: 'settings_changed', kind: 'settings', id: 'limit-roles' } as const
  await recordAuditEvent(tx, actor, { ...event, was: { limitRoles: was }, is: { limitRoles: is } })
  await saveLimitRoles(tx, is)
  return true
}

/** Whether anything is another now. */
async function changeCallTeams(tx: Tx, actor: Actor, wanted: readonly CallTeam[] | undefined): Promise<boolean> {
  if (!wanted) return false
  const was = await findCallTeams(tx)
  const is = orderedTeams(wanted)
  if (is.join() === was.join()) return false
  const event = { action: 'settings_changed', kind: 'settings', id: 'call-teams' } as const
  await recordAuditEvent(tx, actor, { ...event, was: { callTeams: was }, is: { callTeams: is } })
  await saveCallTeams(tx, is)
  return true
}

/** Whether it is another now. */
async function changeWord(
  tx: Tx,
  actor: Actor,
  { name, id }: { name: 'capabilityNames' | 'planMode' | 'planApproval' | 'instrumentMode'; id: string },
  { was, is }: { was: string; is: string | undefined },
): Promise<boolean> {
  if (is === undefined || is === was) return false
  const event = { action: 'settings_changed', kind: 'settings', id } as const
  await recordAuditEvent(tx, actor, { ...event, was: { [name]: was }, is: { [name]: is } })
  await saveSetting(tx, id, is)
  return true
}

/** Each tablet asks every ten seconds, and backups are made once a day. */
const BACKUPS_LOOKED_AT_EVERY_MS = 60_000

function openCoverage({ config, log }: Pick<Context, 'config' | 'log'>): (now: number) => Promise<string | null> {
  let lookedAt = Number.NEGATIVE_INFINITY
  let coveredUntil: number | null = null
  return async (now) => {
    if (Math.abs(now - lookedAt) >= BACKUPS_LOOKED_AT_EVERY_MS) {
      lookedAt = now
      coveredUntil = await findCoveredUntil(config.backupDir).catch((error: unknown) => {
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
