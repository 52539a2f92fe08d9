import type { FastifyInstance } from 'fastify'
import type { LiveChange } from '../../contract/live-changes.ts'
import { sealingStations } from '../../contract/sealing-stations.ts'
import type { Context } from '../context.ts'
import { bind } from '../http.ts'
import { Answer } from '../refused.ts'
import { noteDeed, refuseOutdated, refusingTwins, withVersion } from '../registers.ts'
import { noteChanges } from '../store/live-changes.ts'
import {
  deleteSealingStation,
  findSealingStation,
  insertSealingStation,
  listSealingStations,
  updateSealingStation,
} from '../store/sealing-stations.ts'

const changesOf = (id: number): LiveChange[] => [{ topic: 'sealing-stations', key: String(id) }]

const kind = 'sealing_station'

export function sealingStationRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, sealingStations.list, (_, { db }) => listSealingStations(db.read))

  bind(app, context, sealingStations.listBySeal, ({ params }, { db }) => listSealingStations(db.read, params))

  bind(app, context, sealingStations.get, async ({ params }, { db, reply }) =>
    withVersion(await findSealingStation(db.read, params.id), reply),
  )

  bind(app, context, sealingStations.create, async ({ body }, call) => {
    const { db, now, reply } = call
    const id = await refusingTwins(() =>
      db.transaction(async (tx) => {
        const inserted = await insertSealingStation(tx, { ...body, at: now() })
        await noteDeed(tx, call, { action: 'pair_created', kind, id: inserted, is: body })
        await noteChanges(tx, changesOf(inserted), now())
        return inserted
      }),
    )
    return new Answer(201, withVersion(await findSealingStation(db.read, id), reply))
  })

  bind(app, context, sealingStations.update, async ({ params: { id }, body }, call) => {
    const { db, now, versionSeen, reply } = call
    const was = await findSealingStation(db.read, id)
    await refusingTwins(() =>
      db.transaction(async (tx) => {
        const isUpdated = await updateSealingStation(tx, id, { ...body, versionSeen, at: now() })
        if (!isUpdated) refuseOutdated(await findSealingStation(tx, id))
        await noteDeed(tx, call, { action: 'pair_changed', kind, id, was, is: body })
        await noteChanges(tx, changesOf(id), now())
      }),
    )
    return withVersion(await findSealingStation(db.read, id), reply)
  })

  bind(app, context, sealingStations.delete, async ({ params: { id } }, call) => {
    const { db, now, versionSeen } = call
    const was = await findSealingStation(db.read, id)
    await db.transaction(async (tx) => {
      const isDeleted = await deleteSealingStation(tx, id, versionSeen)
      if (!isDeleted) refuseOutdated(await findSealingStation(tx, id))
      await noteDeed(tx, call, { action: 'pair_deleted', kind, id, was })
      await noteChanges(tx, changesOf(id), now())
    })
    return { id }
  })
}
