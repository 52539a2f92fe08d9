import type { FastifyInstance } from 'fastify'
import { type Station, type StationKind, stations } from '../../contract/stations.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { bind } from '../http/bind.ts'
import { giveStation, readDevice, readStation } from '../http/devices.ts'
import { Refused } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import type { Tx } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import {
  deleteStation,
  endStationSessions,
  findStation,
  insertStation,
  isShownBy,
  isStation,
  listStations,
} from '../store/stations.ts'
import { recordAuditEvent } from '../upkeep/audit.ts'

async function listed({ db }: Call, own: ReturnType<typeof readStation>): Promise<Station[]> {
  return (await listStations(db.read)).map(({ id, name, kind, enrolledBy, ...station }) => ({
    ...{ id, name, kind, enrolledBy },
    enrolledAt: toInstant(station.enrolledAt),
    isCurrent: isShownBy(own, station),
    hasSecret: station.secretHash !== null,
  }))
}

const actions = {
  shared: { enrolled: 'station_enrolled', removed: 'station_removed' },
  board: { enrolled: 'board_enrolled', removed: 'board_removed' },
} as const satisfies Record<StationKind, object>

type Noted = { kind: StationKind; name: string }

async function noteStation(tx: Tx, call: Call, what: 'enrolled' | 'removed', { kind, name }: Noted) {
  await recordAuditEvent(tx, call, { action: actions[kind][what], kind: 'station', id: '', name })
  // whose session ends with it looks whether it is still there
  const changed = (['stations', 'sessions'] as const).map((topic) => ({ topic, key: '' }))
  await noteChanges(tx, changed, call.now())
}

export function stationRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, stations.current, async (_, { db, request }) => {
    return { isShared: await isStation(db.read, readStation(request), 'shared') }
  })

  bind(app, context, stations.list, (_, call) => listed(call, readStation(call.request)))

  bind(app, context, stations.enrol, async ({ body }, call) => {
    const { db, request, reply, caller, now } = call
    const device = readDevice(request)
    if (device === null) throw new Refused('device_unknown')
    const { name, kind = 'shared' } = body
    const secretHash = giveStation(request, reply)
    await db.transaction(async (tx) => {
      const former = await findStation(tx, { device })
      // whoever else has shown this device's cookie is out; of the same kind nothing is doubted that waits on it
      const why = former && former.kind !== kind ? 'admin' : 'replaced'
      await endStationSessions(tx, device, { at: now(), why })
      await deleteStation(tx, device)
      const enrolledBy = caller.fullName || caller.username
      await insertStation(tx, { device, name, kind, enrolledBy, enrolledAt: now(), secretHash })
      await noteStation(tx, call, 'enrolled', { kind, name })
    })
    return await listed(call, { device, secret: secretHash })
  })

  bind(app, context, stations.remove, async ({ params: { id } }, call) => {
    const { db, now } = call
    await db.transaction(async (tx) => {
      const station = await findStation(tx, { id })
      if (!station) throw new Refused('not_found')
      await deleteStation(tx, station.device)
      await endStationSessions(tx, station.device, { at: now(), why: 'admin' })
      await noteStation(tx, call, 'removed', station)
    })
    return await listed(call, readStation(call.request))
  })
}
