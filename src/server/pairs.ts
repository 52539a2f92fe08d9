import type { AuditSubject } from '../contract/audit-entries.ts'
import type { LiveChange } from '../contract/live-changes.ts'
import type { Call } from './http.ts'
import { Answer, Refused } from './refused.ts'
import { noteDeed, refuseOutdated, withVersion } from './registers.ts'
import { isUniqueViolation, type Reader, type Tx } from './store/db.ts'
import { noteChanges } from './store/live-changes.ts'

type Register<Pair, Form> = {
  kind: AuditSubject
  /** What a screen must read again when this pair comes, changes or goes. */
  changesOf(id: number): LiveChange[]
  find(db: Reader, id: number): Promise<Pair | null>
  insert(tx: Tx, form: Form & { at: number }): Promise<number>
  update(tx: Tx, id: number, form: Form & { versionSeen: number | null; at: number }): Promise<boolean>
  delete(tx: Tx, id: number, versionSeen: number | null): Promise<boolean>
}

type Of = { params: { id: number } }

/** The handlers of a register of pairs: each change stands in the audit trail and is told to the screens, or none of it. */
export const pairHandlers = <Pair extends { version: number }, Form extends object>(
  register: Register<Pair, Form>,
) => ({
  async get({ params: { id } }: Of, { db, reply }: Call): Promise<Pair> {
    return withVersion(await register.find(db.read, id), reply)
  },

  async create({ body }: { body: Form }, call: Call): Promise<Answer<Pair>> {
    const { db, now, reply } = call
    const id = await refusingTwins(() =>
      db.transaction(async (tx) => {
        const inserted = await register.insert(tx, { ...body, at: now() })
        await noteDeed(tx, call, { action: 'pair_created', kind: register.kind, id: inserted, is: body })
        await noteChanges(tx, register.changesOf(inserted), now())
        return inserted
      }),
    )
    return new Answer(201, withVersion(await register.find(db.read, id), reply))
  },

  async update({ params: { id }, body }: Of & { body: Form }, call: Call): Promise<Pair> {
    const { db, now, versionSeen, reply } = call
    const was = await register.find(db.read, id)
    await refusingTwins(() =>
      db.transaction(async (tx) => {
        const isUpdated = await register.update(tx, id, { ...body, versionSeen, at: now() })
        if (!isUpdated) refuseOutdated(await register.find(tx, id))
        await noteDeed(tx, call, { action: 'pair_changed', kind: register.kind, id, was, is: body })
        await noteChanges(tx, register.changesOf(id), now())
      }),
    )
    return withVersion(await register.find(db.read, id), reply)
  },

  async delete({ params: { id } }: Of, call: Call): Promise<{ id: number }> {
    const { db, now, versionSeen } = call
    const was = await register.find(db.read, id)
    await db.transaction(async (tx) => {
      const isDeleted = await register.delete(tx, id, versionSeen)
      if (!isDeleted) refuseOutdated(await register.find(tx, id))
      await noteDeed(tx, call, { action: 'pair_deleted', kind: register.kind, id, was })
      await noteChanges(tx, register.changesOf(id), now())
    })
    return { id }
  },
})

/** Runs what stores a pair, and says so when there is one like it. */
async function refusingTwins<T>(store: () => Promise<T>): Promise<T> {
  try {
    return await store()
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refused('pair_exists')
    throw error
  }
}
