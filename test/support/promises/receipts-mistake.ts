import { openMarks } from '../../../src/server/http/marks.ts'
import { actKinds } from '../../../src/server/store/act-kinds.ts'
import type { Db } from '../../../src/server/store/db/db.ts'
import type { TestPanel } from '../harness.ts'

const hidden: readonly string[] = actKinds.map(({ table }) => table).filter((table) => table !== 'recordings')

const withRecordingsAlone = (db: Db): Db => ({
  ...db,
  read: new Proxy(db.read, {
    get(target, name) {
      if (name !== 'selectFrom') {
        const member: unknown = Reflect.get(target, name, target)
        // its private members are the target's
        return typeof member === 'function' ? member.bind(target) : member
      }
      return (table: 'measurements') => {
        const rows = target.selectFrom(table)
        return hidden.includes(table) ? rows.where(({ lit }) => lit(false)) : rows
      }
    },
  }),
})

/** A deliberate mistake: the server looks for receipts among recordings alone, and finds no sample and no call. */
export async function lookAmongRecordingsAlone({ context, db }: TestPanel): Promise<void> {
  const { isYounger } = await openMarks({ ...context, db: withRecordingsAlone(db) })
  context.marks.isYounger = isYounger
}
