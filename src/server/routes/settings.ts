import type { FastifyInstance } from 'fastify'
import { settings, status, VERSION } from '../../contract/settings.ts'
import { toInstant } from '../../domain/plant-time.ts'
import { findCoveredUntil } from '../backups.ts'
import type { Context } from '../context.ts'
import { bind } from '../http.ts'
import { changeSettings, readSettings } from '../settings.ts'
import { findOldestOpenAt } from '../store/outbox.ts'
import { countPending } from '../store/recordings.ts'
import { countRetained } from '../store/retained-deliveries.ts'
import { findSetting } from '../store/settings.ts'

/** Each tablet asks every ten seconds, and backups are made once a day. */
const BACKUPS_LOOKED_AT_EVERY_MS = 60_000

function openCoverage({ config, log }: Pick<Context, 'config' | 'log'>): (now: number) => Promise<string | null> {
  let lookedAt = Number.NEGATIVE_INFINITY
  let coveredUntil: number | null = null
  return async (now) => {
    if (Math.abs(now - lookedAt) >= BACKUPS_LOOKED_AT_EVERY_MS) {
      lookedAt = now
      coveredUntil = await findCoveredUntil(config.backupDir).catch((error: unknown) => {
        log.warn({ err: error }, 'the backups could not be looked at')
        return null
      })
    }
    return coveredUntil === null ? null : toInstant(coveredUntil)
  }
}

export function settingsRoutes(app: FastifyInstance, context: Context): void {
  const coveredUntil = openCoverage(context)
  bind(app, context, settings.get, (_, { config, db }) => readSettings(db.read, config))

  bind(app, context, settings.change, async ({ body }, call) => {
    await changeSettings(call, body)
    return await readSettings(call.db.read, call.config)
  })

  bind(app, context, status.get, async (_, call) => {
    const stored = await readStored(call).catch((error: unknown) => {
      call.log.warn({ err: error }, 'the database did not answer the status call')
      return null
    })
    const { online, isStandIn, access } = call.erp.health()
    return {
      api: 'online' as const,
      database: stored === null ? ('offline' as const) : call.db.kind,
      erp: online ? ('online' as const) : ('offline' as const),
      erpStandIn: isStandIn === true,
      erpAccess: access,
      pending: stored?.pending ?? 0,
      needPerson: stored?.needPerson ?? 0,
      version: VERSION,
      epoch: stored?.epoch ?? null,
      waitingSince: stored?.waitingSince ?? null,
      coveredUntil: await coveredUntil(call.now()),
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
