import type { FastifyInstance } from 'fastify'
import { type Station, stations } from '../../contract/stations.ts'
import { toInstant } from '../../domain/plant-time.ts'
import { bind } from '../http/bind.ts'
import { readDevice } from '../http/devices.ts'
import { Refused } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import { endBadgeSessions } from '../store/badges.ts'
import type { Tx } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import { deleteStation, findStation, insertStation, listStations } from '../store/stations.ts'
import { recordAuditEvent } from '../upkeep/audit.ts'

async function listed({ db, request }: Call): Promise<Station[]> {
  const own = readDevice(request)
  return (await listStations(db.read)).map(({ device, enrolledAt, ...station }) => ({
    ...station,
    enrolledAt: toInstant(enrolledAt),
    isCurrent: device === own,
  }))
}

async function noteStation(tx: Tx, call: Call, action: 'station_enrolled' | 'station_removed', name: string) {
  await recordAuditEvent(tx, call, { action, kind: 'station', id: '', name })
  await noteChanges(tx, [{ topic: 'stations', key: '' }], call.now())
}

export function stationRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, stations.current, async (_, { db, request }) => {
    const device = readDevice(request)
    return { isShared: device !== null && (await findStation(db.read, { device })) !== null }
  })

  bind(app, context, stations.list, (_, call) => listed(call))

  bind(app, context, stations.enrol, async ({ body }, call) => {
    const { db, request, caller, now } = call
    const device = readDevice(request)
    if (device === null) throw new Refused('device_unknown')
    const name = body.name.trim() || '-'
    await db.transaction(async (tx) => {
      await deleteStation(tx, device)
      await insertStation(tx, { device, name, enrolledBy: caller.fullName || caller.username, enrolledAt: now() })
      await noteStation(tx, call, 'station_enrolled', name)
    })
    return await listed(call)
  })

  bind(app, context, stations.remove, async ({ params: { id } }, call) => {
    const { db, now } = call
    await db.transaction(async (tx) => {
      const station = await findStation(tx, { id })
      if (!station) throw new Refused('not_found')
      await deleteStation(tx, station.device)
      await endBadgeSessions(tx, { device: station.device }, { at: now(), why: 'admin' })
      await noteStation(tx, call, 'station_removed', station.name)
    })
    return await listed(call)
  })
}
