import type { FastifyInstance } from 'fastify'
import { applicators } from '../../contract/applicators.ts'
import type { LiveChange } from '../../contract/live-changes.ts'
import type { Context } from '../context.ts'
import { bind } from '../http.ts'
import { Answer } from '../refused.ts'
import { noteDeed, refuseOutdated, refusingTwins, withVersion } from '../registers.ts'
import {
  deleteApplicator,
  findApplicator,
  insertApplicator,
  listApplicators,
  updateApplicator,
} from '../store/applicators.ts'
import { noteChanges } from '../store/live-changes.ts'

/** A pair is also a terminal of its unit's counter, or of two when it changes hands. */
const changesOf = (id: number): LiveChange[] => [
  { topic: 'applicators', key: String(id) },
  { topic: 'crimp-counters', key: '' },
]

const kind = 'applicator'

export function applicatorRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, applicators.list, (_, { db }) => listApplicators(db.read))

  bind(app, context, applicators.listByTerminal, ({ params }, { db }) => listApplicators(db.read, params))

  bind(app, context, applicators.get, async ({ params }, { db, reply }) =>
    withVersion(await findApplicator(db.read, params.id), reply),
  )

  bind(app, context, applicators.create, async ({ body }, call) => {
    const { db, now, reply } = call
    const id = await refusingTwins(() =>
      db.transaction(async (tx) => {
        const inserted = await insertApplicator(tx, { ...body, at: now() })
        await noteDeed(tx, call, { action: 'pair_created', kind, id: inserted, is: body })
        await noteChanges(tx, changesOf(inserted), now())
        return inserted
      }),
    )
    return new Answer(201, withVersion(await findApplicator(db.read, id), reply))
  })

  bind(app, context, applicators.update, async ({ params: { id }, body }, call) => {
    const { db, now, versionSeen, reply } = call
    const was = await findApplicator(db.read, id)
    await refusingTwins(() =>
      db.transaction(async (tx) => {
        const isUpdated = await updateApplicator(tx, id, { ...body, versionSeen, at: now() })
        if (!isUpdated) refuseOutdated(await findApplicator(tx, id))
        await noteDeed(tx, call, { action: 'pair_changed', kind, id, was, is: body })
        await noteChanges(tx, changesOf(id), now())
      }),
    )
    return withVersion(await findApplicator(db.read, id), reply)
  })

  bind(app, context, applicators.delete, async ({ params: { id } }, call) => {
    const { db, now, versionSeen } = call
    const was = await findApplicator(db.read, id)
    await db.transaction(async (tx) => {
      const isDeleted = await deleteApplicator(tx, id, versionSeen)
      if (!isDeleted) refuseOutdated(await findApplicator(tx, id))
      await noteDeed(tx, call, { action: 'pair_deleted', kind, id, was })
      await noteChanges(tx, changesOf(id), now())
    })
    return { id }
  })
}
